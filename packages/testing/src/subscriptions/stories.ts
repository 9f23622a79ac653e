import type { TenantDb } from "@hearth/core"
import { makeProcessSubscription } from "@hearth/core/subscriptions"
import { makeProcessAndFinish } from "@hearth/core/webhooks"
import { Effect, Option } from "effect"
import { nextNumber } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { memoryIds } from "../memory/ids.ts"
import { aUser } from "../users/builders.ts"
import { anInboxRow } from "../webhooks/builders.ts"
import { type Customer, customers, type Story, type StoryEvent } from "./arbitrary-stories.ts"

const minuteMillis = 60_000
const began = Date.UTC(2026, 2, 1)
/** When stories are told: after all of their events. */
const now = new Date(began + 15 * minuteMillis)

const idsOf = (prefix: string, customer: Customer) => [`${prefix}-${customer}`, `${prefix}-${customer}-anonymous`]

const toMillis = (minute: number | null) => (minute === null ? null : began + minute * minuteMillis)

/** The body of a webhook for an event of a story. */
const describeBody = (prefix: string, given: StoryEvent) => {
  const [first = "", second = ""] = idsOf(prefix, given.customer)
  const device = `$RCAnonymousID:${prefix}-${given.customer}`
  const [app_user_id, alias] = given.byAlias ? [second, first] : [first, second]
  const bought = given.byDevice
    ? { app_user_id: device, aliases: [device], original_app_user_id: device }
    : { app_user_id, aliases: [alias, device], original_app_user_id: second }
  const named =
    given.type === "TRANSFER"
      ? {
          transferred_from: given.byDevice ? [device] : idsOf(prefix, given.customer),
          transferred_to: idsOf(prefix, given.receiver),
        }
      : bought
  const event = {
    ...{ ...named, id: `${prefix}-${given.id}`, type: given.type, event_timestamp_ms: toMillis(given.minute) },
    ...{ product_id: `product-${given.period}`, entitlement_ids: given.entitlements, store: "APP_STORE" },
    ...{ period_type: "NORMAL", purchased_at_ms: toMillis(given.period), expiration_at_ms: toMillis(given.ends) },
    ...{ grace_period_expiration_at_ms: toMillis(given.grace), price: given.price, currency: "USD" },
    ...{ transaction_id: `${prefix}-${given.subscription}-${given.period}`, cancel_reason: given.reason },
    original_transaction_id: `${prefix}-${given.subscription}`,
  }
  return { api_version: "1.0", event }
}

/** Tells stories to a database, each to users of its own. */
export const storyteller = (db: DatabaseUnderTest<TenantDb>) => {
  const clock = { now: () => now }
  const ids = memoryIds(clock)
  const process = makeProcessAndFinish<TenantDb>(
    { clock },
    {
      subscription: makeProcessSubscription({ clock, ids }),
      paywall: () => Effect.die(new Error("No paywall is asked.")),
    },
  )

  const processAgain = (id: string) =>
    db.transact((tx) =>
      Effect.gen(function* () {
        yield* tx.outbox.hold()
        const entry = Option.getOrThrow(yield* tx.webhookInbox.find(id))
        return yield* process(tx, entry)
      }),
    )

  /** Adds users for the customers of a story, by name. */
  const addUser = async (prefix: string, customer: Customer) => {
    const [external_id = "", anonymous_id = ""] = idsOf(prefix, customer)
    const user = aUser({ external_id, anonymous_id })
    await db.transact((tx) => Effect.orDie(tx.users.insert(user)))
    return [customer, user.id] as const
  }

  /** What is known of a user: entitlements, what the provider says of them, and events; without ids and times of writing. */
  const readUser = (userId: string) =>
    db.read((tx) =>
      Effect.gen(function* () {
        const plain = (row: object) => ({ ...row, id: null, app_user_id: null, updated_at: null })
        const rows = yield* tx.entitlements.list({ app_user_id: userId }, [["entitlement_id", "asc"]])
        const sources = yield* tx.entitlementSources.list({ app_user_id: userId }, [["entitlement_id", "asc"]])
        const { rows: events } = yield* tx.events.pageOfUser(userId, { limit: 1_000, offset: 0 })
        const logged = events.map(({ event_name, occurred_at, properties }) =>
          JSON.stringify([event_name, occurred_at, Object.entries(properties).toSorted()]),
        )
        return { rows: rows.map(plain), sources: sources.map(plain), events: logged.toSorted() }
      }),
    )

  return {
    /**
     * Tells a story: each event is processed by itself, as it comes in. Answers what is known of each customer at the end, where
     * the story's own prefix is replaced, so that two can be compared.
     */
    tell: async ({ events, appears }: Story) => {
      const prefix = `story-${nextNumber()}`
      const users = new Map<Customer, string>()
      for (const customer of customers) if (customer !== "ghost") users.set(...(await addUser(prefix, customer)))
      const entries = new Map<number, string>()
      // What a worker does where the outbox tells it.
      const lookUpAgain = async () => {
        const known = await db.read((tx) =>
          tx.webhookInbox.page({ provider: null, status: "unresolved" }, { limit: 1_000, offset: 0 }),
        )
        for (const { id } of known.rows) if ([...entries.values()].includes(id)) await processAgain(id)
      }
      const appear = async () => {
        users.set(...(await addUser(prefix, "ghost")))
        await lookUpAgain()
      }
      for (const [at, event] of events.entries()) {
        if (at === appears) await appear()
        const row = anInboxRow({
          ...{ provider_event_id: `${prefix}-${event.id}`, event_type: event.type, received_at: now },
          payload: describeBody(prefix, event),
        })
        const isNew = await db.transact((tx) => tx.webhookInbox.take(row))
        if (isNew) entries.set(event.id, row.id)
        await processAgain(entries.get(event.id) ?? row.id)
      }
      if (appears >= events.length) await appear()
      await lookUpAgain()
      const told = Object.fromEntries(
        await Promise.all(customers.map(async (name) => [name, await readUser(users.get(name) ?? "")] as const)),
      )
      return JSON.parse(JSON.stringify(told).replaceAll(prefix, "story")) as Record<Customer, unknown>
    },
  }
}
