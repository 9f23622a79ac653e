import type { TenantDb } from "@hearth/core"
import { makeProcessSubscription, makeUserKey, type SubscriptionEventWrite } from "@hearth/core/subscriptions"
import { makeProcessAndFinish } from "@hearth/core/webhooks"
import { aFoldedEvent, anInboxRow } from "@hearth/testing"
import { Effect, Option } from "effect"
import { describe, expect, it, test } from "vitest"
import { inDays, provided, subscriptionWorld } from "./world.ts"

const on = ["pro: on until 30"]
const off = ["pro: off until 30"]
const transfer = (from: ReadonlyArray<string>, to: ReadonlyArray<string>, days = 1) =>
  provided({
    ...{ type: "TRANSFER", event_timestamp_ms: inDays(days), transferred_from: [...from], transferred_to: [...to] },
    ...{ app_user_id: null, original_app_user_id: null, product_id: null, entitlement_ids: null },
  })

describe("an event becomes an entitlement", () => {
  it("with store and period in lower case, and what the provider sent in raw_data [H2.2]", async () => {
    const { receive, rows, adaId } = await subscriptionWorld()
    const event = provided()
    const entry = await receive(event)
    expect(entry).toMatchObject({ status: "processed", error: null, app_user_id: adaId })
    expect(await rows()).toEqual([
      {
        ...{ id: expect.any(String), app_user_id: adaId, entitlement_id: "pro", is_active: true },
        ...{ store: "app_store", product_id: "monthly", period_type: "trial", raw_data: event },
        ...{ purchase_date: new Date(inDays(0)), expiration_date: new Date(inDays(30)) },
        updated_at: expect.any(Date),
      },
    ])
  })

  it("keeps little of an event that is very long [H2.2]", async () => {
    const { receive, rows } = await subscriptionWorld()
    const subscriber_attributes = { $email: { value: "x".repeat(100_000) } }
    await receive(provided({ subscriber_attributes, metadata: { long: "x".repeat(100_000) } }))
    const [row] = await rows()
    expect(row?.raw_data).toMatchObject({ type: "INITIAL_PURCHASE", store: "APP_STORE", period_type: "TRIAL" })
    expect(JSON.stringify(row?.raw_data).length).toBeLessThan(1_000)
  })

  it("with the end of grace as its end, which apps compare with [E7]", async () => {
    const { receive, says } = await subscriptionWorld()
    const issue = { type: "BILLING_ISSUE", event_timestamp_ms: inDays(0), grace_period_expiration_at_ms: inDays(46) }
    await receive(provided(), provided(issue))
    expect(await says()).toEqual(["pro: on until 46"])
  })

  it("once, however often the webhook is processed [H2.3, H2.4]", async () => {
    const { receive, processAgain, rows, sources, logged, world } = await subscriptionWorld()
    const entry = await receive(provided())
    const before = [await rows(), await sources("provider"), await logged()]
    world.clock.advance("1 minute")
    expect(await processAgain(entry.id)).toEqual({ ...entry, processed_at: world.clock.now() })
    expect([await rows(), await sources("provider"), await logged()]).toEqual(before)
  })
})

describe("users are looked up", () => {
  test.each<[string, Record<string, unknown>]>([
    ["by app_user_id", { app_user_id: "bob", aliases: ["ada"], original_app_user_id: "ada" }],
    [
      "by aliases, in their order",
      { app_user_id: "nobody", aliases: ["no one", "bob", "ada"], original_app_user_id: "ada" },
    ],
    ["by original_app_user_id", { app_user_id: "nobody", aliases: [], original_app_user_id: "bob" }],
  ])("%s [H2.2]", async (_, given) => {
    const { receive, addUser, says } = await subscriptionWorld()
    const bobId = await addUser({ external_id: "bob" })
    expect((await receive(provided(given as never))).app_user_id).toBe(bobId)
    expect([await says(bobId), await says()]).toEqual([on, []])
  })

  it("as id, then external_id, then anonymous_id [H2.2]", async () => {
    const { receive, addUser, adaId, says } = await subscriptionWorld()
    const byExternal = await addUser({ external_id: "$RCAnonymousID:1" })
    const byAnonymous = await addUser({ anonymous_id: "anon_1" })
    const impostor = await addUser({ external_id: adaId, anonymous_id: "$RCAnonymousID:1x" })
    await receive(provided({ app_user_id: adaId.toUpperCase() }))
    await receive(provided({ app_user_id: "$RCAnonymousID:1", transaction_id: "t2", original_transaction_id: "t2" }))
    await receive(provided({ app_user_id: "anon_1", transaction_id: "t3", original_transaction_id: "t3" }))
    expect(await Promise.all([adaId, byExternal, byAnonymous, impostor].map((id) => says(id)))).toEqual([
      on,
      on,
      on,
      [],
    ])
  })

  it("once: an id that is somebody else's later changes nothing [H2.2]", async () => {
    const { receive, processAgain, addUser, transact, adaId, says } = await subscriptionWorld()
    const entry = await receive(provided())
    await transact((db) => db.users.update(adaId, { external_id: null }))
    const otherId = await addUser({ external_id: "ada" })
    expect((await processAgain(entry.id)).app_user_id).toBe(adaId)
    expect([await says(), await says(otherId)]).toEqual([on, []])
  })

  it("again while nobody was found [H2.2]", async () => {
    const { receive, processAgain, addUser, says, logged } = await subscriptionWorld()
    const entry = await receive(provided({ app_user_id: "bob", original_app_user_id: "bob" }))
    expect(entry).toMatchObject({ status: "unresolved", app_user_id: null, error: "No user has one of its ids." })
    const bobId = await addUser({ external_id: "bob" })
    expect(await processAgain(entry.id)).toMatchObject({ status: "processed", app_user_id: bobId, error: null })
    expect(await says(bobId)).toEqual(on)
    expect((await logged(bobId)).map(({ event_name }) => event_name)).toEqual(["subscription_initial_purchase"])
  })

  it("once more where the one who was found is removed meanwhile, and goes with them [H2.3]", async () => {
    const { world, projectId, read, transact, adaId } = await subscriptionWorld()
    const event = provided()
    const row = anInboxRow({ provider_event_id: event.id, payload: { event } })
    await transact((db) => db.webhookInbox.take(row))
    const { clock, ids } = world.ports
    const subscription = makeProcessSubscription({ clock, ids })
    const process = makeProcessAndFinish<TenantDb>({ clock }, { subscription, paywall: subscription })
    // Once the user was found, and before they are locked.
    const removing = (db: TenantDb): TenantDb => ({
      ...db,
      webhookInbox: {
        ...db.webhookInbox,
        resolve: (given) =>
          Effect.tap(db.webhookInbox.resolve(given), () =>
            Effect.promise(() => world.run(world.core.users.remove(projectId, adaId))),
          ),
      },
    })
    const find = () => read((db) => Effect.map(db.webhookInbox.find(row.id), Option.getOrNull))
    const before = await find()
    if (before === null) throw new Error("The webhook was not taken in.")
    await transact((db) => process(removing(db), before))
    expect(await find()).toMatchObject({ status: "unresolved", app_user_id: null })
    await world.runPending()
    expect(await find()).toBeNull()
  })
})

describe("transfers [E7]", () => {
  it("take from one and give to the other, who is the user of the entry and has the event [H2.4]", async () => {
    const { receive, addUser, says, logged, adaId, read } = await subscriptionWorld()
    const bobId = await addUser({ external_id: "bob" })
    await receive(provided())
    const entry = await receive(transfer(["ada"], ["bob"]))
    expect(entry).toMatchObject({ status: "processed", app_user_id: bobId })
    expect(await read((db) => db.webhookInbox.usersOf([entry.id]))).toEqual(new Map([[entry.id, [bobId, adaId]]]))
    expect([await says(), await says(bobId)]).toEqual([off, on])
    const names = async (id: string) => (await logged(id)).map(({ event_name }) => event_name)
    expect([await names(adaId), await names(bobId)]).toEqual([
      ["subscription_initial_purchase"],
      ["subscription_transfer"],
    ])
  })

  it("give what somebody has bought who was never known", async () => {
    const { receive, says } = await subscriptionWorld()
    const ghost = { app_user_id: "ghost", original_app_user_id: "ghost" }
    expect((await receive(provided(ghost))).status).toBe("unresolved")
    await receive(transfer(["ghost"], ["ada"]))
    expect(await says()).toEqual(on)
    await receive(provided({ ...ghost, type: "EXPIRATION", event_timestamp_ms: inDays(2) }))
    expect(await says()).toEqual(off)
  })

  it("to somebody who is not known take at once, and give when that one appears", async () => {
    const { receive, processAgain, addUser, says } = await subscriptionWorld()
    await receive(provided())
    const entry = await receive(transfer(["ada"], ["bob"]))
    expect(entry.status).toBe("unresolved")
    expect(await says()).toEqual(off)
    const bobId = await addUser({ anonymous_id: "bob" })
    expect((await processAgain(entry.id)).status).toBe("processed")
    expect([await says(), await says(bobId)]).toEqual([off, on])
  })

  it("give what was bought by somebody who is removed", async () => {
    const { world, projectId, receive, addUser, adaId, says } = await subscriptionWorld()
    const bobId = await addUser({ external_id: "bob" })
    await receive(provided(), transfer(["ada"], ["bob"]))
    await world.run(world.tenants.transact(projectId, (db) => db.webhookInbox.forgetUser(adaId, 100)))
    await world.run(world.tenants.transact(projectId, (db) => db.users.remove({ id: adaId })))
    await receive(
      provided({
        ...{ type: "CANCELLATION", event_timestamp_ms: inDays(2) },
        cancel_reason: "UNSUBSCRIBE",
        app_user_id: "bob",
      }),
    )
    expect(await says(bobId)).toEqual(on)
  })

  it("are followed by renewals that name who gave, also once that user is removed", async () => {
    const { world, projectId, receive, addUser, adaId, says, rows } = await subscriptionWorld()
    const [bobId, eveId] = [await addUser({ external_id: "bob" }), await addUser({ external_id: "eve" })]
    await receive(provided(), transfer(["ada"], ["bob"]))
    const renewal = (days: number, given = {}) =>
      provided({
        ...{ type: "RENEWAL", event_timestamp_ms: inDays(days), transaction_id: `t${days}` },
        ...{ purchased_at_ms: inDays(days), expiration_at_ms: inDays(days + 30), ...given },
      })
    await receive(renewal(30))
    expect(await says(bobId)).toEqual(["pro: on until 60"])
    await world.run(world.tenants.transact(projectId, (db) => db.webhookInbox.forgetUser(adaId, 100)))
    await world.run(world.tenants.transact(projectId, (db) => db.users.remove({ id: adaId })))
    const entry = await receive(renewal(60))
    expect(entry).toMatchObject({ status: "unresolved" })
    expect([await says(bobId), await rows(adaId)]).toEqual([["pro: on until 90"], []])
    // Another subscription of nobody is nobody's.
    await receive(renewal(61, { original_transaction_id: "other" }))
    expect([await says(bobId), await says(eveId)]).toEqual([["pro: on until 90"], []])
  })

  it("that come late undo what was given meanwhile", async () => {
    const { receive, addUser, says } = await subscriptionWorld()
    const [bobId, cydId] = [await addUser({ external_id: "bob" }), await addUser({ external_id: "cyd" })]
    await receive(provided(), transfer(["ada"], ["bob"], 5))
    expect(await says(bobId)).toEqual(on)
    await receive(transfer(["ada"], ["cyd"], 3))
    expect([await says(), await says(bobId), await says(cydId)]).toEqual([off, [], on])
  })
})

describe("events of the log [H2.4]", () => {
  it("say what was bought, when the provider says", async () => {
    const { receive, logged, adaId } = await subscriptionWorld()
    await receive(provided({ type: "RENEWAL", event_timestamp_ms: inDays(-1) }))
    expect(await logged()).toEqual([
      {
        ...{ id: expect.any(String), app_user_id: adaId, event_name: "subscription_renewal" },
        properties: {
          ...{ product_id: "monthly", entitlement_ids: ["pro"], store: "app_store", period_type: "trial" },
          ...{ price: 9.99, currency: "USD" },
        },
        occurred_at: new Date(inDays(-1)),
      },
    ])
  })

  it("happen when the webhook came, where the provider's clock is more than a day ahead", async () => {
    const { receive, logged } = await subscriptionWorld()
    await receive(provided({ event_timestamp_ms: inDays(1) }))
    await receive(
      provided({
        type: "TRANSFER",
        event_timestamp_ms: 78_789_789_798_798,
        transferred_from: ["x"],
        transferred_to: ["ada"],
      }),
    )
    const times = (await logged()).map(({ event_name, occurred_at }) => [event_name, occurred_at.getTime()])
    expect(Object.fromEntries(times)).toEqual({
      subscription_initial_purchase: inDays(1),
      subscription_transfer: inDays(0),
    })
  })

  test.each(["PRODUCT_CHANGE", "SUBSCRIPTION_PAUSED", "TEMPORARY_ENTITLEMENT_GRANT"])(
    "are written for %s",
    async (type) => {
      const { receive, logged } = await subscriptionWorld()
      expect((await receive(provided({ type }))).status).toBe("processed")
      expect((await logged()).map(({ event_name }) => event_name)).toEqual([`subscription_${type.toLowerCase()}`])
    },
  )
})

test.each<[string, Record<string, unknown>, string]>([
  ["a type that means nothing here", { type: "EXPERIMENT_ENROLLMENT" }, "ignored"],
  ["a type that nobody knows", { type: "SOMETHING_NEW" }, "ignored"],
  ["a test of the dashboard", { type: "TEST", app_user_id: "nobody" }, "processed"],
  ["an end that is none", { expiration_at_ms: "never" }, "failed"],
])("%s changes nothing [H2.3]", async (_, given, status) => {
  const { receive, rows, logged } = await subscriptionWorld()
  const entry = await receive(provided(given as never))
  expect(entry.status).toBe(status)
  expect(entry.error === null).toBe(status === "processed")
  expect([await rows(), await logged()]).toEqual([[], []])
})

it("does not work out a story that is too long, and goes on with others [E7]", async () => {
  const { receive, transact, adaId, addUser, says } = await subscriptionWorld()
  const bobId = await addUser({ external_id: "bob" })
  const events = Array.from({ length: 5_000 }, (): SubscriptionEventWrite => {
    const row = anInboxRow()
    return {
      event: aFoldedEvent({ entry_id: row.id, owner: makeUserKey(adaId) }),
      keys: [makeUserKey(adaId)],
      raw: null,
    }
  })
  await transact((db) =>
    Effect.gen(function* () {
      for (const { event } of events)
        yield* db.webhookInbox.take(anInboxRow({ id: event.entry_id, status: "processed" }))
      yield* db.subscriptionEvents.save(events)
    }),
  )
  const entry = await receive(provided())
  expect(entry).toMatchObject({ status: "failed", error: "More than 5000 events are connected with this one." })
  await receive(provided({ app_user_id: "bob", transaction_id: "t2", original_transaction_id: "t2" }))
  expect(await says(bobId)).toEqual(on)
})
