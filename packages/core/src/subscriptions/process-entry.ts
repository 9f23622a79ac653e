import { Effect, Option } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import { lockPurses } from "../currencies/change-wallets.ts"
import type { CurrenciesDb } from "../currencies/port.ts"
import type { EntitlementsDb } from "../entitlements/port.ts"
import { makeProviderGrants } from "../entitlements/provider-grants.ts"
import type { PlatformEvent } from "../events/event.ts"
import type { EventsDb } from "../events/port.ts"
import type { Ports } from "../ports/ports.ts"
import { findNamed } from "../webhooks/find-named.ts"
import type { InboxEntry } from "../webhooks/inbox-entry.ts"
import type { WebhooksDb } from "../webhooks/port.ts"
import type { ProcessEntry, ProcessedEntry } from "../webhooks/processor.ts"
import { resolveUsers } from "../webhooks/resolve-users.ts"
import { lookUpAgain } from "../webhooks/resolve-waiting.ts"
import { adoptAliases, isAnonymous } from "./aliases.ts"
import { listKeys, mostConnected, readConnected } from "./connected-events.ts"
import { describeChanges } from "./describe-changes.ts"
import { foldSubscriptions } from "./fold.ts"
import { type ParsedEvent, parseEvent } from "./parse-event.ts"
import type { SubscriptionsDb } from "./port.ts"
import { type FoldedEvent, makeProviderKey, makeUserKey, readProviderKey, readUserKey } from "./provider-event.ts"
import { readRawEvent } from "./raw-event.ts"
import { listLinks, listUsers } from "./shared-entries.ts"

/** What processing a subscription webhook needs of a project's database. */
export type ProcessSubscriptionDb = BackgroundDb &
  CurrenciesDb &
  EntitlementsDb &
  EventsDb &
  SubscriptionsDb &
  WebhooksDb

type KnownEvent = Extract<ParsedEvent, { readonly kind: "event" }>

const dayMillis = 24 * 60 * 60_000

/** When it happened by the provider's clock. One that is more than a day ahead is not believed, as in the log of events [E1]. */
const readOccurredAt = ({ at }: FoldedEvent, { received_at }: InboxEntry) =>
  at > received_at.getTime() + dayMillis ? received_at : new Date(at)

/** The event of the log for a provider's event; of a transfer it is the receiver's [H2.4]. */
const describeEvent = (event: FoldedEvent, app_user_id: string, entry: InboxEntry): PlatformEvent => {
  const { product_id, entitlement_ids, store, period_type, price, currency } = event
  const event_name = `subscription_${event.type.toLowerCase()}`
  return {
    ...{ app_user_id, event_name, occurred_at: readOccurredAt(event, entry) },
    properties: {
      product_id,
      entitlement_ids: entitlement_ids && [...entitlement_ids],
      store,
      period_type,
      price,
      currency,
    },
    cause_key: `subscriptions/${entry.id}/${event_name}`,
  }
}

/**
 * Processes subscription webhooks [H2.2]: notes whom an event concerns, once, and works out anew what everybody has who is
 * connected with it. The same entry again changes nothing. Number of statements: the same for any number of entitlements.
 */
export const makeProcessSubscription = ({
  clock,
  ids,
}: Pick<Ports, "clock" | "ids">): ProcessEntry<ProcessSubscriptionDb> => {
  const grants = makeProviderGrants(ids)

  /** The event with its users: those it was found to concern in an earlier transaction, else those who are known now. */
  const nameUsers = Effect.fnUntraced(function* (
    db: ProcessSubscriptionDb,
    { id: entry_id }: InboxEntry,
    { event, users: { named, sources } }: KnownEvent,
    isAgain: boolean,
  ) {
    const before = Option.getOrNull(yield* db.subscriptionEvents.find(entry_id))
    const isNamed = before !== null && readUserKey(before.owner) !== null && !isAgain
    if (isNamed && before.aliases !== undefined) {
      const { owner, sources, aliases } = before
      return { ...event, entry_id, owner, sources, aliases, isNew: false }
    }
    const known = yield* resolveUsers(db, named)
    const first = named.find((id) => known.has(id))
    const userId = known.get(first ?? "")
    const owner = userId === undefined ? makeProviderKey(named[0] ?? "") : makeUserKey(userId)
    const aliases = named.filter((id) => isAnonymous(id) && !known.has(id)).map(makeProviderKey)
    return {
      ...{ ...event, entry_id, aliases, sources: before?.sources ?? sources.map(makeProviderKey) },
      ...{ owner: isNamed ? before.owner : owner, isNew: !isNamed },
    }
  })

  /**
   * Works out what the users of connected events have, and writes it. Answers the events with those whom they concern, who is here, and
   * who is to be named by the entry.
   */
  const rebuild = Effect.fnUntraced(function* (
    db: ProcessSubscriptionDb,
    connected: ReadonlyArray<FoldedEvent>,
    entryId: string,
  ) {
    const locked = yield* lockPurses(db, listUsers(connected))
    if (locked.size === 0) return { events: connected, present: locked, sharing: [] }
    const events = adoptAliases(connected, (userId) => locked.has(userId))
    const users = [...locked]
    // After the locks: what ends while they are waited for has ended.
    const now = clock.now()
    const { grants: folded, entitlements } = foldSubscriptions(events, now)
    const own = entitlements.filter(({ owner }) => locked.has(readUserKey(owner) ?? ""))
    const raw = yield* db.subscriptionEvents.listRaw([...new Set(own.map(({ entry_id }) => entry_id))])
    const held = yield* db.entitlementSources.listProvided(users)
    yield* grants.change(db, describeChanges(own, held, raw), now)
    const links = listLinks(events, folded).filter(({ app_user_id }) => locked.has(app_user_id))
    if (links.length > 0) yield* db.subscriptionEvents.share(links)
    const sharing = links.flatMap(({ inbox_id, app_user_id }) => (inbox_id === entryId ? [app_user_id] : []))
    return { events, present: locked, sharing }
  })

  /** Has those processed again that nobody had known, and of whom it is known now whose they are. */
  const lookUpAdopted = Effect.fnUntraced(function* (
    db: ProcessSubscriptionDb,
    { events: before, entryId }: { readonly events: ReadonlyMap<string, FoldedEvent>; readonly entryId: string },
    events: ReadonlyArray<FoldedEvent>,
  ) {
    const adopted = events.flatMap(({ entry_id, owner }) => {
      const id = readProviderKey(before.get(entry_id)?.owner ?? "")
      return id === null || entry_id === entryId || readUserKey(owner) === null ? [] : [{ entry_id, id }]
    })
    if (adopted.length === 0) return
    const users = yield* db.webhookInbox.usersOf(adopted.map(({ entry_id }) => entry_id))
    const waiting = adopted.filter(({ entry_id }) => !users.has(entry_id))
    for (const id of new Set(waiting.map((each) => each.id))) yield* lookUpAgain(db, id)
  })

  const processEvent: (
    db: ProcessSubscriptionDb,
    entry: InboxEntry,
    parsed: KnownEvent,
    isAgain?: boolean,
  ) => Effect.Effect<ProcessedEntry> = Effect.fnUntraced(function* (db, entry, parsed, isAgain = false) {
    const { isNew, ...named } = yield* nameUsers(db, entry, parsed, isAgain)
    const connected = yield* readConnected(db, named, parsed.users.named.map(makeProviderKey))
    const own = connected?.events.get(entry.id) ?? named
    const others = (connected?.renamed ?? []).filter(({ entry_id }) => entry_id !== entry.id)
    yield* db.subscriptionEvents.save([
      { event: own, keys: listKeys(own), raw: readRawEvent(entry.payload) },
      ...others.map((each) => ({ event: each, keys: listKeys(each), raw: null })),
    ])
    const error = `More than ${mostConnected} events are connected with this one.`
    if (connected === null) return { status: "failed", error, user_ids: listUsers([own]) } satisfies ProcessedEntry
    const { events, present, sharing } = yield* rebuild(db, [...connected.events.values()], entry.id)
    yield* lookUpAdopted(db, { events: connected.events, entryId: entry.id }, events)
    const event = events.find(({ entry_id }) => entry_id === entry.id) ?? own
    const user_ids = [...new Set([...listUsers([event]), ...sharing])]
    const userId = readUserKey(event.owner)
    // Who was found has been removed meanwhile: then nobody has that id.
    if (userId !== null && isNew && !isAgain && !present.has(userId))
      return yield* processEvent(db, entry, parsed, true)
    if (userId === null)
      return { status: "unresolved", error: "No user has one of its ids.", user_ids } satisfies ProcessedEntry
    yield* db.events.insertCaused([{ ...describeEvent(event, userId, entry), id: ids.uuid() }])
    return { status: "processed", error: null, user_ids } satisfies ProcessedEntry
  })

  return (db, entry) => {
    const parsed = parseEvent(entry.payload)
    if (parsed.kind === "event") return processEvent(db, entry, parsed)
    const outcome =
      parsed.kind === "test"
        ? ({ status: "processed", error: null } as const)
        : ({ status: parsed.kind, error: parsed.reason } as const)
    return Effect.map(findNamed(db, entry), (user_ids) => ({ ...outcome, user_ids }))
  }
}
