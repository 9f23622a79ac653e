import { anInboxRow } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { anEvent, secret, webhookWorld } from "./world.ts"

const received = { received: true }

describe("a webhook of the subscription provider", () => {
  it("is stored before it is answered, and processed afterwards [H2.1]", async () => {
    const { world, send, list, waiting, user } = await webhookWorld()
    const app_user_id = await user()
    await world.runPending()
    expect(await send(anEvent({ id: "e1", app_user_id }))).toEqual(received)
    const entry = {
      ...{ provider: "subscription", provider_event_id: "e1", event_type: "RENEWAL", provider_user_id: app_user_id },
      ...{ error: null, received_at: new Date("2026-03-01T12:00:00Z") },
    }
    expect(await list()).toMatchObject([{ ...entry, status: "received", app_user_id: null, processed_at: null }])
    expect(await waiting()).toBe(1)
    await world.runPending()
    expect(await list()).toMatchObject([
      { ...entry, status: "processed", app_user_id, processed_at: new Date("2026-03-01T12:00:00Z") },
    ])
    expect(await waiting()).toBe(0)
  })

  it("is written once: the same event again is answered, and neither written nor processed [H2.1]", async () => {
    const { world, send, list, waiting } = await webhookWorld()
    await send(anEvent({ id: "e1", first: true }))
    await world.runPending()
    const before = await list()
    expect(await send(anEvent({ id: "e1", first: false }))).toEqual(received)
    expect(await waiting()).toBe(0)
    expect(await list()).toEqual(before)
    await Promise.all(Array.from({ length: 10 }, () => send(anEvent({ id: "e2" }))))
    expect(await waiting()).toBe(1)
    expect(await list()).toHaveLength(2)
  })

  it.each<[string, string | null]>([
    ["none", null],
    ["empty", ""],
    ["another", "Bearer another secret of a webhook"],
    ["a part of it", `Bearer ${secret.slice(0, -1)}`],
    ["more than it", `Bearer ${secret}x`],
    ["another case", `Bearer ${secret.toUpperCase()}`],
    ["without the scheme", secret],
    ["of another scheme", `Basic ${secret}`],
    ["only the scheme", "Bearer"],
    ["twice", `Bearer ${secret}, Bearer ${secret}`],
  ])("is refused with a secret that is %s, before its body is looked at [H2.1]", async (_, authorization) => {
    const { refused, list } = await webhookWorld()
    expect(await refused("no JSON", { authorization })).toMatchObject({ code: "INVALID_SIGNATURE" })
    expect(await list()).toEqual([])
  })

  it("has its secret after the scheme, in any case", async () => {
    const { send } = await webhookWorld()
    for (const scheme of ["Bearer", "bearer", "BEARER "])
      expect(await send(anEvent(), { authorization: `${scheme} ${secret}` })).toEqual(received)
  })

  it.each<[string, unknown, object]>([
    ["is no JSON", "{", { provider_event_id: null, event_type: null, error: expect.stringContaining("not JSON") }],
    ["is empty", "", { error: expect.stringContaining("not JSON") }],
    ["is no object", [1], { error: "The body is not a JSON object." }],
    ["has no event", { a: 1 }, { error: "The body has no event." }],
    ["has no event.id", { event: { type: "RENEWAL" } }, { provider_event_id: null, event_type: "RENEWAL" }],
    ["has no event.type", { event: { id: "e1" } }, { provider_event_id: "e1", event_type: null }],
    [
      "has an event.id that is too long",
      { event: { id: "x".repeat(256), type: "RENEWAL" } },
      { provider_event_id: null },
    ],
  ])("whose body %s is answered and kept as ignored, with why [H2.1]", async (_, body, expected) => {
    const { world, send, list, entry, waiting } = await webhookWorld()
    expect(await send(body)).toEqual(received)
    const [row] = await list()
    expect(row).toMatchObject({ status: "ignored", error: expect.stringMatching(/\.$/), ...expected })
    expect(row?.processed_at).toEqual(row?.received_at)
    expect(await waiting()).toBe(0)
    const shown = (await entry(row?.id ?? "")).payload
    expect(shown).toEqual(
      typeof body === "object" && !Array.isArray(body) ? body : typeof body === "string" ? body : "[1]",
    )
    await world.runPending()
    expect(await list()).toEqual([row])
  })

  it("that is no text is shown as far as it can be", async () => {
    const { world, projectId, list, entry } = await webhookWorld()
    const bytes = Uint8Array.from([0x00, 0xff, 0x41, 0xed, 0xa0, 0x80, ...new Uint8Array(20_000).fill(0x42)])
    const webhook = { project_id: projectId, authorization: `Bearer ${secret}`, body: { bytes, json: () => undefined } }
    await world.run(world.core.webhooks.receiveSubscription(webhook))
    const [row] = await list()
    const { payload } = await entry(row?.id ?? "")
    expect(payload).toMatch(/^\uFFFD\uFFFDA\uFFFD+B+$/)
    expect(payload).toHaveLength(4_096)
  })

  it("without an id is kept once, and only the newest 1,000 are, each only in part", async () => {
    const { world, projectId, send, list, entry, read } = await webhookWorld()
    for (const _ of [1, 2]) await send({ no: "event" })
    expect(await list()).toHaveLength(1)
    await send({ no: "event", more: "x".repeat(20_000) })
    const [large] = await list()
    expect((await entry(large?.id ?? "")).payload).toBe(
      JSON.stringify({ no: "event", more: "x".repeat(20_000) }).slice(0, 4_096),
    )
    await send(anEvent({ id: "e1" }))
    const old = { provider_event_id: null, status: "ignored" } as const
    const before = Array.from({ length: 1_000 }, () => anInboxRow(old))
    await world.run(world.tenants.transact(projectId, (db) => Effect.forEach(before, db.webhookInbox.take)))
    await send({ no: "event", another: true })
    const page = await read((db) =>
      db.webhookInbox.page({ provider: null, status: "ignored" }, { limit: 2_000, offset: 0 }),
    )
    expect(page.total).toBe(1_000)
    expect((await entry(page.rows[0]?.id ?? "")).payload).toEqual({ no: "event", another: true })
    expect(page.rows.map(({ id }) => id)).toContain(large?.id)
    expect(page.rows.map(({ id }) => id)).not.toContain(before[0]?.id)
  })

  it("of the sandbox is ignored, unless the integration accepts it [H2.1]", async () => {
    const { world, send, list, configure, waiting } = await webhookWorld()
    await send(anEvent({ id: "e1", environment: "SANDBOX" }))
    expect(await list()).toMatchObject([
      { provider_event_id: "e1", event_type: "RENEWAL", status: "ignored", error: expect.stringContaining("sandbox") },
    ])
    expect(await waiting()).toBe(0)
    await configure({ accept_sandbox: true })
    await send(anEvent({ id: "e2", environment: "SANDBOX" }))
    await world.runPending()
    expect((await list()).map(({ status }) => status)).toEqual(["unresolved", "ignored"])
  })

  it("is stored and answered also when the queue is down, and processed by the poll [H2.1]", async () => {
    let isDown = false
    const { world, send, list } = await webhookWorld({
      ports: ({ workflows }) => ({
        workflows: {
          ...workflows,
          start: (...input) => (isDown ? Effect.die(new Error("The queue is down.")) : workflows.start(...input)),
        },
      }),
    })
    isDown = true
    expect(await send(anEvent())).toEqual(received)
    expect(await list()).toMatchObject([{ status: "received" }])
    await world.run(world.core.background.poll)
    expect(await list()).toMatchObject([{ status: "unresolved" }])
  })

  it("fails where it cannot be stored, so that it is sent again", async () => {
    const { world, projectId, refused, send, list } = await webhookWorld()
    world.tenants.unreachable(projectId, true)
    expect(await refused(anEvent({ id: "e1" }))).toMatchObject({ code: "TENANT_UNAVAILABLE" })
    world.tenants.unreachable(projectId, false)
    await send(anEvent({ id: "e1" }))
    expect(await list()).toHaveLength(1)
  })

  it("of a project that is gone is not configured", async () => {
    const { world, projectId, refused } = await webhookWorld()
    const { ownerId } = await world.aProjectWithOwner()
    expect(ownerId).not.toBe("")
    expect(await refused(anEvent(), { project_id: "019b76da-a800-7000-8000-00000000ffff" })).toMatchObject({
      code: "NOT_CONFIGURED",
    })
    await world.run(world.ports.control.transact((db) => db.projects.remove({ id: projectId })))
    await world.run(world.ports.revocations.announce([projectId]))
    expect(await refused(anEvent())).toMatchObject({ code: "NOT_CONFIGURED" })
  })
})
