import { Effect } from "effect"
import type { WebhooksDb } from "../webhooks/port.ts"
import { resolveUsers } from "../webhooks/resolve-users.ts"
import type { SubscriptionsDb } from "./port.ts"
import { type FoldedEvent, makeUserKey, readProviderKey } from "./provider-event.ts"

/** A story with more events is not worked out: what one sender says must not keep the others of a project waiting. */
export const mostConnected = 5_000

// Every round finds what the one before is connected with. A chain of so many transfers is nobody's life.
const mostRounds = 50

/** By what an event is connected with others. */
export const listKeys = ({ owner, sources, subscription, type }: FoldedEvent): ReadonlyArray<string> => [
  ...new Set([owner, ...sources, ...(type === "TRANSFER" ? [] : [`subscription/${subscription}`])]),
]

/** Replaces the keys of those who were unknown by those of the users that they are. */
const rename = (event: FoldedEvent, users: ReadonlyMap<string, string>): FoldedEvent => {
  const find = (key: string) => {
    const userId = users.get(readProviderKey(key) ?? "")
    return userId === undefined ? key : makeUserKey(userId)
  }
  return { ...event, owner: find(event.owner), sources: event.sources.map(find) }
}

/** An event with all that it is connected with, by entry. */
export interface Connected {
  readonly events: ReadonlyMap<string, FoldedEvent>
  /** Those that were found to be about known users. They have to be written. */
  readonly renamed: ReadonlyArray<FoldedEvent>
}

/**
 * The events that are connected with `event` through their users and subscriptions, itself among them. Those whom only the
 * provider knew are looked up again. Null where they are too many.
 */
export const readConnected = Effect.fnUntraced(function* (
  db: SubscriptionsDb & WebhooksDb,
  event: FoldedEvent,
  further: ReadonlyArray<string>,
) {
  const events = new Map([[event.entry_id, event]])
  const [asked, lookedUp, renamed] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (let round = 0; round < mostRounds; round += 1) {
    const named = [...events.values()].flatMap(listKeys)
    const unknown = [...new Set(named.flatMap((key) => readProviderKey(key) ?? []))].filter((id) => !lookedUp.has(id))
    const users = yield* resolveUsers(db, unknown)
    for (const id of unknown) lookedUp.add(id)
    for (const [entry, each] of users.size === 0 ? [] : [...events]) {
      const known = rename(each, users)
      if (JSON.stringify(known) === JSON.stringify(each)) continue
      events.set(entry, known)
      renamed.add(entry)
    }
    const keys = [...new Set([...named, ...further, ...[...events.values()].flatMap(listKeys)])]
    const fresh = keys.filter((key) => !asked.has(key))
    if (fresh.length === 0)
      return { events, renamed: [...renamed].flatMap((entry) => events.get(entry) ?? []) } satisfies Connected
    for (const key of fresh) asked.add(key)
    const found = yield* db.subscriptionEvents.connected(fresh, [...events.keys()], mostConnected + 1)
    if (events.size + found.length > mostConnected) return null
    for (const each of found) events.set(each.entry_id, each)
  }
  return null
})
