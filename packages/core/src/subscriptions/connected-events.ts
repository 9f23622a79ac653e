import { Effect } from "effect"
import type { WebhooksDb } from "../webhooks/port.ts"
import { resolveUsers } from "../webhooks/resolve-users.ts"
import type { SubscriptionsDb } from "./port.ts"
import { type FoldedEvent, makeUserKey, readProviderKey } from "./provider-event.ts"

/** A story with more events is not worked out: what one sender says must not keep the others of a project waiting. */
export const mostConnected = 5_000

// Every round finds what the one before is connected with. A chain of so many transfers is nobody's life.
const mostRounds = 50

const aliasKey = (key: string) => `alias/${key}`

/** By what an event is connected with others: its owner, from whom it takes, its subscription. */
const listOwnKeys = ({ owner, sources, subscription, type }: FoldedEvent): ReadonlyArray<string> => [
  ...[owner, ...sources, ...(type === "TRANSFER" ? [] : [`subscription/${subscription}`])],
]

/** By what others find an event. */
export const listKeys = (event: FoldedEvent): ReadonlyArray<string> => [
  ...new Set([...listOwnKeys(event), ...(event.aliases ?? []).map(aliasKey)]),
]

/**
 * By what others are found from an event: those of its aliases, and those who say that somebody unknown is theirs. Two users who say so
 * of the same are not connected by that.
 */
const listOthersKeys = (event: FoldedEvent): ReadonlyArray<string> => [
  ...listOwnKeys(event),
  ...(event.aliases ?? []),
  ...[event.owner, ...event.sources].filter((key) => readProviderKey(key) !== null).map(aliasKey),
]

/** Replaces the keys of those who were unknown by those of the users that they are. */
const rename = (event: FoldedEvent, users: ReadonlyMap<string, string>): FoldedEvent => {
  const find = (key: string) => {
    const userId = users.get(readProviderKey(key) ?? "")
    return userId === undefined ? key : makeUserKey(userId)
  }
  return { ...event, owner: find(event.owner), sources: event.sources.map(find) }
}

const pickAll = (events: ReadonlyMap<string, FoldedEvent>, entries: ReadonlySet<string>): ReadonlyArray<FoldedEvent> =>
  [...entries].flatMap((entry) => events.get(entry) ?? [])

const renameAll = (
  events: Map<string, FoldedEvent>,
  users: ReadonlyMap<string, string>,
  renamed: Set<string>,
): void => {
  for (const [entry, event] of [...events]) {
    const known = rename(event, users)
    if (known.owner === event.owner && known.sources.every((key, at) => key === event.sources[at])) continue
    events.set(entry, known)
    renamed.add(entry)
  }
}

/** An event with all that it is connected with, by entry. */
export interface Connected {
  readonly events: ReadonlyMap<string, FoldedEvent>
  /** Those that were found to be about known users. They have to be written. */
  readonly renamed: ReadonlyArray<FoldedEvent>
}

/**
 * The events that are connected with `event` through their users, aliases and subscriptions, itself among them. Those whom only the
 * provider knew are looked up again. Null where they are too many.
 */
export const readConnected = Effect.fnUntraced(function* (
  db: SubscriptionsDb & WebhooksDb,
  event: FoldedEvent,
  further: ReadonlyArray<string>,
) {
  const events = new Map([[event.entry_id, event]])
  const [asked, renamed] = [new Set<string>(), new Set<string>()]
  let fresh: ReadonlyArray<FoldedEvent> = [event]
  let next: ReadonlyArray<string> = further
  for (let round = 0; round < mostRounds; round += 1) {
    const keys = new Set([...next, ...fresh.flatMap(listOthersKeys)])
    for (const key of asked) keys.delete(key)
    if (keys.size === 0) return { events, renamed: pickAll(events, renamed) } satisfies Connected
    for (const key of keys) asked.add(key)
    // Further ids only help to find events: those whom they name may be somebody else.
    const unknown = fresh.flatMap(listOwnKeys).flatMap((key) => readProviderKey(key) ?? [])
    const users = yield* resolveUsers(db, unknown)
    if (users.size > 0) renameAll(events, users, renamed)
    const found = yield* db.subscriptionEvents.connected([...keys], [...events.keys()], mostConnected + 1)
    if (events.size + found.length > mostConnected) return null
    for (const each of found) events.set(each.entry_id, each)
    // All events with a key are found at once, so none of them keeps its old name.
    if (users.size > 0) renameAll(events, users, renamed)
    fresh = pickAll(events, new Set(found.map(({ entry_id }) => entry_id)))
    next = [...users.values()].map(makeUserKey)
  }
  return null
})
