import type { JsonObject, Ports } from "@hearth/core"
import { memorySignatures, writeIntegration } from "@hearth/testing"
import { Effect } from "effect"
import { Base64, Hex } from "effect/encoding"
import { describe, expect, it } from "vitest"
import { withFault } from "../faults.ts"
import { webhookWorld, writeBody } from "./world.ts"

const secret = "a paywall secret"
const bytes = (text: string) => new TextEncoder().encode(text)
const sign = (text: string, key = secret) => memorySignatures.hmacSha256(bytes(key), bytes(text))

type Options = Parameters<typeof webhookWorld>[0]

/** A world with a project that takes webhooks of a paywall. */
const paywallWorld = async (signature_scheme: "hex" | "standard" = "hex", options: Options = {}) => {
  const given = await webhookWorld(options)
  const { world, projectId, read } = given
  await world.run(writeIntegration(world.ports, projectId, "paywall", { webhook_secret: secret, signature_scheme }))
  const call = (body: unknown, headers: Readonly<Record<string, string>>, core = world.core) => {
    const header = (name: string) => headers[name] ?? null
    return core.webhooks.receivePaywall({ project_id: projectId, header, body: writeBody(body) })
  }
  const textOf = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body))
  const hexHeaders = (body: unknown) => ({ "x-paywall-signature": Hex.encode(sign(textOf(body))) })
  const standardHeaders = (body: unknown, id: string) => {
    const timestamp = Math.floor(world.clock.now().getTime() / 1_000)
    const signature = `v1,${Base64.encode(sign(`${id}.${timestamp}.${textOf(body)}`))}`
    return { "svix-id": id, "svix-timestamp": `${timestamp}`, "svix-signature": signature }
  }
  const log = async () => {
    const { rows } = await read((db) => db.events.tail({ since: new Date(0), until: null }, null, 100))
    return rows.filter(({ event_name }) => event_name.startsWith("paywall_"))
  }
  return {
    ...{ ...given, call, log, hexHeaders },
    hex: (body: unknown, headers = hexHeaders(body)) => world.run(call(body, headers)),
    standard: (body: unknown, id: string) => world.run(call(body, standardHeaders(body, id))),
    refused: (body: unknown, headers: Readonly<Record<string, string>>) => world.run(Effect.flip(call(body, headers))),
    paywall: () => given.list({ provider: "paywall" }),
    standardHeaders,
  }
}

const received = { received: true }

describe("a webhook of the paywall [H3.1]", () => {
  it("becomes an event with the whole payload, and a row that is processed", async () => {
    const { world, user, hex, log, paywall } = await paywallWorld()
    const userId = await user()
    const payload = {
      ...{ event: "purchase", user_id: userId, product: "pro", price: 9.99, nested: { a: [1, null, { b: "ü" }] } },
      ...JSON.parse('{"__proto__":{"x":1},"constructor":"own","":"empty"}'),
    }
    expect(await hex(payload)).toEqual(received)
    const [event, ...others] = await log()
    expect(others).toEqual([])
    expect(event).toMatchObject({ app_user_id: userId, event_name: "paywall_purchase", occurred_at: world.clock.now() })
    const own = (value: JsonObject | undefined) => new Map(Object.entries(value ?? {}))
    expect(own(event?.properties)).toEqual(own(payload))
    expect(await paywall()).toMatchObject([
      {
        ...{ event_type: "purchase", provider_user_id: userId, app_user_id: userId, status: "processed" },
        ...{ provider_event_id: null, error: null, processed_at: world.clock.now() },
      },
    ])
  })

  it("is for the user of that id, external id or anonymous id, of this project [H2.2]", async () => {
    const { world, user, change, hex, log, paywall, read } = await paywallWorld()
    const [one, two, three] = [await user(), await user(), await user()]
    await change(two, { external_id: "customer-2" })
    await read((db) => db.users.update(three, { anonymous_id: "device-3" }))
    const foreign = await world.aSignedInUser((await world.aProjectWithOwner()).projectId)
    for (const user_id of [one.toUpperCase(), "customer-2", "device-3", foreign.userId])
      await hex({ event: "a", user_id })
    expect((await log()).map(({ app_user_id }) => app_user_id).sort()).toEqual([one, two, three].sort())
    expect((await paywall()).map(({ status }) => status)).toEqual(["unresolved", "processed", "processed", "processed"])
  })

  it("has type and data.originalAppUserId instead, by the scheme standard", async () => {
    const { user, standard, log, paywall } = await paywallWorld("standard")
    const userId = await user()
    expect(await standard({ type: "renewal", data: { id: "e1", originalAppUserId: userId } }, "m1")).toEqual(received)
    expect(await log()).toMatchObject([{ event_name: "paywall_renewal", app_user_id: userId }])
    expect(await paywall()).toMatchObject([{ provider_event_id: "m1", event_type: "renewal", status: "processed" }])
  })

  it.each([
    ["no event", { user_id: "u" }, "The body has no event."],
    ["no user_id", { event: "a" }, "The body has no user_id."],
    ["neither", {}, "The body has no event."],
    ["type instead of event, by the scheme hex", { type: "a", user_id: "u" }, "The body has no event."],
    [
      "another user instead, by the scheme hex",
      { event: "a", data: { originalAppUserId: "u" } },
      "The body has no user_id.",
    ],
  ])("is kept as ignored, and nothing else is written: %s", async (_, body, error) => {
    const { hex, log, paywall, waiting } = await paywallWorld()
    expect(await hex(body)).toEqual(received)
    expect(await paywall()).toMatchObject([{ status: "ignored", error, app_user_id: null }])
    expect([await log(), await waiting()]).toEqual([[], 0])
  })

  it("goes with the user whom it names, also where it is ignored [H2.3]", async () => {
    const { world, projectId, user, hex, paywall, replay } = await paywallWorld()
    const userId = await user()
    await hex({ user_id: userId, note: "of this user" })
    for (const { id } of await paywall()) await replay(id)
    expect(await paywall()).toMatchObject([{ status: "ignored", app_user_id: userId }])
    await world.run(world.core.users.remove(projectId, userId))
    expect(await paywall()).toEqual([])
  })

  it("of an unknown user is kept as unresolved, and becomes its event when the user appears, once", async () => {
    const { world, user, change, hex, log, paywall, entry, replay } = await paywallWorld()
    const body = { event: "purchase", user_id: "customer-1", amount: 5 }
    const at = world.clock.now()
    expect(await hex(body)).toEqual(received)
    expect(await paywall()).toMatchObject([{ status: "unresolved", error: "The project has no such user." }])
    expect(await log()).toEqual([])
    await world.runPending()
    expect(await paywall()).toMatchObject([{ status: "unresolved", provider_user_id: "customer-1" }])
    await world.advance("1 hour")
    const userId = await user()
    await change(userId, { external_id: "customer-1" })
    await world.runPending()
    const events = await log()
    expect(events).toMatchObject([
      { event_name: "paywall_purchase", app_user_id: userId, occurred_at: at, properties: body },
    ])
    const [row] = await paywall()
    expect(row).toMatchObject({ status: "processed", error: null, app_user_id: userId })
    expect(await replay(row?.id ?? "")).toMatchObject({ status: "processed" })
    expect(await log()).toEqual(events)
    expect(await entry(row?.id ?? "")).toMatchObject({ payload: body })
  })

  it("of a user who is made at the same moment is not forgotten", async () => {
    let meanwhile: (() => Promise<void>) | null = null
    const ports = ({ tenants }: Ports): Partial<Ports> => ({
      tenants: withFault(tenants, (db) => ({
        ...db,
        webhookInbox: {
          ...db.webhookInbox,
          resolve: (ids) =>
            Effect.tap(db.webhookInbox.resolve(ids), () => {
              const work = meanwhile
              meanwhile = null
              return work === null ? Effect.void : Effect.promise(work)
            }),
        },
      })),
    })
    const { world, user, change, hex, log, paywall } = await paywallWorld("hex", { ports })
    const userId = await user()
    // After it was not found, and before that is committed.
    meanwhile = async () => {
      await change(userId, { external_id: "customer-1" })
      await world.runPending()
    }
    await hex({ event: "purchase", user_id: "customer-1" })
    expect(await paywall()).toMatchObject([{ status: "unresolved" }])
    await world.runPending()
    expect(await log()).toMatchObject([{ app_user_id: userId }])
    expect(await paywall()).toMatchObject([{ status: "processed" }])
  })
})

describe("a name of an event", () => {
  it("is cut at the length that the log takes; the whole is in the inbox and the properties [H3.1]", async () => {
    const { user, hex, log, paywall } = await paywallWorld()
    const body = { event: "🦊".repeat(400), user_id: await user() }
    await hex(body)
    const [event] = await log()
    expect(event?.event_name).toBe(`paywall_${"🦊".repeat(123)}`)
    expect(event?.properties).toEqual(body)
    expect(await paywall()).toMatchObject([{ event_type: body.event }])
  })
})

describe("a duplicate writes nothing [E8, H3.1]", () => {
  it("by the id of its message, however it came", async () => {
    const { world, user, standard, log, paywall } = await paywallWorld("standard")
    const user_id = await user()
    expect(await standard({ event: "a", user_id, data: { id: "e1" } }, "m1")).toEqual(received)
    expect(await standard({ event: "b", user_id, data: { id: "e2" } }, "m1")).toEqual(received)
    await world.advance("30 days")
    expect(await standard({ event: "a", user_id }, "m1")).toEqual(received)
    expect(await log()).toMatchObject([{ event_name: "paywall_a" }])
    expect(await paywall()).toHaveLength(1)
    await standard({ event: "a", user_id }, "m2")
    expect(await log()).toHaveLength(2)
  })

  it("by data.id", async () => {
    const { world, user, hex, log, paywall } = await paywallWorld()
    const user_id = await user()
    await hex({ event: "a", user_id, data: { id: "e1" } })
    await world.advance("30 days")
    expect(await hex({ event: "b", user_id, data: { id: "e1" } })).toEqual(received)
    expect(await log()).toHaveLength(1)
    expect(await paywall()).toMatchObject([{ provider_event_id: "e1" }])
  })

  it("by its bytes within 15 minutes, and no longer", async () => {
    const { world, user, hex, log, paywall } = await paywallWorld()
    const body = { event: "a", user_id: await user() }
    await hex(body)
    await hex(body)
    await world.advance("15 minutes")
    expect(await hex(body)).toEqual(received)
    expect([(await log()).length, (await paywall()).length]).toEqual([1, 1])
    await world.advance("1 millis")
    expect(await hex(body)).toEqual(received)
    expect([(await log()).length, (await paywall()).length]).toEqual([2, 2])
    await hex(`${JSON.stringify(body)} `)
    expect(await log()).toHaveLength(3)
  })

  it("also where many come at once, over two processes", async () => {
    const { world, user, call, hexHeaders, log, paywall } = await paywallWorld()
    const other = world.otherProcess()
    const user_id = await user()
    const bodies = [
      { event: "a", user_id },
      { event: "b", user_id, data: { id: "e1" } },
      { event: "c" },
      { event: "d", user_id: "x" },
    ]
    const calls = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? world.core : other))
    await Promise.all(bodies.flatMap((body) => calls.map((core) => world.run(call(body, hexHeaders(body), core)))))
    expect((await log()).map(({ event_name }) => event_name).sort()).toEqual(["paywall_a", "paywall_b"])
    expect((await paywall()).map(({ status }) => status).sort()).toEqual([
      "ignored",
      "processed",
      "processed",
      "unresolved",
    ])
  })
})

describe("a webhook that is refused [H3.1]", () => {
  it("is refused for its project, integration, signature and body, in this order, without side effects", async () => {
    const { world, projectId, refused, hexHeaders, paywall, log } = await paywallWorld()
    const code = async (body: unknown, headers = {}) => (await refused(body, headers)).code
    for (const body of ["no JSON", "[1]", '"text"', "1", "null", ""]) {
      expect(await code(body, { "x-paywall-signature": "0".repeat(64) })).toBe("INVALID_SIGNATURE")
      expect(await code(body), body).toBe("INVALID_SIGNATURE")
      expect(await code(body, hexHeaders(body)), body).toBe("INVALID_BODY")
    }
    const other = await world.aProjectWithOwner()
    const call = (project_id: string) =>
      world.run(
        Effect.flip(world.core.webhooks.receivePaywall({ project_id, header: () => null, body: writeBody("x") })),
      )
    expect((await call("no uuid")).code).toBe("MISSING_PROJECT")
    expect((await call(other.projectId)).code).toBe("NOT_CONFIGURED")
    await world.run(writeIntegration(world.ports, projectId, "paywall", {}))
    await world.run(world.ports.revocations.announce([projectId]))
    expect((await call(projectId)).code).toBe("NOT_CONFIGURED")
    expect([await paywall(), await log()]).toEqual([[], []])
  })

  it("counts in a bucket of its own: forged ones keep nobody out [H2.1]", async () => {
    const { refused, hex, user } = await paywallWorld()
    const codes = new Set<string>()
    for (let n = 0; n < 120; n += 1) codes.add((await refused(`{"n":${n}}`, {})).code)
    expect([...codes]).toEqual(["INVALID_SIGNATURE", "RATE_LIMIT_EXCEEDED"])
    expect(await hex({ event: "a", user_id: await user() })).toEqual(received)
  })

  it("may be one that was signed in time and came back later", async () => {
    const { world, user, standardHeaders, refused, standard, log } = await paywallWorld("standard")
    const body = { event: "a", user_id: await user() }
    const headers = standardHeaders(body, "m1")
    await standard(body, "m1")
    await world.advance("301 seconds")
    expect((await refused(body, headers)).code).toBe("INVALID_SIGNATURE")
    expect(await log()).toHaveLength(1)
  })
})

describe("an event that cannot be written", () => {
  it("is answered with 200 all the same, told to operators, and written afterwards (spec: webhook rule 4)", async () => {
    let isBroken = true
    const ports = (memory: Ports): Partial<Ports> => ({
      tenants: {
        ...memory.tenants,
        transact: (projectId, work, options) =>
          memory.tenants.transact(
            projectId,
            (db) => {
              const insertCaused: typeof db.events.insertCaused = (events) =>
                isBroken ? Effect.die(new Error("canary in a message")) : db.events.insertCaused(events)
              return work({ ...db, events: { ...db.events, insertCaused } })
            },
            options,
          ),
      },
    })
    const { world, user, hex, log, paywall } = await paywallWorld("hex", { ports })
    const body: JsonObject = { event: "a", user_id: await user() }
    expect(await hex(body)).toEqual(received)
    expect(await hex(body)).toEqual(received)
    expect(await log()).toEqual([])
    expect(await paywall()).toMatchObject([{ status: "received", error: null }])
    const signals = world.signals.of("webhook_postponed")
    expect(signals).toHaveLength(1)
    expect(JSON.stringify(signals)).not.toContain("canary")
    isBroken = false
    await world.runPending()
    expect(await log()).toMatchObject([{ event_name: "paywall_a", properties: body }])
    expect(await paywall()).toMatchObject([{ status: "processed" }])
  })
})
