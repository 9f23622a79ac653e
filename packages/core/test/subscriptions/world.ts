import type { JsonObject, TenantDb } from "@hearth/core"
import type { EntitlementSource } from "@hearth/core/entitlements"
import { makeProcessSubscription } from "@hearth/core/subscriptions"
import type { UserRow } from "@hearth/core/users"
import { makeProcessAndFinish } from "@hearth/core/webhooks"
import { anInboxRow, aUser, testWorld } from "@hearth/testing"
import { Effect, Option } from "effect"

const startAt = "2026-03-01T12:00:00.000Z"
const start = new Date(startAt).getTime()
const dayMillis = 86_400_000

/** The instant so many days after the start, in milliseconds. */
export const inDays = (days: number): number => start + days * dayMillis

let lastId = 0

/** An event of the provider: by default a purchase of `pro` for 30 days, made now. */
export const provided = (given: JsonObject = {}): JsonObject & { readonly id: string } => {
  lastId += 1
  return {
    ...{ id: `event-${lastId}`, type: "INITIAL_PURCHASE", event_timestamp_ms: inDays(0), app_user_id: "ada" },
    ...{ aliases: [], original_app_user_id: "ada", product_id: "monthly", entitlement_ids: ["pro"] },
    ...{ store: "APP_STORE", period_type: "TRIAL", environment: "PRODUCTION", price: 9.99, currency: "USD" },
    ...{ purchased_at_ms: inDays(0), expiration_at_ms: inDays(30) },
    ...{ transaction_id: "t1", original_transaction_id: "t1", ...given },
  } as JsonObject & { readonly id: string }
}

/** A project with a user whose `external_id` is `ada`. It is noon of 1 March 2026. */
export const subscriptionWorld = async () => {
  const world = testWorld({ startAt })
  const { projectId } = await world.aProjectWithOwner()
  const read = <A, E>(work: Parameters<typeof world.tenants.read<A, E>>[1]) =>
    world.run(world.tenants.read(projectId, work))
  const transact = <A, E>(work: Parameters<typeof world.tenants.transact<A, E>>[1]) =>
    world.run(world.tenants.transact(projectId, work))

  const addUser = async (given: Partial<UserRow>) => {
    const user = aUser(given)
    await transact((db) => Effect.orDie(db.users.insert(user)))
    return user.id
  }
  const adaId = await addUser({ external_id: "ada" })

  /** The entry of a webhook that came in and was processed. */
  const entry = (id: string) => read((db) => Effect.map(db.webhookInbox.find(id), Option.getOrThrow))

  return {
    world,
    projectId,
    adaId,
    addUser,
    read,
    transact,
    entry,
    /** Takes webhooks with these events in, processes them, and answers the last one as it is then. */
    receive: async (...events: ReadonlyArray<JsonObject & { readonly id: string }>) => {
      const rows = events.map((event) =>
        anInboxRow({
          ...{ provider_event_id: event.id, event_type: String(event["type"]), received_at: world.clock.now() },
          payload: { api_version: "1.0", event },
        }),
      )
      for (const row of rows) {
        await world.run(world.core.background.markPending(projectId))
        await transact((db) => db.webhookInbox.take(row))
      }
      await world.runPending()
      const last = rows.at(-1)
      if (last === undefined) throw new Error("No event was given.")
      return entry(last.id)
    },
    /** Processes an entry again, as a replay does. */
    processAgain: async (id: string) => {
      const { clock, ids } = world.ports
      const subscription = makeProcessSubscription({ clock, ids })
      const process = makeProcessAndFinish<TenantDb>({ clock }, { subscription, paywall: subscription })
      const before = await entry(id)
      await world.run(world.core.background.transact(projectId, (db) => process(db, before), { alone: true }))
      await world.runPending()
      return entry(id)
    },
    /** The entitlements of a user as they are stored. */
    rows: (app_user_id = adaId) => read((db) => db.entitlements.list({ app_user_id }, [["entitlement_id", "asc"]])),
    sources: (source: EntitlementSource["source"], app_user_id = adaId) =>
      read((db) => db.entitlementSources.list({ app_user_id, source }, [["entitlement_id", "asc"]])),
    /** The entitlements of a user, as `pro: on until day 30`. */
    says: async (app_user_id = adaId) => {
      const rows = await read((db) => db.entitlements.list({ app_user_id }, [["entitlement_id", "asc"]]))
      return rows.map(({ entitlement_id, is_active, expiration_date }) => {
        const end = expiration_date === null ? "for ever" : `until ${(expiration_date.getTime() - start) / dayMillis}`
        return `${entitlement_id}: ${is_active ? "on" : "off"} ${end}`
      })
    },
    /** The events of a user, the newest first. */
    logged: async (app_user_id = adaId) =>
      (await read((db) => db.events.pageOfUser(app_user_id, { limit: 100, offset: 0 }))).rows,
  }
}
