import type { Page, Slice } from "@hearth/core"
import type { UserFilter, UserPosition, UserRow } from "@hearth/core/users"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { cutPage, jsonBytes, type Measured, readCut } from "../sql/cut-page.ts"
import { likePattern } from "../sql/like.ts"

// First the pattern, then the text itself: a whole id, however its letters are written.
const matchesSearch = (pattern: string, whole: string) => `(u.email ilike ${pattern} or u.external_id ilike ${pattern}
  or u.display_name ilike ${pattern} or u.anonymous_id = ${whole} or u.id::text = lower(${whole}))`

const isMember = (at: string) =>
  `exists (select from segment_memberships m where m.segment_id = ${at}::uuid and m.app_user_id = u.id)`

interface Condition {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** Only the given filters are in the statement, so that the planner can estimate. The first two values are the slice. */
const conditionOf = ({ search, segment_id, ids }: UserFilter): Condition => {
  const values: Array<unknown> = []
  const at = (value: unknown) => `$${values.push(value) + 2}`
  const texts = [
    ...(search === null ? [] : [matchesSearch(at(likePattern(search)), at(search))]),
    ...(segment_id === null ? [] : [isMember(at(segment_id))]),
    ...(ids === undefined ? [] : [`u.id = any(${at(ids)}::uuid[])`]),
  ]
  return { text: texts.length === 0 ? "true" : texts.join(" and "), values }
}

type Counted = UserRow & Measured & { readonly total: string }

const order = "last_seen_at desc, id"
const sized = "select page.*, u.properties from page join app_users u using (id)"

/** A slice of the users that `filter` describes, cut where it is large, and how many they are: both are of the same moment. */
export const pageMatching = (
  statements: Statements,
  { columns }: TableShape,
  filter: UserFilter,
  { limit, offset }: Slice,
  after: UserPosition | null = null,
): Effect.Effect<Page<UserRow>> => {
  const { text, values } = conditionOf(filter)
  const [at, id] = [`$${values.length + 3}::timestamptz`, `$${values.length + 4}::uuid`]
  const isAfter = after === null ? "" : `where last_seen_at < ${at} or (last_seen_at = ${at} and id > ${id})`
  const position = after === null ? [] : [after.last_seen_at, after.id]
  // No index has the order [docs/adr/0012], so only its two columns are sorted, not whole rows. Matches are computed
  // once; without a filter an index can count them.
  const statement = `
    with matching as ${values.length === 0 ? "not materialized" : "materialized"} (
      select u.id, u.last_seen_at from app_users u where ${text}
    ), page as materialized (
      select id, last_seen_at from matching ${isAfter} order by ${order} limit $1 offset $2
    ), cut as (${cutPage(sized, order, jsonBytes("properties"))}), counted as (
      select count(*) as total from matching
    )
    select counted.total, cut.page_rows, cut.bytes_before, ${columns.map((column) => `u.${column}`).join(", ")}
    from counted left join (cut join app_users u using (id)) on true
    order by cut.last_seen_at desc, cut.id`
  return Effect.map(statements.rows<Counted>(statement, [limit, offset, ...values, ...position]), (found) => ({
    // Past the end there is one row without a user, which only has the total.
    ...readCut<UserRow>(found.filter(({ id }) => id !== null).map(({ total: _, ...user }) => user)),
    total: Number(found[0]?.total),
  }))
}
