import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Row {
  readonly id: string
}

describe("the catalog and stores, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let storeId: string

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    await admin("POST", "/currencies", { code: "GOLD", name: "Gold" })
    storeId = (await admin<Row>("POST", "/stores", { name: "Store" })).data.id
  })
  afterAll(harness.clear)

  const admin = <Data = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const item = (fields: object = {}) => ({ key: randomUUID(), name: "Sword", ...fields })
  const anItem = async (fields: object = {}) => (await admin<Row>("POST", "/catalog/items", item(fields))).data.id
  const listings = (id = storeId) => `/stores/${id}/listings`
  const aListing = async (fields: object = {}) =>
    (await admin<Row>("POST", listings(), { catalog_item_id: await anItem(), ...fields })).data.id
  const missing = [404, "NOT_FOUND"]

  const badItems: ReadonlyArray<[what: string, fields: object, code: string]> = [
    ["an empty key", { key: "" }, "INVALID_INPUT"],
    ["a key of 256 characters", { key: "k".repeat(256) }, "INVALID_INPUT"],
    ["a key that is no text", { key: 1 }, "INVALID_INPUT"],
    ["an empty name", { name: "" }, "INVALID_INPUT"],
    ["a name that is null", { name: null }, "INVALID_INPUT"],
    ["a description that is no text", { description: 1 }, "INVALID_INPUT"],
    ["an empty icon_url", { icon_url: "" }, "INVALID_INPUT"],
    ["an item_type that is no text", { item_type: [] }, "INVALID_INPUT"],
    ["metadata that is null", { metadata: null }, "INVALID_INPUT"],
    ["metadata that is a list", { metadata: [] }, "INVALID_INPUT"],
    ["is_active that is null", { is_active: null }, "INVALID_INPUT"],
    ["prices that are a list", { prices: [] }, "INVALID_INPUT"],
    ["prices that are null", { prices: null }, "INVALID_INPUT"],
    ["a price for what can be no currency", { prices: { gold: 1 } }, "INVALID_INPUT"],
    ["a price for an empty code", { prices: { "": 1 } }, "INVALID_INPUT"],
    ["a price of 0", { prices: { GOLD: 0 } }, "INVALID_AMOUNT"],
    ["a negative price", { prices: { GOLD: -1 } }, "INVALID_AMOUNT"],
    ["a price of 5 decimals", { prices: { GOLD: 0.00001 } }, "INVALID_AMOUNT"],
    ["a price over 900,000,000,000", { prices: { GOLD: 900_000_000_001 } }, "INVALID_AMOUNT"],
    ["a price that is text", { prices: { GOLD: "5" } }, "INVALID_AMOUNT"],
    ["a price that is null", { prices: { GOLD: null } }, "INVALID_AMOUNT"],
    ["contents that are no object", { contents: 5 }, "INVALID_REWARD"],
    ["contents that are a list", { contents: [] }, "INVALID_REWARD"],
    ["contents with 0 XP", { contents: { xp: 0 } }, "INVALID_REWARD"],
    ["contents with an unknown currency", { contents: { currencies: { WOOD: 1 } } }, "INVALID_REWARD"],
    ["contents with an unknown item", { contents: { items: [{ key: "nothing", quantity: 1 }] } }, "INVALID_REWARD"],
    [
      "contents with half a day",
      { contents: { entitlements: [{ entitlement_id: "p", days: 0.5 }] } },
      "INVALID_REWARD",
    ],
  ]
  it.each(badItems)("refuses an item with %s, and a change to it [G6.1, G5.1]", async (_, fields, code) => {
    expect(brief(await admin("POST", "/catalog/items", item(fields)))).toEqual([400, code])
    const id = await anItem()
    expect(brief(await admin("PATCH", `/catalog/items/${id}`, fields))).toEqual([400, code])
  })

  it.each([
    ["prices.GOLD", "/catalog/items", item({ prices: { GOLD: 0 } })],
    ["contents", "/catalog/items", item({ contents: 5 })],
    ["contents.xp", "/catalog/items", item({ contents: { xp: 0 } })],
    ["contents.currencies.WOOD", "/catalog/items", item({ contents: { currencies: { WOOD: 1 } } })],
    ["reward.xp", `/users/${randomUUID()}/rewards`, { reward: { xp: 0 } }],
  ])("names %s by its whole path [A5]", async (path, route, body) => {
    const { text } = await admin("POST", route, body)
    expect(JSON.parse(text).error.details).toMatchObject({ issues: [{ path }] })
  })

  it("needs a key and a name for an item, and has defaults for the rest [G6.1]", async () => {
    for (const body of [{}, { key: "a" }, { name: "a" }, undefined, []])
      expect(brief(await admin("POST", "/catalog/items", body))).toEqual([400, "INVALID_INPUT"])
    const given = item()
    const made = await admin("POST", "/catalog/items", given)
    const defaults = { description: null, icon_url: null, item_type: null, prices: {}, contents: null }
    expect([made.status, made.data]).toMatchObject([201, { ...given, ...defaults, metadata: {}, is_active: true }])
  })

  it("keeps an item as it was sent, and changes what is given [G6.1, A5]", async () => {
    const key = randomUUID()
    const whole = {
      ...{ key, name: "Sword", description: "Sharp", icon_url: "https://a.example/i.png", item_type: "weapon" },
      ...{ prices: { GOLD: 0.0001, NOT_YET: 900_000_000_000 }, metadata: { a: [1] }, is_active: false },
      contents: { xp: 5, note: "kept", currencies: { GOLD: 1 } },
    }
    const made = await admin<Row>("POST", "/catalog/items", whole)
    expect([made.status, made.data]).toMatchObject([201, whole])
    const path = `/catalog/items/${made.data.id}`
    expect(await admin("PATCH", path, {})).toMatchObject({ status: 200, data: made.data })
    expect(await admin("PATCH", path, { unknown: 1 })).toMatchObject({ status: 200, data: made.data })
    const changes = {
      name: "Axe",
      description: null,
      icon_url: null,
      item_type: null,
      prices: { GOLD: 2 },
      contents: {},
    }
    expect((await admin("PATCH", path, changes)).data).toEqual({ ...made.data, ...changes })
    const own = { contents: { items: [{ key, quantity: 1 }] } }
    expect((await admin("PATCH", path, own)).data).toMatchObject(own)
    expect((await admin("PATCH", path, { contents: null })).data).toMatchObject({ contents: null })
  })

  it("has one item per key [G6.1]", async () => {
    const [first, second] = [item(), item()]
    const id = (await admin<Row>("POST", "/catalog/items", first)).data.id
    await admin("POST", "/catalog/items", second)
    expect(brief(await admin("POST", "/catalog/items", first))).toEqual([409, "KEY_EXISTS"])
    expect(brief(await admin("PATCH", `/catalog/items/${id}`, { key: second.key }))).toEqual([409, "KEY_EXISTS"])
    expect((await admin("PATCH", `/catalog/items/${id}`, { key: first.key })).status).toBe(200)
  })

  it("lists items, the oldest first, of a type where one is asked for [G6.1, A8]", async () => {
    const item_type = randomUUID()
    const ids = [await anItem({ item_type }), await anItem({ item_type }), await anItem({ item_type })]
    await anItem()
    const list = (query: string) =>
      server.api.root(`/v1${project.admin}/catalog/items${query}`).then((response) => response.status)
    expect(await list("")).toBe(401)
    const found = await admin<ReadonlyArray<Row>>("GET", `/catalog/items?item_type=${item_type}`)
    expect(found.data.map(({ id }) => id)).toEqual(ids)
    expect(JSON.parse(found.text)).toMatchObject({ total: 3, offset: 0, limit: 50 })
    const page = await admin<ReadonlyArray<Row>>("GET", `/catalog/items?item_type=${item_type}&limit=1&offset=1`)
    expect(page.data.map(({ id }) => id)).toEqual([ids[1]])
    expect((await admin<ReadonlyArray<Row>>("GET", "/catalog/items?item_type=none")).data).toEqual([])
    expect((await admin<ReadonlyArray<Row>>("GET", "/catalog/items?limit=1000")).data.length).toBeGreaterThan(3)
    for (const limit of ["0", "1001", "x"])
      expect(brief(await admin("GET", `/catalog/items?limit=${limit}`))).toEqual([400, "INVALID_LIMIT"])
    expect(brief(await admin("GET", "/catalog/items?offset=-1"))).toEqual([400, "INVALID_OFFSET"])
  })

  it("removes an item with its listings, and answers 404 where there is none [G6.1, A7]", async () => {
    const id = await anItem()
    const listing = await admin<Row>("POST", listings(), { catalog_item_id: id })
    expect(await admin("DELETE", `/catalog/items/${id}`)).toMatchObject({ status: 200, data: { deleted: true } })
    const left = await admin<ReadonlyArray<Row>>("GET", `${listings()}?limit=1000`)
    expect(left.data.map((row) => row.id)).not.toContain(listing.data.id)
    for (const gone of [id, randomUUID(), "nothing"]) {
      expect(brief(await admin("DELETE", `/catalog/items/${gone}`))).toEqual(missing)
      expect(brief(await admin("PATCH", `/catalog/items/${gone}`, { name: "New" }))).toEqual(missing)
    }
  })

  it.each([
    ["an empty name", { name: "" }],
    ["a name of 201 characters", { name: "n".repeat(201) }],
    ["a name that is null", { name: null }],
    ["a description that is no text", { description: 1 }],
    ["a segment that is no uuid", { segment_id: "all" }],
    ["a segment that is not there", { segment_id: randomUUID() }],
  ])("refuses a store with %s, and a change to it", async (_, fields) => {
    expect(brief(await admin("POST", "/stores", { name: "Store", ...fields }))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await admin("PATCH", `/stores/${storeId}`, fields))).toEqual([400, "INVALID_INPUT"])
  })

  it("makes, changes, lists and removes stores (spec: stores)", async () => {
    expect(brief(await admin("POST", "/stores", {}))).toEqual([400, "INVALID_INPUT"])
    const made = await admin<Row>("POST", "/stores", { name: "Second", is_active: false })
    const defaults = { name: "Second", description: null, segment_id: null, is_active: true }
    expect([made.status, made.data]).toMatchObject([201, defaults])
    const path = `/stores/${made.data.id}`
    const [segment] = (await admin<ReadonlyArray<Row>>("GET", "/segments")).data
    const changes = { name: "New", description: "d", is_active: false, segment_id: segment?.id }
    expect((await admin("PATCH", path, changes)).data).toMatchObject(changes)
    expect((await admin("PATCH", path, {})).data).toMatchObject(changes)
    expect((await admin("PATCH", path, { segment_id: null, description: null })).data).toMatchObject({
      ...{ name: "New", description: null, is_active: false, segment_id: null },
    })
    expect(brief(await admin("PATCH", path, { is_active: null }))).toEqual([400, "INVALID_INPUT"])
    const list = await admin<ReadonlyArray<Row>>("GET", "/stores")
    expect(list.data.map(({ id }) => id)).toEqual([storeId, made.data.id])
    expect(JSON.parse(list.text)).toMatchObject({ total: 2, offset: 0, limit: 50 })
    for (let times = 0; times < 2; times += 1)
      expect(await admin("DELETE", path)).toMatchObject({ status: 200, data: { deleted: true } })
    for (const gone of [made.data.id, "nothing"]) {
      expect(brief(await admin("PATCH", `/stores/${gone}`, {}))).toEqual(missing)
      expect(brief(await admin("GET", listings(gone)))).toEqual(missing)
      expect(brief(await admin("POST", listings(gone), { catalog_item_id: await anItem() }))).toEqual(missing)
    }
  })

  const [early, late] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"]
  const badListings: ReadonlyArray<[what: string, fields: object, code: string]> = [
    ["override_prices that are a list", { override_prices: [] }, "INVALID_INPUT"],
    ["a price for what can be no currency", { override_prices: { gold: 1 } }, "INVALID_INPUT"],
    ["a price of 0", { override_prices: { GOLD: 0 } }, "INVALID_AMOUNT"],
    ["a price of 5 decimals", { override_prices: { GOLD: 0.00001 } }, "INVALID_AMOUNT"],
    ["a price that is text", { override_prices: { GOLD: "1" } }, "INVALID_AMOUNT"],
    ["a sort_order that is no whole number", { sort_order: 0.5 }, "INVALID_INPUT"],
    ["a sort_order of more than 31 bits", { sort_order: 2_147_483_648 }, "INVALID_INPUT"],
    ["a sort_order that is null", { sort_order: null }, "INVALID_INPUT"],
    ["a time without a zone", { available_from: "2026-01-01T00:00:00" }, "INVALID_INPUT"],
    ["an end at its beginning [G6.2]", { available_from: early, available_until: early }, "INVALID_INPUT"],
    ["an end before its beginning [G6.2]", { available_from: late, available_until: early }, "INVALID_INPUT"],
    ["no purchases [G6.2]", { max_purchases_per_user: 0 }, "INVALID_INPUT"],
    ["half a purchase [G6.2]", { max_purchases_per_user: 1.5 }, "INVALID_INPUT"],
    ["a limit that is text [G6.2]", { max_purchases_per_user: "1" }, "INVALID_INPUT"],
    ["a limit of more than 31 bits", { max_purchases_per_user: 2_147_483_648 }, "INVALID_INPUT"],
  ]
  it.each(badListings)("refuses a listing with %s, and a change to it", async (_, fields, code) => {
    const catalog_item_id = await anItem()
    expect(brief(await admin("POST", listings(), { catalog_item_id, ...fields }))).toEqual([400, code])
    const id = await aListing()
    expect(brief(await admin("PATCH", `${listings()}/${id}`, fields))).toEqual([400, code])
  })

  it("lists an item once per store, and only one that is there [G6.2]", async () => {
    for (const body of [{}, { catalog_item_id: "item" }, { catalog_item_id: null }, { catalog_item_id: randomUUID() }])
      expect(brief(await admin("POST", listings(), body))).toEqual([400, "INVALID_INPUT"])
    const unknown = await admin("POST", listings(), { catalog_item_id: randomUUID() })
    expect(JSON.parse(unknown.text).error.message).toBe("catalog_item_id must be an item of the catalog.")
    const catalog_item_id = await anItem()
    const made = await admin<Row>("POST", listings(), { catalog_item_id })
    expect([made.status, made.data]).toMatchObject([201, { store_id: storeId, catalog_item_id, sort_order: 0 }])
    expect(brief(await admin("POST", listings(), { catalog_item_id }))).toEqual([409, "ALREADY_LISTED"])
    const other = (await admin<Row>("POST", "/stores", { name: "Other" })).data.id
    expect((await admin("POST", listings(other), { catalog_item_id })).status).toBe(201)
    await admin("DELETE", `/stores/${other}`)
  })

  it("changes and removes a listing by both ids, and keeps its times in order [G6.2]", async () => {
    const other = (await admin<Row>("POST", "/stores", { name: "Other" })).data.id
    const id = await aListing({ available_from: early, available_until: late })
    const path = `${listings()}/${id}`
    const whole = { override_prices: { GOLD: 1 }, sort_order: -5, max_purchases_per_user: 3 }
    expect((await admin("PATCH", path, whole)).data).toMatchObject({ ...whole, available_from: early })
    expect((await admin("PATCH", path, {})).data).toMatchObject({ ...whole, available_until: late })
    expect(brief(await admin("PATCH", path, { available_from: late }))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await admin("PATCH", path, { available_until: early }))).toEqual([400, "INVALID_INPUT"])
    const none = { override_prices: null, available_from: null, available_until: null, max_purchases_per_user: null }
    expect((await admin("PATCH", path, none)).data).toMatchObject({ ...none, sort_order: -5 })
    for (const wrong of [`${listings(other)}/${id}`, `${listings()}/${randomUUID()}`, `${listings()}/nothing`])
      expect(brief(await admin("PATCH", wrong, { sort_order: 1 }))).toEqual(missing)
    expect((await admin("DELETE", `${listings(other)}/${id}`)).status).toBe(200)
    expect((await admin("PATCH", path, {})).status).toBe(200)
    for (let times = 0; times < 2; times += 1)
      expect(await admin("DELETE", path)).toMatchObject({ status: 200, data: { deleted: true } })
    expect(brief(await admin("PATCH", path, {}))).toEqual(missing)
    await admin("DELETE", `/stores/${other}`)
  })

  it("shows listings by sort_order with their items (spec: listing)", async () => {
    const shop = (await admin<Row>("POST", "/stores", { name: "Shop" })).data.id
    const shown = { key: randomUUID(), name: "Bow", icon_url: "https://a.example/b.png", item_type: "weapon" }
    const [bow, axe] = [await anItem(shown), await anItem({ is_active: false })]
    await admin("POST", listings(shop), { catalog_item_id: axe, sort_order: 2 })
    await admin("POST", listings(shop), { catalog_item_id: bow, sort_order: 1, available_until: early })
    const found = await admin<ReadonlyArray<object>>("GET", listings(shop))
    expect(found.data).toMatchObject([{ catalog_item_id: bow, catalog_items: shown }, { catalog_item_id: axe }])
    expect(JSON.parse(found.text)).toMatchObject({ total: 2, offset: 0, limit: 50 })
    await admin("DELETE", `/stores/${shop}`)
  })
})
