import type { Grant } from "./grants.ts"
import { type FoldedEvent, readUserKey } from "./provider-event.ts"

/** The users whom events name, each once: of a transfer who receives, then from whom it takes. */
export const listUsers = (events: ReadonlyArray<FoldedEvent>): ReadonlyArray<string> => [
  ...new Set(events.flatMap(({ owner, sources }) => [owner, ...sources]).flatMap((key) => readUserKey(key) ?? [])),
]

/**
 * Which entries concern users whom they do not name: what made the grants that others have now. They are the source of these
 * grants, also when the users whom they name are removed.
 */
export const listLinks = (events: ReadonlyArray<FoldedEvent>, grants: ReadonlyArray<Grant>) => {
  const given = grants.filter(({ moved_to }) => moved_to !== null)
  if (given.length === 0) return []
  const formerOwners = Map.groupBy(given, ({ subscription }) => subscription)
  const present = Map.groupBy(
    grants.filter(({ moved_to }) => moved_to === null),
    ({ subscription }) => subscription,
  )
  return events.flatMap((event) => {
    const named = new Set([event.owner, ...event.sources])
    const moved = event.sources.length > 0
    const owners = [...formerOwners].flatMap(([subscription, left]) => {
      const concerns = moved ? left.some(({ owner }) => named.has(owner)) : event.subscription === subscription
      return concerns ? (present.get(subscription) ?? []).map(({ owner }) => owner) : []
    })
    const others = [...new Set(owners)].filter((owner) => !named.has(owner))
    return others.flatMap((owner) => {
      const app_user_id = readUserKey(owner)
      return app_user_id === null ? [] : [{ inbox_id: event.entry_id, app_user_id }]
    })
  })
}
