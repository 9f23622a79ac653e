import { toleranceMillis } from "@hearth/core/entitlements"
import { describe, expect, it } from "vitest"
import { inDays, provided, subscriptionWorld } from "./world.ts"

const soon = { expiration_at_ms: inDays(1) }
const on = ["pro: on until 1"]
const off = ["pro: off until 1"]

describe("what ended without the provider saying so [E7]", () => {
  it("is inactive an hour later, with its dates, and not before", async () => {
    const { world, receive, says, rows } = await subscriptionWorld()
    await receive(provided(soon))
    await world.advance("24 hours")
    expect(await says()).toEqual(on)
    await world.advance(toleranceMillis - 1)
    expect(await says()).toEqual(on)
    await world.advance(1)
    expect(await says()).toEqual(off)
    expect(await rows()).toMatchObject([{ purchase_date: new Date(inDays(0)), raw_data: { type: "INITIAL_PURCHASE" } }])
  })

  it("is not active for segments before that either", async () => {
    const { world, projectId, receive } = await subscriptionWorld()
    const rules = { operator: "AND", conditions: [{ field: "entitlements.pro", op: "eq", value: true }] }
    const { segments } = world.core
    const { id } = await world.run(segments.create(projectId, { name: "Subscribers", description: null, rules }))
    const members = async () => {
      await world.run(segments.evaluate(projectId, id))
      await world.runPending()
      const [segment] = await world.run(world.tenants.read(projectId, (db) => db.segments.list({ id }, [])))
      return segment?.user_count
    }
    await receive(provided(soon))
    expect(await members()).toBe(1)
    world.clock.advance(24 * 3_600_000)
    expect(await members()).toBe(0)
  })

  it("stays active for that hour whatever comes meanwhile, and also where all that is known comes only then", async () => {
    const { world, receive, processAgain, says } = await subscriptionWorld()
    const bought = await receive(provided(soon))
    await world.advance("24.5 hours")
    await processAgain(bought.id)
    expect(await says()).toEqual(on)
    const late = { ...soon, transaction_id: "t2", original_transaction_id: "t2", entitlement_ids: ["late"] }
    await receive(provided({ ...late, type: "RENEWAL" }))
    expect(await says()).toEqual(["late: on until 1", ...on])
    await world.advance("30 minutes")
    expect(await says()).toEqual(["late: off until 1", ...off])
    await processAgain(bought.id)
    expect(await says()).toEqual(["late: off until 1", ...off])
  })

  it.each([
    ["refunded", { type: "CANCELLATION", cancel_reason: "CUSTOMER_SUPPORT" }],
    ["ended before its time", { type: "EXPIRATION" }],
    ["not listed any more", { type: "RENEWAL", entitlement_ids: [] }],
  ])("keeps its dates when it is processed again, beside what was %s", async (_, closing) => {
    const { world, receive, processAgain, says } = await subscriptionWorld()
    const other = { transaction_id: "t2", original_transaction_id: "t2", expiration_at_ms: inDays(3) }
    const bought = await receive(provided(soon))
    await receive(provided(other), provided({ ...other, event_timestamp_ms: inDays(0) + 1, ...closing }))
    expect(await says()).toEqual(on)
    await world.advance("25 hours")
    expect(await says()).toEqual(off)
    await processAgain(bought.id)
    expect(await says()).toEqual(off)
  })

  it("waits for the end of grace", async () => {
    const { world, receive, says } = await subscriptionWorld()
    const issue = { type: "BILLING_ISSUE", grace_period_expiration_at_ms: inDays(3) }
    await receive(provided(soon), provided({ ...soon, ...issue, event_timestamp_ms: inDays(0) }))
    await world.advance("72 hours")
    expect(await says()).toEqual(["pro: on until 3"])
    await world.advance("1 hour")
    expect(await says()).toEqual(["pro: off until 3"])
  })

  it("goes on when a renewal comes meanwhile, or later", async () => {
    const { world, receive, says } = await subscriptionWorld()
    const renewal = { type: "RENEWAL", event_timestamp_ms: inDays(1), expiration_at_ms: inDays(31) }
    await receive(provided(soon))
    await world.advance("24.5 hours")
    await receive(provided(renewal))
    await world.advance("2 hours")
    expect(await says()).toEqual(["pro: on until 31"])
    await world.advance("40 days")
    expect(await says()).toEqual(["pro: off until 31"])
    await receive(provided({ ...renewal, event_timestamp_ms: inDays(32), expiration_at_ms: inDays(62) }))
    expect(await says()).toEqual(["pro: on until 62"])
  })

  it("ends for all users, in pieces, and at the next due time of others", async () => {
    const { world, receive, addUser, read } = await subscriptionWorld()
    const count = 600
    for (let n = 0; n < count; n += 1) await addUser({ external_id: `user-${n}` })
    const events = Array.from({ length: count }, (_, n) =>
      provided({
        ...{ app_user_id: `user-${n}`, original_app_user_id: `user-${n}`, original_transaction_id: `t${n}` },
        ...{ transaction_id: `t${n}`, expiration_at_ms: inDays(n === 0 ? 2 : 1) },
      }),
    )
    await receive(...events)
    const active = async () => (await read((db) => db.entitlements.list({ is_active: true }, []))).length
    expect(await active()).toBe(count)
    await world.advance("25 hours")
    expect(await active()).toBe(1)
    await world.advance("24 hours")
    expect(await active()).toBe(0)
  })

  it("leaves rewards and grants of the same entitlement in force", async () => {
    const { world, projectId, adaId, receive, says } = await subscriptionWorld()
    await receive(provided(soon))
    const reward = { entitlements: [{ entitlement_id: "pro", days: 1 }] }
    await world.advance("2 hours")
    await world.run(world.core.rewards.give(projectId, adaId, { reward }, null))
    await world.advance("23 hours")
    expect((await says()).map((each) => each.slice(0, 7))).toEqual(["pro: on"])
  })

  it("follows the clock, forwards and backwards", async () => {
    const { world, receive, processAgain, says } = await subscriptionWorld()
    const entry = await receive(provided(soon))
    await world.advance("30 days")
    expect(await says()).toEqual(off)
    world.clock.advance("-30 days")
    await processAgain(entry.id)
    expect(await says()).toEqual(on)
    await world.advance("25 hours")
    expect(await says()).toEqual(off)
  })
})
