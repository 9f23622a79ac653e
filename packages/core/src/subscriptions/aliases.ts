import { compareEvents } from "./fold.ts"
import { type FoldedEvent, readUserKey } from "./provider-event.ts"

/** Whether this is what the provider calls a customer who has not signed in. */
export const isAnonymous = (providerId: string): boolean => providerId.startsWith("$RCAnonymousID:")

/**
 * Gives events of a customer who had not signed in to the user of whom another event says that both are one customer: who buys
 * before signing in has bought. Of several such users it is that of the first event. Only those count whom `isHere` answers true for.
 */
export const adoptAliases = (
  events: ReadonlyArray<FoldedEvent>,
  isHere: (userId: string) => boolean,
): ReadonlyArray<FoldedEvent> => {
  const users = new Map<string, string>()
  for (const { owner, aliases = [] } of events.toSorted(compareEvents)) {
    const userId = readUserKey(owner)
    if (userId === null || !isHere(userId)) continue
    for (const alias of aliases) if (!users.has(alias)) users.set(alias, owner)
  }
  if (users.size === 0) return events
  const find = (key: string) => users.get(key) ?? key
  return events.map((event) => ({ ...event, owner: find(event.owner), sources: [...new Set(event.sources.map(find))] }))
}
