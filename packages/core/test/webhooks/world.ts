import type { JsonObject, TenantDb } from "@hearth/core"
import type { InboxStatus, WebhookProvider } from "@hearth/core/webhooks"
import { testWorld, writeIntegration } from "@hearth/testing"
import { Effect } from "effect"

/** The secret of the subscription provider in these worlds. */
export const secret = "a secret of a webhook"

const encoder = new TextEncoder()

/** A body as a server hands it over. */
export const writeBody = (value: unknown) => {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const json = () => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      return undefined
    }
  }
  return { bytes: encoder.encode(text), json }
}

let events = 0

/** The body of a new event. */
export const anEvent = (given: JsonObject = {}) => {
  events += 1
  return {
    api_version: "1.0",
    event: {
      ...{ id: `event-${events}`, type: "RENEWAL", environment: "PRODUCTION", event_timestamp_ms: 1.772e12 },
      ...{ app_user_id: "nobody", product_id: "monthly", entitlement_ids: ["pro"], store: "APP_STORE" },
      ...{ transaction_id: `t-${events}`, original_transaction_id: `t-${events}`, period_type: "NORMAL" },
      ...{ purchased_at_ms: 1.772e12, expiration_at_ms: 1.79e12, ...given },
    },
  }
}

/** A world with a project that takes webhooks of subscriptions. */
export const webhookWorld = async (options: Parameters<typeof testWorld>[0] = {}) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z", ...options })
  const { projectId } = await world.aProjectWithOwner()
  const configure = async (config: JsonObject = {}) => {
    await world.run(writeIntegration(world.ports, projectId, "subscription", { webhook_secret: secret, ...config }))
    await world.run(world.ports.revocations.announce([projectId]))
  }
  await configure()
  const call = (body: unknown, { authorization = `Bearer ${secret}` as string | null, project_id = projectId } = {}) =>
    world.core.webhooks.receiveSubscription({ project_id, authorization, body: writeBody(body) })
  const list = async (filter: { provider?: WebhookProvider; status?: InboxStatus } = {}) =>
    (await world.run(world.core.webhooks.inbox(projectId, { ...filter, limit: 1_000, offset: 0 }))).rows
  const read = <A>(work: (db: TenantDb) => Effect.Effect<A, unknown>) =>
    world.run(Effect.orDie(world.tenants.read(projectId, work)))
  return {
    ...{ world, projectId, configure, call, list, read },
    send: (body: unknown, more: Parameters<typeof call>[1] = {}) => world.run(call(body, more)),
    refused: (body: unknown, more: Parameters<typeof call>[1] = {}) => world.run(Effect.flip(call(body, more))),
    entry: (id: string) => world.run(world.core.webhooks.entry(projectId, id)),
    replay: (id: string) => world.run(world.core.webhooks.replay(projectId, id)),
    waiting: async () => (await read((db) => db.outbox.waiting())).entries,
    user: async () => (await world.aSignedInUser(projectId)).userId,
    change: (userId: string, changes: object) => world.run(world.core.users.change(projectId, userId, changes)),
  }
}
