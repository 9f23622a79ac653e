import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Row {
  readonly id: string
}

describe("purchases, inventory and rewards, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let storeId: string

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    await admin("POST", "/currencies", { code: "GOLD", name: "Gold", initial_balance: 100 })
    storeId = (await admin<Row>("POST", "/stores", { name: "Store" })).data.id
  })
  afterAll(harness.clear)

  const admin = <Data = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => server.api.call<Data>(method, `${project.admin}${path}`, { ...project.owner.as, ...headers }, body)
  const client = <Data = Record<string, unknown>>(user: TestUser, method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `/client${path}`, user.as, body)
  const user = () => aUser(server.api, project)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const offer = async (fields: object = {}, listed: object = {}, store = storeId) => {
    const item = { key: randomUUID(), name: "Sword", prices: { GOLD: 40 }, ...fields }
    const itemId = (await admin<Row>("POST", "/catalog/items", item)).data.id
    const listing = await admin<Row>("POST", `/stores/${store}/listings`, { catalog_item_id: itemId, ...listed })
    return { itemId, listingId: listing.data.id, key: item.key }
  }
  const buy = (buyer: TestUser, listingId: string, body: unknown = { currency_code: "GOLD" }, store = storeId) =>
    client(buyer, "POST", `/stores/${store}/listings/${listingId}/purchase`, body)
  const consume = (owner: TestUser, itemId: string, body?: unknown) =>
    client(owner, "POST", `/inventory/${itemId}/consume`, body)

  it.each([
    ["a body that is a list", []],
    ["no currency", {}],
    ["a currency that is no text", { currency_code: 1 }],
    ["a currency that is null", { currency_code: null }],
    ["an empty key", { currency_code: "GOLD", idempotency_key: "" }],
    ["a key of 256 characters", { currency_code: "GOLD", idempotency_key: "k".repeat(256) }],
    ["a key that is no text", { currency_code: "GOLD", idempotency_key: 1 }],
  ])("refuses a purchase with %s", async (_, body) => {
    const { listingId } = await offer()
    expect(brief(await buy(await user(), listingId, body))).toEqual([400, "INVALID_INPUT"])
  })

  it("answers every refusal of a purchase with its code [G6.5]", async () => {
    const buyer = await user()
    const { listingId } = await offer()
    for (const id of [randomUUID(), "nothing"]) {
      expect(brief(await buy(buyer, id))).toEqual([404, "NOT_FOUND"])
      expect(brief(await buy(buyer, listingId, { currency_code: "GOLD" }, id))).toEqual([404, "NOT_FOUND"])
    }
    const segment = await admin<Row>("POST", "/segments", {
      ...{ name: "Nobody", rules: { operator: "AND", conditions: [{ field: "email", op: "eq", value: "nobody" }] } },
    })
    const inner = (await admin<Row>("POST", "/stores", { name: "Inner", segment_id: segment.data.id })).data.id
    const secret = await offer({}, {}, inner)
    const there = { currency_code: "GOLD" }
    expect(brief(await buy(buyer, secret.listingId, there, inner))).toEqual([403, "NOT_ELIGIBLE"])
    await admin("DELETE", `/segments/${segment.data.id}`)
    expect(brief(await buy(buyer, secret.listingId, there, inner))).toEqual([403, "NOT_ELIGIBLE"])
    const later = await offer({}, { available_from: "2999-01-01T00:00:00Z" })
    expect(brief(await buy(buyer, later.listingId))).toEqual([409, "NOT_AVAILABLE"])
    const inactive = await offer({ is_active: false })
    expect(brief(await buy(buyer, inactive.listingId))).toEqual([409, "NOT_AVAILABLE"])
    for (const currency_code of ["WOOD", "gold", ""])
      expect(brief(await buy(buyer, listingId, { currency_code }))).toEqual([400, "CURRENCY_NOT_ACCEPTED"])
    const once = await offer({}, { max_purchases_per_user: 1 })
    expect((await buy(buyer, once.listingId)).status).toBe(201)
    expect(brief(await buy(buyer, once.listingId))).toEqual([409, "PURCHASE_LIMIT_REACHED"])
    const dear = await offer({ prices: { GOLD: 60.0001 } })
    expect(brief(await buy(buyer, dear.listingId))).toEqual([409, "INSUFFICIENT_BALANCE"])
    await admin("PATCH", `/stores/${storeId}`, { is_active: false })
    expect(brief(await buy(buyer, listingId))).toEqual([409, "NOT_AVAILABLE"])
    expect(brief(await client(buyer, "GET", `/stores/${storeId}/listings`))).toEqual([404, "NOT_FOUND"])
    await admin("PATCH", `/stores/${storeId}`, { is_active: true })
    expect(brief(await buy({ ...buyer, as: project.app }, listingId))).toEqual([401, "UNAUTHORIZED"])
  })

  it("answers a purchase exactly, and the same again under its key [G6.5]", async () => {
    const buyer = await user()
    const { itemId, listingId } = await offer({ contents: { currencies: { GOLD: 0.5 }, xp: 3 } })
    const request = { currency_code: "GOLD", idempotency_key: "k".repeat(255) }
    const first = await buy(buyer, listingId, request)
    expect([first.status, first.data]).toEqual([
      201,
      {
        purchase: {
          ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), listing_id: listingId, catalog_item_id: itemId },
          ...{ currency_code: "GOLD", price: 40, created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
        },
        balance: 60.5,
        reward: { currencies: { GOLD: 0.5 }, xp: 3, skipped: [] },
      },
    ])
    await admin("PATCH", `/catalog/items/${itemId}`, { is_active: false })
    const again = await buy(buyer, listingId, request)
    expect([again.status, again.text]).toEqual([201, first.text])
    const other = await offer()
    expect(brief(await buy(buyer, other.listingId, request))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    expect((await buy(await user(), other.listingId, request)).status).toBe(201)
    const keyed = { ...buyer, as: { ...buyer.as, "idempotency-key": request.idempotency_key } }
    expect((await buy(keyed, listingId, { currency_code: "GOLD" })).text).toBe(first.text)
  })

  it("answers the balance of the wallet, also where numbers are further apart than decimals [G6.5, G4.2]", async () => {
    await admin("POST", "/currencies", { code: "BIG", name: "Big" })
    const { listingId } = await offer({ prices: { BIG: 0.0001 }, contents: { currencies: { BIG: 0.0001 } } })
    const buyer = await user()
    const grant = (amount: number) =>
      admin("POST", "/currencies/grant", { app_user_id: buyer.id, currency_code: "BIG", amount })
    await grant(600_000_000_000)
    for (let times = 0; times < 6; times += 1) {
      await grant(0.0001)
      const { data } = await buy(buyer, listingId, { currency_code: "BIG" })
      const own = await client<ReadonlyArray<{ code: string; balance: number }>>(buyer, "GET", "/currencies")
      expect(data["balance"]).toBe(own.data.find(({ code }) => code === "BIG")?.balance)
    }
  })

  it("is not to be had for less by many calls at once [G6.5, E5]", async () => {
    const buyer = await user()
    const { itemId, listingId } = await offer({}, { max_purchases_per_user: 1 })
    const limited = await Promise.all(Array.from({ length: 20 }, () => buy(buyer, listingId)))
    expect(limited.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
    // 60 are left: for one of 40.
    const dear = await offer()
    const paid = await Promise.all(Array.from({ length: 20 }, () => buy(buyer, dear.listingId)))
    expect(paid.map(({ code }) => code ?? "ok").sort()).toEqual([...Array(19).fill("INSUFFICIENT_BALANCE"), "ok"])
    const owned = await client<ReadonlyArray<{ catalog_item_id: string; quantity: number }>>(buyer, "GET", "/inventory")
    expect(new Map(owned.data.map((row) => [row.catalog_item_id, row.quantity]))).toEqual(
      new Map([
        [itemId, 1],
        [dear.itemId, 1],
      ]),
    )
  })

  it.each([
    ["0", { quantity: 0 }],
    ["less than nothing", { quantity: -1 }],
    ["half of one", { quantity: 0.5 }],
    ["more than 31 bits", { quantity: 2_147_483_648 }],
    ["no number", { quantity: "1" }],
    ["null", { quantity: null }],
    ["an empty key", { idempotency_key: "" }],
  ])("refuses to use up %s [G6.6]", async (_, body) => {
    const { itemId } = await offer()
    expect(brief(await consume(await user(), itemId, body))).toEqual([400, "INVALID_INPUT"])
  })

  it("uses items up, one where no quantity is named [G6.6]", async () => {
    const owner = await user()
    const { itemId, key, listingId } = await offer({ prices: { GOLD: 1 }, item_type: "food" })
    expect(brief(await consume(owner, itemId))).toEqual([404, "NOT_FOUND"])
    for (let n = 0; n < 3; n += 1) await buy(owner, listingId)
    const row = { catalog_item_id: itemId, key, name: "Sword", icon_url: null, item_type: "food" }
    const acquired_at = expect.stringMatching(/Z$/)
    const first = { ...owner, as: { ...owner.as, "idempotency-key": "first" } }
    for (const used of [await consume(first, itemId), await consume(first, itemId)])
      expect([used.status, used.data]).toEqual([200, { ...row, acquired_at, quantity: 2 }])
    expect(brief(await consume(owner, itemId, { quantity: 3 }))).toEqual([409, "INSUFFICIENT_QUANTITY"])
    expect(brief(await admin("DELETE", `/catalog/items/${itemId}`))).toEqual([409, "ITEM_IN_USE"])
    const last = { quantity: 2, idempotency_key: "last" }
    expect((await consume(owner, itemId, last)).data).toMatchObject({ quantity: 0 })
    expect((await consume(owner, itemId, last)).data).toMatchObject({ quantity: 0 })
    const keyed = { ...owner, as: { ...owner.as, "idempotency-key": "last" } }
    expect((await consume(keyed, itemId, { quantity: 2 })).data).toMatchObject({ quantity: 0 })
    expect(brief(await consume(owner, itemId, { ...last, quantity: 1 }))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    for (const id of [itemId, randomUUID(), "nothing"])
      expect(brief(await consume(owner, id))).toEqual([404, "NOT_FOUND"])
    expect((await client(owner, "GET", "/inventory")).data).toEqual([])
    expect((await admin("DELETE", `/catalog/items/${itemId}`)).status).toBe(200)
    const [consumed] = (await admin<ReadonlyArray<object>>("GET", `/users/${owner.id}/events`)).data
    expect(consumed).toMatchObject({
      event_name: "item_consumed",
      properties: { catalog_item_id: itemId, key, quantity: 2 },
    })
  })

  it("shows what a user owns and has bought to developers [G6.6]", async () => {
    const owner = await user()
    for (const path of ["inventory", "purchases"]) {
      expect(JSON.parse((await admin("GET", `/users/${owner.id}/${path}`)).text)).toEqual({
        ...{ data: [], total: 0, offset: 0, limit: 50 },
      })
      expect(brief(await admin("GET", `/users/${randomUUID()}/${path}`))).toEqual([404, "USER_NOT_FOUND"])
      expect(brief(await admin("GET", `/users/nobody/${path}`))).toEqual([404, "NOT_FOUND"])
      expect(brief(await admin("GET", `/users/${owner.id}/${path}?limit=0`))).toEqual([400, "INVALID_LIMIT"])
    }
    const { listingId } = await offer({ prices: { GOLD: 1 } })
    const [first, second] = [await buy(owner, listingId), await buy(owner, listingId)]
    const bought = await admin<ReadonlyArray<Row>>("GET", `/users/${owner.id}/purchases`)
    const ids = [second, first].map(({ data }) => (data["purchase"] as Row).id)
    expect(bought.data.map(({ id }) => id)).toEqual(ids)
    const page = await admin<ReadonlyArray<Row>>("GET", `/users/${owner.id}/purchases?limit=1&offset=1`)
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(1))
    const file = await fetch(`${server.url}/v1${project.admin}/users/${owner.id}/export`, { headers: project.owner.as })
    const sections = (await file.text()).split("\n").filter((line) => /"section":"(inventory|purchases)"/.test(line))
    expect(sections).toHaveLength(3)
  })

  it.each([
    ["no reward", {}, "INVALID_INPUT"],
    ["a reward that is null", { reward: null }, "INVALID_REWARD"],
    ["an empty reward [G5.2]", { reward: {} }, "INVALID_REWARD"],
    ["an unknown currency [G5.2]", { reward: { currencies: { WOOD: 1 } } }, "INVALID_REWARD"],
    ["an unknown item [G5.2]", { reward: { items: [{ key: "nothing", quantity: 1 }] } }, "INVALID_REWARD"],
    ["0 of a currency", { reward: { currencies: { GOLD: 0 } } }, "INVALID_REWARD"],
    ["5 decimals", { reward: { currencies: { GOLD: 0.00001 } } }, "INVALID_REWARD"],
    ["too much XP", { reward: { xp: 1_000_000_001 } }, "INVALID_REWARD"],
    ["too many days", { reward: { entitlements: [{ entitlement_id: "p", days: 36_501 }] } }, "INVALID_REWARD"],
    ["a reason that is no text", { reward: { xp: 1 }, reason: 1 }, "INVALID_INPUT"],
    ["no body", undefined, "INVALID_INPUT"],
  ])("refuses to give %s", async (_, body, code) => {
    const { id } = await user()
    expect(brief(await admin("POST", `/users/${id}/rewards`, body))).toEqual([400, code])
  })

  it("gives a reward by hand, once under a key [G5.2]", async () => {
    const { id } = await user()
    const entitlements = [{ entitlement_id: "pro", days: null }]
    const body = { reward: { currencies: { GOLD: 5 }, xp: 7, entitlements }, reason: "sorry" }
    const key = { "idempotency-key": "k" }
    const first = await admin("POST", `/users/${id}/rewards`, body, key)
    expect([first.status, first.data]).toEqual([
      201,
      { reward: { currencies: { GOLD: 5 }, xp: 7, entitlements, skipped: [] } },
    ])
    expect((await admin("POST", `/users/${id}/rewards`, body, key)).text).toBe(first.text)
    const more = { reward: { xp: 8 } }
    expect(brief(await admin("POST", `/users/${id}/rewards`, more, key))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    expect(brief(await admin("POST", `/users/${randomUUID()}/rewards`, body))).toEqual([404, "USER_NOT_FOUND"])
    expect(brief(await admin("POST", "/users/nobody/rewards", body))).toEqual([404, "NOT_FOUND"])
    const seen = await admin<{ entitlements: unknown }>("GET", `/users/${id}`)
    expect(seen.data.entitlements).toMatchObject([{ entitlement_id: "pro", is_active: true, expiration_date: null }])
  })
})
