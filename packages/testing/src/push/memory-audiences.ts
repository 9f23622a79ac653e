import type { AudienceQuery, PushAudiences } from "@hearth/core/push"
import type { Draft, Statements } from "../memory/database.ts"
import { rowsOf } from "../memory/rows.ts"
import { select, sorted } from "../memory/table.ts"
import { describedUsers } from "../segments/memory-described-users.ts"
import { membershipShape } from "../segments/memory-shapes.ts"
import { userShape } from "../users/memory-shapes.ts"
import { pushTokenShape } from "./memory.ts"

/** The active devices of the users whom a push is for, by user. `members` are the ids to choose from; null is everybody. */
export const readAudience = (draft: Draft, members: ReadonlySet<string> | null) => {
  const active = [...rowsOf(draft, pushTokenShape).values()].filter(({ is_active }) => is_active)
  const devices = Map.groupBy(active, ({ app_user_id }) => app_user_id)
  return [...rowsOf(draft, userShape).values()]
    .filter((user) => !user.is_disabled && devices.has(user.id) && (members === null || members.has(user.id)))
    .map((user) => ({ user, devices: devices.get(user.id) ?? [] }))
}

const describeAudience = (draft: Draft, { segment_id, rules }: AudienceQuery, now: Date) => {
  if (segment_id === null) return readAudience(draft, null)
  const byHand = select(draft, membershipShape, { segment_id, is_manual: true }).map(({ app_user_id }) => app_user_id)
  const described = rules === null ? [] : describedUsers(draft, rules, now).map(({ id }) => id)
  return readAudience(draft, new Set([...byHand, ...described]))
}

/** Whom pushes are for, in memory. */
export const memoryPushAudiences = (statements: Statements): PushAudiences => ({
  countZones: (audience, now) =>
    statements.query((draft) => {
      const zones = Map.groupBy(describeAudience(draft, audience, now), ({ user }) => user.timezone)
      const rows = [...zones].map(([timezone, users]) => {
        const devices = users.flatMap((each) => each.devices)
        const on = (platform: string) => devices.filter((device) => device.platform === platform).length
        return { timezone, users: users.length, ios: on("ios"), android: on("android"), web: on("web") }
      })
      return rows.toSorted((a, b) => ((a.timezone ?? "") < (b.timezone ?? "") ? -1 : 1))
    }),
  sample: (audience, now, zones, size) =>
    statements.query((draft) => {
      const users = describeAudience(draft, audience, now).map(({ user }) => user)
      const wanted = users.filter(({ timezone }) => zones.includes(timezone))
      return sorted(userShape, wanted, [["last_seen_at", "desc"]]).slice(0, size)
    }),
})
