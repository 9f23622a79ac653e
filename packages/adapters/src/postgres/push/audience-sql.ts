import type { AudienceQuery } from "@hearth/core/push"
import { describedSql } from "../segments/segment-rules.ts"
import type { Bindings } from "../sql/bindings.ts"

/**
 * A query of `id`, `timezone` and `last_seen_at` of the users whom a push is for: those with at least one active device who are
 * not disabled. `members` is a query of the ids of the users to choose from; null is everybody.
 */
export const audienceSql = (members: string | null): string => `
  select u.id, u.timezone, u.last_seen_at from app_users u
  where not u.is_disabled
    and exists (select from push_tokens t where t.app_user_id = u.id and t.is_active)
    ${members === null ? "" : `and u.id in (${members})`}`

/** The members of a segment as they are stored. `segment` is the placeholder of its id. */
export const membersSql = (segment: string): string =>
  `select m.app_user_id from segment_memberships m where m.segment_id = ${segment}::uuid`

/** The audience of a segment by its rules at `now` and the members added by hand. */
export const describedAudienceSql = (
  { segment_id, rules }: AudienceQuery,
  now: Date,
  bindings: Bindings,
): { readonly text: string; readonly values: ReadonlyArray<unknown> } => {
  if (segment_id === null) return { text: audienceSql(null), values: bindings.values }
  const byHand = `${membersSql(bindings.bind(segment_id, "uuid"))} and m.is_manual`
  const members = rules === null ? byHand : `select d.id from (${describedSql(rules, now, bindings)}) d union ${byHand}`
  return { text: audienceSql(members), values: bindings.values }
}
