import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { orderColumns, sameWindow, windowColumns, writeColumns, writePosition } from "./keys.ts"

// A block has about a thousand scores: a rank is a sum over the blocks and a count in one of them, and for a million scores
// both take as long. The bounds are those of the indexes of the table.
const size = 1_000
const isLarge = "entries > 2000"
const isSmall = "entries < 250 and not is_first"

const window = windowColumns.join(", ")
const order = orderColumns.join(", ")
const key = [...windowColumns, ...orderColumns]

// Whoever changes scores meanwhile waits for this lock before counting them, so the counts below are right when it goes on.
const lockUnbalanced = `
  select count(*)::int as windows from (
    select from leaderboard_windows where (${window}) in (
      select ${window} from leaderboard_blocks where ${isLarge} union select ${window} from leaderboard_blocks where ${isSmall}
    ) order by ${window} for no key update
  ) as locked`

// Small blocks go into the last block before them that is not small.
const mergeSmall = `
  with ordered as materialized (
    select b.*, ${isSmall} as is_small,
      count(*) filter (where not (${isSmall})) over (partition by ${writeColumns("b", windowColumns)} order by ${writeColumns("b", orderColumns)}) as head
    from leaderboard_blocks b where (${window}) in (select ${window} from leaderboard_blocks where ${isSmall})
  ), sums as (
    select ${window}, head, sum(entries) as entries from ordered group by ${window}, head
  ), gone as (
    delete from leaderboard_blocks b using ordered o
    where o.is_small and ${sameWindow("b", "o")} and ${writePosition("b")} = ${writePosition("o")}
  )
  update leaderboard_blocks b set entries = s.entries
  from ordered o join sums s on ${sameWindow("s", "o")} and s.head = o.head
  where not o.is_small and o.entries <> s.entries and ${sameWindow("b", "o")} and ${writePosition("b")} = ${writePosition("o")}`

// Large blocks are divided into equal parts.
const divideLarge = `
  with large as materialized (
    select ${writeColumns("b", key)}, ceil(b.entries / ${size}.0) as parts,
      n.deficit as next_deficit, n.reached_at as next_reached_at, n.app_user_id as next_app_user_id
    from leaderboard_blocks b left join lateral (
      select ${order} from leaderboard_blocks f where ${sameWindow("f", "b")} and ${writePosition("f")} > ${writePosition("b")}
      order by ${order} limit 1
    ) n on true where b.${isLarge}
  ), counted as (
    select ${writeColumns("b", windowColumns)}, b.deficit as of_deficit, b.reached_at as of_reached_at,
      b.app_user_id as of_app_user_id, ${writeColumns("s", orderColumns)}, floor(s.position * b.parts / s.total) as part
    from large b cross join lateral (
      select ${writeColumns("s", orderColumns)}, row_number() over (order by ${writeColumns("s", orderColumns)}) - 1 as position,
        count(*) over () as total
      from leaderboard_scores s where ${sameWindow("s", "b")} and s.is_listed and ${writePosition("s")} >= ${writePosition("b")}
        and ${writePosition("s")} < (coalesce(b.next_deficit, 'Infinity'), coalesce(b.next_reached_at, 'infinity'),
          coalesce(b.next_app_user_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    ) s
  ), parts as (
    select distinct on (${window}, of_deficit, of_reached_at, of_app_user_id, part) *,
      count(*) over (partition by ${window}, of_deficit, of_reached_at, of_app_user_id, part) as entries
    from counted order by ${window}, of_deficit, of_reached_at, of_app_user_id, part, ${order}
  ), made as (
    insert into leaderboard_blocks (${window}, ${order}, entries, is_first)
    select ${window}, ${order}, entries, false from parts where part > 0
  )
  update leaderboard_blocks b set entries = p.entries from parts p where p.part = 0 and ${sameWindow("b", "p")}
    and ${writePosition("b")} = (p.of_deficit, p.of_reached_at, p.of_app_user_id)`

/**
 * Divides blocks that have become large, and merges small ones, so that ranks stay cheap. To be run in the transaction that
 * has changed scores. What others remove meanwhile only makes blocks small, which the next change sees to.
 */
export const balanceBlocks = Effect.fnUntraced(function* (statements: Statements) {
  const [locked] = yield* statements.prepared<{ readonly windows: number }>("lock-blocks", lockUnbalanced, [])
  if ((locked?.windows ?? 0) === 0) return
  yield* statements.rows(mergeSmall)
  yield* statements.rows(divideLarge)
})
