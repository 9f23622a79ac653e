import { anId, anInboxRow, aUser, type TestWorld } from "@hearth/testing"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { fault, withFault } from "../faults.ts"
import { anEvent, webhookWorld } from "./world.ts"

/** A world whose processing dies while `broken` is armed. */
const brokenWorld = async () => {
  const broken = fault()
  const made = await webhookWorld({
    ports: ({ tenants }) => ({
      tenants: withFault(tenants, (db) => ({
        ...db,
        outbox: db.outbox,
        deadLetters: db.deadLetters,
        webhookInbox: {
          ...db.webhookInbox,
          resolve: (ids) =>
            broken.shouldFail() ? Effect.die(new Error("A defect with a secret.")) : db.webhookInbox.resolve(ids),
        },
      })) as TestWorld["tenants"],
    }),
  })
  return { ...made, broken }
}

describe("the inbox [H2.3]", () => {
  it("lists the newest first, by provider and status, and shows one with its payload", async () => {
    const { world, projectId, send, list, entry, user } = await webhookWorld()
    const app_user_id = await user()
    const event = anEvent({ id: "e1", app_user_id })
    await send(event)
    await world.advance("1 second")
    await send(anEvent({ id: "e2", app_user_id: "nobody" }))
    await send({ no: "event" })
    await world.runPending()
    const ids = async (filter: Parameters<typeof list>[0]) => (await list(filter)).map((row) => row.provider_event_id)
    expect(await ids({})).toEqual([null, "e2", "e1"])
    expect(await ids({ status: "processed" })).toEqual(["e1"])
    expect(await ids({ status: "unresolved", provider: "subscription" })).toEqual(["e2"])
    expect(await ids({ status: "ignored" })).toEqual([null])
    expect(await ids({ provider: "paywall" })).toEqual([])
    const [, , row] = await list()
    expect(row).not.toHaveProperty("payload")
    expect(await entry(row?.id ?? "")).toEqual({ ...row, payload: event })
    const missing = await world.run(Effect.flip(world.core.webhooks.entry(projectId, anId())))
    expect(missing).toMatchObject({ code: "NOT_FOUND" })
    expect(await world.run(Effect.flip(world.core.webhooks.replay(projectId, anId())))).toMatchObject({
      code: "NOT_FOUND",
    })
  })

  it("replays what was processed with the same result, and nothing doubled", async () => {
    const { world, send, list, entry, replay, waiting, user } = await webhookWorld()
    await send(anEvent({ app_user_id: await user() }))
    await world.runPending()
    const [row] = await list()
    await world.advance("1 minute")
    const replayed = await replay(row?.id ?? "")
    expect(replayed).toEqual({
      ...(await entry(row?.id ?? "")),
      ...row,
      processed_at: new Date("2026-03-01T12:01:00Z"),
    })
    expect(await list()).toHaveLength(1)
    expect(await waiting()).toBe(0)
  })

  it("replays what was not processed yet at once, and what waits does nothing more", async () => {
    const { world, send, list, replay, user } = await webhookWorld()
    await send(anEvent({ app_user_id: await user() }))
    const [row] = await list()
    const replayed = await replay(row?.id ?? "")
    expect(replayed).toMatchObject({ status: "processed" })
    await world.advance("1 minute")
    expect((await list())[0]?.processed_at).toEqual(replayed.processed_at)
  })

  it("replays what is unresolved, and finds a user who is there by now", async () => {
    const { world, send, list, replay, read } = await webhookWorld()
    await send(anEvent({ app_user_id: "customer 7" }))
    await world.runPending()
    const [row] = await list()
    expect(row).toMatchObject({ status: "unresolved", app_user_id: null, error: expect.stringMatching(/\.$/) })
    expect(await replay(row?.id ?? "")).toMatchObject({ status: "unresolved" })
    const user = aUser({ external_id: "customer 7" })
    await read((db) => db.users.insert(user))
    await world.advance("1 minute")
    expect(await list()).toMatchObject([{ status: "unresolved" }])
    expect(await replay(row?.id ?? "")).toMatchObject({ status: "processed", app_user_id: user.id, error: null })
  })

  it("judges what was ignored as of the sandbox by what is accepted today", async () => {
    const { send, list, replay, configure, user } = await webhookWorld()
    const app_user_id = await user()
    await send(anEvent({ app_user_id, environment: "SANDBOX" }))
    const [before] = await list()
    expect(await replay(before?.id ?? "")).toMatchObject(before ?? {})
    await configure({ accept_sandbox: true })
    expect(await replay(before?.id ?? "")).toMatchObject({ status: "processed", error: null, app_user_id })
    await configure({ accept_sandbox: false })
    expect(await replay(before?.id ?? "")).toMatchObject({ status: "processed", app_user_id })
  })

  it("replays what can be nobody's event unchanged", async () => {
    const { send, list, replay } = await webhookWorld()
    await send("no JSON")
    const [before] = await list()
    expect(await replay(before?.id ?? "")).toEqual({ ...before, payload: "no JSON" })
  })

  it("shows what died of a defect as failed, without the defect; a replay heals it", async () => {
    const { world, projectId, send, list, replay, broken, waiting, user } = await brokenWorld()
    const app_user_id = await user()
    broken.arm(1_000)
    await send(anEvent({ id: "e1", app_user_id }))
    await send({ event: { id: "e2", type: "TEST" } })
    await world.runPending()
    expect(await waiting()).toBe(0)
    const [, row] = await list()
    expect(row).toMatchObject({
      ...{ provider_event_id: "e1", status: "failed", app_user_id: null },
      ...{ error: expect.stringMatching(/^Processing it failed unexpectedly/), processed_at: world.clock.now() },
    })
    expect(await list({ status: "failed" })).toEqual([row])
    const died = await world.run(Effect.exit(world.core.webhooks.replay(projectId, row?.id ?? "")))
    expect(Exit.hasDies(died)).toBe(true)
    expect(await list({ status: "failed" })).toEqual([row])
    broken.arm(0)
    expect(await replay(row?.id ?? "")).toMatchObject({ status: "processed", error: null, app_user_id })
    const healed = (await list())[1]
    await world.advance("20 minutes")
    expect((await list())[1]).toEqual(healed)
  })

  it("shows what was tried again by itself as processed", async () => {
    const { world, send, list, broken, user } = await brokenWorld()
    broken.arm(2)
    await send(anEvent({ app_user_id: await user() }))
    await world.runPending()
    expect(await list()).toMatchObject([{ status: "failed" }])
    await world.advance("1 minute")
    expect(await list()).toMatchObject([{ status: "processed", error: null }])
  })

  it("forgets what passes after 90 days, in pieces, and keeps the source of the fold", async () => {
    const { world, projectId, send, list } = await webhookWorld()
    const passing = { status: "ignored", received_at: new Date("2026-03-01T12:00:00Z") } as const
    const rows = Array.from({ length: 1_500 }, () => anInboxRow(passing))
    await world.run(world.tenants.transact(projectId, (db) => Effect.forEach(rows, db.webhookInbox.take)))
    await send(anEvent({ id: "kept" }))
    await send(anEvent({ id: "sandbox", environment: "SANDBOX" }))
    await world.advance("89 days")
    await world.advance("23 hours")
    expect(await list()).toHaveLength(1_000)
    await world.advance("1 hour")
    expect((await list()).map((row) => row.provider_event_id)).toEqual(["kept"])
  })
})

describe("a user whom webhooks name", () => {
  it("is found once the developer says who that is, and only then [H2.2]", async () => {
    const { world, send, list, change, user, waiting } = await webhookWorld()
    await send(anEvent({ id: "e1", app_user_id: "$RCAnonymousID:1", aliases: ["customer 7"] }))
    await send(anEvent({ id: "e2", app_user_id: "customer 8" }))
    await world.runPending()
    const [ada, bob] = [await user(), await user()]
    await world.runPending()
    expect((await list()).map(({ status }) => status)).toEqual(["unresolved", "unresolved"])
    await change(ada, { external_id: "customer 7" })
    await world.runPending()
    const found = async () => Object.fromEntries((await list()).map((row) => [row.provider_event_id, row.app_user_id]))
    expect(await found()).toEqual({ e1: ada, e2: null })
    await change(ada, { external_id: null })
    await change(bob, { external_id: "customer 7" })
    await world.advance("1 minute")
    expect(await found()).toEqual({ e1: ada, e2: null })
    await change(bob, { external_id: "customer 7" })
    expect(await waiting()).toBe(0)
  })

  it("is found however many name them, each on its own", async () => {
    const { world, projectId, change, user, read } = await webhookWorld()
    const ada = await user()
    await world.run(
      world.tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          for (let n = 0; n < 1_050; n += 1) {
            const row = anInboxRow({ status: "unresolved", payload: { event: { app_user_id: "customer 7" } } })
            yield* db.webhookInbox.take(row)
            const outcome = {
              status: "unresolved",
              error: "Nobody.",
              user_ids: [],
              processed_at: world.clock.now(),
            } as const
            yield* db.webhookInbox.finish(row.id, { ...outcome, waits_for: ["customer 7"] })
          }
        }),
      ),
    )
    await change(ada, { external_id: "customer 7" })
    for (let run = 0; run < 30; run += 1) await world.run(world.core.background.process(projectId))
    const left = await read((db) =>
      db.webhookInbox.page({ provider: null, status: "unresolved" }, { limit: 1, offset: 0 }),
    )
    expect(left.total).toBe(0)
  })

  it("takes what concerns nobody else with them [H2.3]", async () => {
    const { world, projectId, send, list, user } = await webhookWorld()
    const [ada, bob] = [await user(), await user()]
    await send(anEvent({ id: "own", app_user_id: ada }))
    await send(anEvent({ id: "shared", type: "TRANSFER", transferred_to: [ada], transferred_from: [bob] }))
    await send(anEvent({ id: "other", app_user_id: bob }))
    await world.runPending()
    await world.run(world.core.users.remove(projectId, ada))
    expect((await list()).map((row) => [row.provider_event_id, row.app_user_id])).toEqual([
      ["other", bob],
      ["shared", bob],
    ])
    await world.run(world.core.users.remove(projectId, ada))
    await world.run(world.core.users.remove(projectId, bob))
    expect(await list()).toEqual([])
  })

  it("takes what changed nothing with them, too: of the sandbox, tests, what is ignored and what failed [H2.3]", async () => {
    const { world, projectId, send, list, user, change, replay } = await webhookWorld()
    const [ada, bob] = [await user(), await user()]
    await change(ada, { external_id: "customer-1" })
    const about = (id: string, given: object) => anEvent({ id, app_user_id: "customer-1", ...given })
    await send(about("sandbox", { environment: "SANDBOX" }))
    await send(about("test", { type: "TEST" }))
    await send(about("type", { type: "INVOICE_ISSUANCE" }))
    await send(about("failed", { expiration_at_ms: "soon" }))
    await send({ event: { app_user_id: "customer-1" } })
    await send(about("both", { environment: "SANDBOX", aliases: [bob] }))
    await send(about("nobody", { environment: "SANDBOX", app_user_id: "nobody" }))
    await world.runPending()
    const named = async () => (await list()).map(({ provider_event_id: id, app_user_id }) => [id, app_user_id])
    const before = await named()
    expect(new Map(before.map(([id, app_user_id]) => [id, app_user_id]))).toEqual(
      new Map([
        ["sandbox", ada],
        ["test", ada],
        ["type", ada],
        ["failed", ada],
        [null, ada],
        ["both", ada],
        ["nobody", null],
      ]),
    )
    // Who was found once stays, whose id it is by now.
    await change(ada, { external_id: null })
    for (const { id, provider_event_id } of await list()) if (provider_event_id !== "nobody") await replay(id)
    expect(await named()).toEqual(before)
    await world.run(world.core.users.remove(projectId, ada))
    expect(new Map((await named()).map(([id, app_user_id]) => [id, app_user_id]))).toEqual(
      new Map([
        ["both", bob],
        ["nobody", null],
      ]),
    )
  })

  it("takes what had come in and was not processed with them, too [H2.3]", async () => {
    const { world, projectId, send, list, user, change } = await webhookWorld()
    const [ada, bob] = [await user(), await user()]
    await change(ada, { external_id: "customer-1" })
    await world.runPending()
    await send(anEvent({ id: "by id", app_user_id: ada }))
    await send(anEvent({ id: "by external id", app_user_id: "customer-1", aliases: ["unknown"] }))
    await send(anEvent({ id: "both", app_user_id: ada, aliases: [bob] }))
    await send(anEvent({ id: "test", type: "TEST", app_user_id: ada }))
    await send(anEvent({ id: "failed", expiration_at_ms: "soon", app_user_id: ada }))
    await send(anEvent({ id: "type", type: "INVOICE_ISSUANCE", app_user_id: "customer-1" }))
    await send(anEvent({ id: "nobody", app_user_id: "nobody" }))
    await world.run(world.core.users.remove(projectId, ada))
    await send(anEvent({ id: "later", app_user_id: ada }))
    await world.runPending()
    expect((await list()).map((row) => [row.provider_event_id, row.status, row.app_user_id])).toEqual([
      ["later", "unresolved", null],
      ["nobody", "unresolved", null],
      ["both", "processed", bob],
    ])
  })

  it("keeps what waits for an id that somebody else has by then", async () => {
    const { world, projectId, send, list, user, change } = await webhookWorld()
    const [ada, bob] = [await user(), await user()]
    await change(ada, { external_id: "customer-1" })
    await world.runPending()
    await send(anEvent({ id: "own", app_user_id: "customer-1" }))
    await world.run(world.core.users.remove(projectId, ada))
    await change(bob, { external_id: "customer-1" })
    await world.runPending()
    expect(await list()).toMatchObject([{ provider_event_id: "own", status: "processed", app_user_id: bob }])
  })

  it("is forgotten in pieces where webhooks are many, also when the process dies between", async () => {
    const { world, projectId, user, read } = await webhookWorld()
    const ada = await user()
    const outcome = { status: "processed", error: null, waits_for: [], processed_at: world.clock.now() } as const
    await world.run(
      world.tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          for (let n = 0; n < 1_200; n += 1) {
            const row = anInboxRow({ status: "processed" })
            yield* db.webhookInbox.take(row)
            yield* db.webhookInbox.finish(row.id, { ...outcome, user_ids: [ada] })
          }
        }),
      ),
    )
    const total = async () =>
      (await read((db) => db.webhookInbox.page({ provider: null, status: null }, { limit: 1, offset: 0 }))).total
    await world.run(world.core.users.remove(projectId, ada))
    expect(await total()).toBe(200)
    await world.runPending()
    expect(await total()).toBe(0)
  })
})
