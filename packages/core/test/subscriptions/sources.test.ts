import { EntitlementGrant } from "@hearth/core/entitlements"
import { anEntitlement } from "@hearth/testing"
import { Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { inDays, provided, subscriptionWorld } from "./world.ts"

const decode = Schema.decodeUnknownSync(EntitlementGrant)

const setUp = async () => {
  const base = await subscriptionWorld()
  const { world, projectId, adaId } = base
  return {
    ...base,
    grant: (body: object) =>
      world.run(world.core.entitlements.grant(projectId, adaId, decode({ entitlement_id: "pro", ...body }))),
    reward: (days: number | null) =>
      world.run(
        world.core.rewards.give(
          projectId,
          adaId,
          { reward: { entitlements: [{ entitlement_id: "pro", days }] } },
          null,
        ),
      ),
  }
}
const until = (days: number) => new Date(inDays(days)).toISOString()
const ended = (days: number) => provided({ type: "EXPIRATION", event_timestamp_ms: inDays(days) })
const refund = () =>
  provided({
    ...{ type: "CANCELLATION", event_timestamp_ms: inDays(1) },
    cancel_reason: "CUSTOMER_SUPPORT",
    price: -9.99,
  })

describe("what is bought beside what developers grant [E7]", () => {
  it("counts while it lasts longer, and ends without the grant", async () => {
    const { grant, receive, says, rows } = await setUp()
    await grant({ expiration_date: until(20), store: "web" })
    await receive(provided())
    expect(await says()).toEqual(["pro: on until 30"])
    await receive(refund())
    expect(await says()).toEqual(["pro: on until 20"])
    expect(await rows()).toMatchObject([{ store: "web", raw_data: {} }])
  })

  it("does not shorten a grant", async () => {
    const { grant, receive, says } = await setUp()
    await receive(provided())
    await grant({ expiration_date: until(90) })
    await receive(ended(1))
    expect(await says()).toEqual(["pro: on until 90"])
  })

  it("does not lift a denial; the next grant does", async () => {
    const { grant, receive, says } = await setUp()
    await grant({ is_active: false })
    await receive(provided())
    expect(await says()).toEqual(["pro: off for ever"])
    await receive(provided({ type: "RENEWAL", event_timestamp_ms: inDays(1), expiration_at_ms: inDays(60) }))
    expect(await says()).toEqual(["pro: off for ever"])
    await grant({ is_active: true, expiration_date: until(10) })
    expect(await says()).toEqual(["pro: on until 60"])
  })

  it("keeps in a first grant what that does not name", async () => {
    const { grant, receive, rows, sources } = await setUp()
    await receive(provided())
    const bought = (await rows())[0]
    expect(bought).toMatchObject({ is_active: true, expiration_date: new Date(inDays(30)) })
    expect(await grant({ is_active: false })).toMatchObject({ created: false, row: { ...bought, is_active: false } })
    expect(await grant({})).toMatchObject({ created: false, row: bought })
    expect(await grant({ product_id: null, store: "web" })).toMatchObject({
      row: { ...bought, product_id: null, store: "web" },
    })
    expect(await sources("admin")).toMatchObject([{ product_id: null, expiration_date: new Date(inDays(30)) }])
    await receive(refund())
    expect((await rows())[0]).toMatchObject({ is_active: true, expiration_date: new Date(inDays(30)) })
  })

  it("gives access in a first grant after the end", async () => {
    const { world, grant, receive, says } = await setUp()
    await receive(provided(), ended(30))
    await world.advance("31 days")
    expect(await says()).toEqual(["pro: off until 30"])
    expect(await grant({})).toMatchObject({ row: { is_active: true, product_id: expect.any(String) } })
    expect(await says()).toEqual(["pro: on for ever"])
  })

  it("leaves a grant that is not of the provider alone", async () => {
    const { grant, receive, rows } = await setUp()
    const { row } = await grant({ entitlement_id: "beta" })
    await receive(provided())
    expect((await rows())[0]).toEqual(row)
  })

  it("keeps what a server of the release before has granted meanwhile", async () => {
    const { receive, transact, says, rows, adaId } = await setUp()
    await transact((db) =>
      Effect.orDie(db.entitlements.insert(anEntitlement({ app_user_id: adaId, entitlement_id: "pro", store: "web" }))),
    )
    await receive(provided(), refund())
    expect(await says()).toEqual(["pro: on for ever"])
    expect(await rows()).toMatchObject([{ store: "web" }])
  })
})

describe("what is bought beside rewards [G5.1]", () => {
  it("counts where it lasts as long or longer, and the reward after it", async () => {
    const { reward, receive, says, sources } = await setUp()
    await reward(10)
    await receive(provided())
    expect(await says()).toEqual(["pro: on until 30"])
    await receive(refund())
    expect(await says()).toEqual(["pro: on until 10"])
    await reward(5)
    expect(await says()).toEqual(["pro: on until 15"])
    expect(await sources("provider")).toMatchObject([{ is_active: false, expiration_date: new Date(inDays(30)) }])
  })
})

describe("what developers grant beside rewards [E7, G5.1]", () => {
  it("lasts as long as the reward where it does not say how long", async () => {
    const { grant, reward, says } = await setUp()
    await reward(7)
    await grant({ is_active: false })
    expect(await says()).toEqual(["pro: off until 7"])
    await grant({})
    expect(await says()).toEqual(["pro: on until 7"])
    await grant({ expiration_date: null })
    expect(await says()).toEqual(["pro: on for ever"])
  })
})

describe("what is not bought any more [E7]", () => {
  it("is inactive, with its dates", async () => {
    const { receive, rows } = await setUp()
    await receive(provided({ entitlement_ids: ["pro", "plus"] }))
    await receive(provided({ type: "RENEWAL", event_timestamp_ms: inDays(0.5), entitlement_ids: ["plus"] }))
    expect(await rows()).toMatchObject([
      { entitlement_id: "plus", is_active: true },
      { entitlement_id: "pro", is_active: false, expiration_date: new Date(inDays(30)) },
    ])
  })
})
