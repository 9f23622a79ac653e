import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { subscriptionSamples } from "../../../testing/src/subscriptions/samples.ts"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { configure, readInbox, send } from "../webhooks/client.ts"

const day = 86_400_000

interface Held {
  readonly entitlement_id: string
  readonly is_active: boolean
  readonly expiration_date: string | null
}

describe("what users buy, from the outside [H2.2]", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    await configure(server, project)
  })
  afterAll(harness.clear)

  /** A webhook about a user, who bought `pro` for 30 days. */
  const receive = async (userId: string, type: string, given: object = {}) => {
    const event = {
      ...{ id: randomUUID(), type, event_timestamp_ms: Date.now(), app_user_id: userId, environment: "PRODUCTION" },
      ...{ product_id: "monthly", entitlement_ids: ["pro"], store: "PLAY_STORE", period_type: "INTRO", price: 4.99 },
      ...{ purchased_at_ms: Date.now(), expiration_at_ms: Date.now() + 30 * day, currency: "EUR" },
      ...{ transaction_id: `t-${userId}`, original_transaction_id: `t-${userId}`, ...given },
    }
    await send(server, project, { api_version: "1.0", event })
    const find = async () =>
      (await readInbox(server, project)).find(({ provider_event_id }) => provider_event_id === event.id)?.status
    await expect.poll(find).not.toBe("received")
    return find()
  }
  const own = async (as: Parameters<typeof server.api.ok>[2]) =>
    (await server.api.ok<{ entitlements: ReadonlyArray<Held> }>("GET", "/client/users/me", as)).entitlements
  const shown = async (userId: string) =>
    (
      await server.api.ok<{ entitlements: ReadonlyArray<Held> }>(
        "GET",
        `${project.admin}/users/${userId}`,
        project.owner.as,
      )
    ).entitlements
  const grant = (userId: string, body: object) =>
    server.api.ok<object>("POST", `${project.admin}/users/${userId}/entitlements`, project.owner.as, body)

  it("is shown to the user and to developers, and asked for by segments", async () => {
    const user = await aUser(server.api, project)
    expect(await receive(user.id, "INITIAL_PURCHASE")).toBe("processed")
    const expected = [{ entitlement_id: "pro", is_active: true }]
    expect([await own(user.as), await shown(user.id)]).toMatchObject([expected, expected])
    const rules = { operator: "AND", conditions: [{ field: "entitlements.pro", op: "eq", value: true }] }
    const { id } = await server.api.ok<{ id: string }>("POST", `${project.admin}/segments`, project.owner.as, {
      ...{ name: "Subscribers", rules },
    })
    const explain = () =>
      server.api.ok<{ matches: boolean }>(
        ...(["GET", `${project.admin}/segments/${id}/explain/${user.id}`, project.owner.as] as const),
      )
    expect((await explain()).matches).toBe(true)
    await receive(user.id, "CANCELLATION", { cancel_reason: "CUSTOMER_SUPPORT", price: -4.99 })
    expect(await own(user.as)).toMatchObject([{ entitlement_id: "pro", is_active: false }])
    expect((await explain()).matches).toBe(false)
  })

  it("is answered as a whole by the next grant, in lower case, with what the provider sent [H2.2]", async () => {
    const user = await aUser(server.api, project)
    await receive(user.id, "INITIAL_PURCHASE")
    const expiration_date = new Date(Date.now() + day).toISOString()
    expect(await grant(user.id, { entitlement_id: "pro", expiration_date })).toMatchObject({
      ...{ is_active: true, store: "play_store", period_type: "intro", product_id: "monthly" },
      raw_data: { store: "PLAY_STORE", period_type: "INTRO" },
    })
    expect(await grant(user.id, { entitlement_id: "pro", is_active: false })).toMatchObject({ is_active: false })
    await receive(user.id, "RENEWAL")
    expect(await own(user.as)).toMatchObject([{ is_active: false }])
  })

  it("is kept for a user who comes later [H2.2]", async () => {
    const external = randomUUID()
    expect(await receive(external, "INITIAL_PURCHASE")).toBe("unresolved")
    const user = await aUser(server.api, project)
    await server.api.ok("PATCH", `${project.admin}/users/${user.id}`, project.owner.as, { external_id: external })
    await expect.poll(() => own(user.as)).toMatchObject([{ entitlement_id: "pro", is_active: true }])
  })

  it("is that of the user who signs in after buying, as soon as an event says so [H2.2]", async () => {
    const [user, device] = [await aUser(server.api, project), `$RCAnonymousID:${randomUUID()}`]
    const bought = { aliases: [device], original_app_user_id: device, original_transaction_id: device }
    expect(await receive(device, "INITIAL_PURCHASE", bought)).toBe("unresolved")
    const signedIn = { ...bought, aliases: [device, user.id], cancel_reason: "UNSUBSCRIBE" }
    expect(await receive(user.id, "CANCELLATION", signedIn)).toBe("processed")
    expect(await own(user.as)).toMatchObject([{ entitlement_id: "pro", is_active: true }])
    const readPurchase = async () =>
      (await readInbox(server, project)).filter((row) => "provider_user_id" in row && row.provider_user_id === device)
    await expect.poll(readPurchase).toMatchObject([{ status: "processed", app_user_id: user.id }])
    const events = await server.api.ok<ReadonlyArray<{ event_name: string }>>(
      ...(["GET", `${project.admin}/events?user_id=${user.id}`, project.owner.as] as const),
    )
    const names = events.map(({ event_name }) => event_name).filter((name) => name.startsWith("subscription_"))
    expect(names.toSorted()).toEqual(["subscription_cancellation", "subscription_initial_purchase"])
    const stranger = await aUser(server.api, project)
    expect(await receive(stranger.id, "PRODUCT_CHANGE", { aliases: [device] })).toBe("processed")
    expect([await own(user.as), await own(stranger.as)]).toMatchObject([[{ is_active: true }], []])
  })

  it("moves to another user [E7]", async () => {
    const [ada, bob] = [await aUser(server.api, project), await aUser(server.api, project)]
    await receive(ada.id, "INITIAL_PURCHASE")
    await receive("", "TRANSFER", { app_user_id: undefined, transferred_from: [ada.id], transferred_to: [bob.id] })
    expect([await own(ada.as), await own(bob.as)]).toMatchObject([[{ is_active: false }], [{ is_active: true }]])
    await server.api.ok("DELETE", "/client/users/me", ada.as)
    await receive(ada.id, "BILLING_ISSUE", { grace_period_expiration_at_ms: Date.now() + 40 * day })
    expect(await own(bob.as)).toMatchObject([{ is_active: true }])
  })

  it("all samples are taken in and come to what docs/subscriptions.md says", async () => {
    const user = await aUser(server.api, project)
    const statuses = new Map<string, string | undefined>()
    for (const [name, event] of subscriptionSamples) {
      const about = "app_user_id" in event ? { app_user_id: user.id } : { transferred_to: [user.id] }
      statuses.set(
        name,
        await receive(user.id, String(event["type"]), { ...event, ...about, id: `${name}-${user.id}` }),
      )
    }
    const ignored = ["invoice-issuance", "experiment-enrollment", "virtual-currency-transaction"]
    expect(Object.fromEntries(statuses)).toEqual(
      Object.fromEntries(
        [...subscriptionSamples.keys()].map((name) => [name, ignored.includes(name) ? "ignored" : "processed"]),
      ),
    )
    const reader = (await own(user.as)).find(({ entitlement_id }) => entitlement_id === "reader")
    expect(reader).toMatchObject({ is_active: false, expiration_date: "2026-02-04T08:30:00.000Z" })
    expect(server.errors()).not.toContain("processing_failed")
  })
})
