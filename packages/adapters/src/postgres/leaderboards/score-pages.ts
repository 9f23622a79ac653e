import type {
  BoardPage,
  BoardQuery,
  BoardStretch,
  ChangedScore,
  LeaderboardScores,
  ListedScore,
  UserStanding,
} from "@hearth/core/leaderboards"
import { LeaderboardEntry } from "@hearth/core/leaderboards"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { orderColumns, sameWindow, writeColumns, writePosition } from "./keys.ts"

// Compared with the parameters themselves: over a row that is joined, the planner would sort the whole window.
const isMeant = (name: string) =>
  `${name}.leaderboard_id = $1::uuid and ${name}.version = $2::int and ${name}.window_start = $3::date`

/**
 * How many scores are listed before a position of a window: those of the blocks before, and those in the block that it is in.
 * `isOfWindow` makes the condition for its tables, whose names begin with `c`.
 */
const countBefore = (position: string, isOfWindow: (name: string) => string) => `(
  select coalesce((
    select sum(cb.entries) from leaderboard_blocks cb
    where ${isOfWindow("cb")} and ${writePosition("cb")} < ${writePosition("cf")}
  ), 0) + (
    select count(*) from leaderboard_scores cs where ${isOfWindow("cs")} and cs.is_listed
      and ${writePosition("cs")} >= ${writePosition("cf")} and ${writePosition("cs")} < ${position}
  )
  from (
    select ${writeColumns("cb", orderColumns)} from leaderboard_blocks cb
    where ${isOfWindow("cb")} and ${writePosition("cb")} <= ${position}
    order by cb.deficit desc, cb.reached_at desc, cb.app_user_id desc limit 1
  ) cf
)`

// Before everybody of the same score.
const tied = (name: string) =>
  `(${name}.deficit, '-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)`

/** The rank of a row of scores: one more than there are greater scores. */
const rankOf = (name: string, isOfWindow = isMeant) => `1 + ${countBefore(tied(name), isOfWindow)}`

const ownWindow = (name: string) => sameWindow(name, "s")

const within = (rank: string, last: string) => `case when ${rank} <= ${last} then ${rank} end`

const listed = (name: string) => `${isMeant(name)} and ${name}.is_listed`

/**
 * The rank of a row whose place in the list is known: before it are only those tied with it that are not before its rank. Where
 * a block begins between them there may be any number of those, so the blocks are asked again.
 */
const rankAt = (name: string, place: string) => `case
    when exists (
      select from leaderboard_blocks rb where ${isMeant("rb")} and rb.deficit = ${name}.deficit
        and (rb.reached_at, rb.app_user_id) <= (${name}.reached_at, ${name}.app_user_id)
    ) then ${rankOf(name)}
    else 1 + ${place} - (
      select count(*) from leaderboard_scores rs where ${listed("rs")} and rs.deficit = ${name}.deficit
        and (rs.reached_at, rs.app_user_id) < (${name}.reached_at, ${name}.app_user_id)
    ) end`

const size = `size as materialized (
    select coalesce((select w.entries from leaderboard_windows w where ${isMeant("w")}), 0) as total
  )`

const own = `own as materialized (
    select s.* from leaderboard_scores s where ${listed("s")} and s.app_user_id = $5::uuid
  )`

const me = `me as materialized (select own.score, ${rankOf("own")} as rank from own)`

// Only what the index has, so that rows which are passed over are not fetched.
const entry = `- s.deficit as score, ${writeColumns("s", orderColumns)}`

// The rank of the first row is counted, those of the others follow from it.
const firstOfPage = `(
      select ${writeColumns("p", orderColumns)}, start.start as place from page p, start
      order by ${writeColumns("p", orderColumns)} limit 1
    )`

const ranked = `ranked as materialized (
    select p.*, case when p.deficit = top.deficit then top.rank else start.start + rank() over (order by p.deficit) end as rank
    from page p, top, start
  )`

const answer = `
  select size.total, start.start, me.score as my_score, ${within("me.rank", "$4::int")}::int as my_rank,
    p.app_user_id, p.score, p.reached_at, ${within("p.rank", "$4::int")}::int as rank, u.display_name, u.avatar_url
  from size cross join start left join me on true left join ranked p on true
  left join lateral (select display_name, avatar_url from app_users u where u.id = p.app_user_id offset 0) u on true
  order by ${writeColumns("p", orderColumns)}`

// One statement each, so that ranks, total and page are of one instant. From the top, ranks need no counting.
const fromTop = `
  with ${size}, start as materialized (select 0 as start), ${own}, ${me}, ranked as materialized (
    select p.*, rank() over (order by p.deficit) as rank from (
      select ${entry} from leaderboard_scores s where ${listed("s")} order by ${writeColumns("s", orderColumns)} limit $6
    ) p
  ) ${answer}`

const fromOffset = `
  with ${size}, ${own}, ${me}, start as materialized (select $7::bigint as start), first as materialized (
    select b.*, start - before as skipped from (
      select ${writeColumns("b", orderColumns)},
        sum(b.entries) over (order by ${writeColumns("b", orderColumns)}) - b.entries as before
      from leaderboard_blocks b where ${isMeant("b")}
    ) b, start where before <= start order by before desc, deficit desc, reached_at desc, app_user_id desc limit 1
  ), page as materialized (
    select p.* from first cross join lateral (
      select ${entry} from leaderboard_scores s
      where ${listed("s")} and ${writePosition("s")} >= ${writePosition("first")}
      order by ${writeColumns("s", orderColumns)} offset first.skipped limit $6
    ) p
  ), top as materialized (
    select t.deficit, ${rankAt("t", "t.place")} as rank from ${firstOfPage} t
  ), ${ranked} ${answer}`

// No page is longer. The planner is not told how long this one is: then the plan that it keeps for any length is as good as one
// for this length, and it does not plan anew each time, which takes longer than to read the page.
const longestPage = 1_000

/** The first scores of a window in an order, as many as a page has at most, with their places among these. */
const firstScores = (where: string, order: string) => `(
      select * from (
        select s.*, row_number() over () as nth from (
          select ${orderColumns.join(", ")} from leaderboard_scores ls where ${listed("ls")} ${where}
          order by ${order} limit ${longestPage}
        ) s
      ) s where s.nth <= $6
    )`

const ascending = orderColumns.join(", ")
const descending = orderColumns.map((column) => `${column} desc`).join(", ")

const pageFrom = (isBeyond: string, order: string, count: string) => `
    select ${entry} from place, start cross join lateral ${firstScores(`and ${writePosition("ls")} ${isBeyond} ${writePosition("place")}`, order)} s
    where s.nth <= ${count}`

// The page is read from the caller's position in both directions; only the caller's place is counted.

const fromCaller = `
  with ${size}, ${own}, place as materialized (
    select own.*, ${countBefore(writePosition("own"), isMeant)} as place from own
  ), start as materialized (
    select coalesce((select greatest(0, least(place - $6::bigint / 2, total - $6::bigint)) from place), 0) as start from size
  ), page as materialized (
    ${pageFrom("<", descending, "place - start")}
    union all
    ${pageFrom(">=", ascending, "$6 - (place - start)")}
    union all
    select ${entry} from ${firstScores("and not exists (select from own)", ascending)} s
  ), asked as materialized (
    select false as is_own, t.* from ${firstOfPage} t
    union all select true, ${writeColumns("place", orderColumns)}, place from place
  ), counted as materialized (
    select asked.*, ${rankAt("asked", "asked.place")} as rank from asked
  ), top as materialized (
    select deficit, rank from counted where not is_own
  ), me as materialized (
    select - deficit as score, rank from counted where is_own
  ), ${ranked} ${answer}`

// In ten-thousandths; one position before all others is of an infinite score.
const given = "(- $5::numeric * 0.0001, $6::timestamptz, $7::uuid)"
const top = ["Infinity", "-infinity", "00000000-0000-0000-0000-000000000000"]

// Entered in the index at the place, and counted once, for the first row.
const fromPlace = `
  with ${size}, page as materialized (
    select ${entry} from leaderboard_scores s where ${listed("s")} and ${writePosition("s")} > ${given}
    order by ${writeColumns("s", orderColumns)} limit $8 offset $9
  ), start as materialized (
    select coalesce((
      select ${countBefore(writePosition("f"), isMeant)}
      from (select ${writeColumns("p", orderColumns)} from page p order by ${writeColumns("p", orderColumns)} limit 1) f
    ), 0) as start
  ), top as materialized (
    select t.deficit, ${rankAt("t", "t.place")} as rank from ${firstOfPage} t
  ), ${ranked}
  select size.total, p.app_user_id, p.score, p.reached_at, ${within("p.rank", "$4::int")}::int as rank,
    trunc(p.score * 10000)::text as units, u.display_name, u.avatar_url
  from size left join ranked p on true
  left join lateral (select display_name, avatar_url from app_users u where u.id = p.app_user_id offset 0) u on true
  order by ${writeColumns("p", orderColumns)}`

interface Placed extends ListedScore {
  readonly total: number
  readonly units: string
}

const readStretch = (found: ReadonlyArray<Placed>): BoardStretch => {
  const listed = found.filter(({ app_user_id }) => app_user_id !== null)
  const last = listed.at(-1)
  return {
    rows: listed.map(({ total: _, units: __, ...row }) => row),
    total: found[0]?.total ?? 0,
    last:
      last === undefined
        ? null
        : { units: BigInt(last.units), reached_at: last.reached_at, app_user_id: last.app_user_id },
  }
}

interface Answered extends ListedScore {
  readonly total: number
  readonly start: number
  readonly my_score: number | null
  readonly my_rank: number | null
}

const readPage = ([first, ...others]: ReadonlyArray<Answered>): BoardPage => {
  if (first === undefined) throw new Error("A page has a row with the total at least.")
  const { total, start, my_score, my_rank } = first
  const listed = [first, ...others].filter(({ app_user_id }) => app_user_id !== null)
  return {
    rows: listed.map(({ app_user_id, score, reached_at, rank, display_name, avatar_url }) => ({
      ...{ app_user_id, score, reached_at, rank, display_name, avatar_url },
    })),
    ...{ total, offset: Number(start) },
    me: my_score === null ? null : { rank: my_rank, score: my_score },
  }
}

const standings = `
  select s.leaderboard_id, s.app_user_id, s.score, ${within("r.rank", "l.max_entries")}::int as rank
  from unnest($1::uuid[], $2::uuid[], $3::date[]) as k (leaderboard_id, app_user_id, window_start)
  join leaderboards l on l.id = k.leaderboard_id
  join leaderboard_scores s on s.leaderboard_id = l.id and s.version = l.version
    and s.window_start = k.window_start and s.app_user_id = k.app_user_id and s.is_listed
  cross join lateral (select ${rankOf("s", ownWindow)} as rank offset 0) r
  order by s.leaderboard_id, s.window_start, s.app_user_id`

const ofUser = `
  select ${Object.keys(LeaderboardEntry.fields)
    .map((column) => (column === "rank" ? `${within("r.rank", "l.max_entries")}::int as rank` : `s.${column}`))
    .join(", ")}
  from leaderboard_scores s join leaderboards l on l.id = s.leaderboard_id and l.version = s.version
  left join lateral (select ${rankOf("s", ownWindow)} as rank where s.is_listed offset 0) r on true
  where s.app_user_id = $1 order by s.leaderboard_id, s.window_start`

/** The part of the scores that reads ranks. */
export const makeScorePages = (
  statements: Statements,
): Pick<LeaderboardScores, "page" | "listAfter" | "standings" | "listByUser"> => ({
  page: ({ board, window_start, slice, caller, around }: BoardQuery) => {
    const values = [board.id, board.version, window_start, board.max_entries, caller, slice.limit]
    const rows = around
      ? statements.prepared<Answered>("leaderboard-around", fromCaller, values)
      : slice.offset === 0
        ? statements.prepared<Answered>("leaderboard-top", fromTop, values)
        : statements.prepared<Answered>("leaderboard-page", fromOffset, [...values, slice.offset])
    return Effect.map(rows, readPage)
  },
  listAfter: ({ board, window_start, slice, after }) => {
    const place = after === null ? top : [String(after.units), after.reached_at, after.app_user_id]
    const values = [board.id, board.version, window_start, board.max_entries, ...place, slice.limit, slice.offset]
    return Effect.map(statements.prepared<Placed>("leaderboard-after", fromPlace, values), readStretch)
  },
  standings: (keys: ReadonlyArray<ChangedScore>) =>
    statements.rows<UserStanding>(standings, [
      keys.map(({ leaderboard_id }) => leaderboard_id),
      keys.map(({ app_user_id }) => app_user_id),
      keys.map(({ window_start }) => window_start),
    ]),
  listByUser: (userId) => statements.rows<LeaderboardEntry>(ofUser, [userId]),
})
