import { anId } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { countEach, storeWorld } from "./world.ts"

const inventoryWorld = async () => {
  const world = await storeWorld()
  const { core, item, projectId, transact, userId } = world
  const potion = await item({ key: "potion", name: "Potion", item_type: "food" })
  const give = (quantity: number, catalog_item_id = potion.id, app_user_id = userId) =>
    transact((db) =>
      db.inventory.add([{ id: anId(), app_user_id, catalog_item_id, quantity }], world.world.clock.now()),
    )
  const consume = (quantity = 1, more: { key?: string; as?: string; item?: string } = {}) => {
    const { key, as = userId, item: id = potion.id } = more
    const request = { quantity, ...(key !== undefined && { idempotency_key: key }) }
    return core.inventory.consume(projectId, as, id, request)
  }
  return { ...world, potion, give, consume }
}

describe("using items up [G6.6]", () => {
  it("takes them, answers what is left, and is told", async () => {
    const { consume, events, give, owned, potion, run, userId, world } = await inventoryWorld()
    await give(3)
    const acquired_at = world.clock.now()
    await world.advance("1 hour")
    const row = {
      catalog_item_id: potion.id,
      key: "potion",
      name: "Potion",
      icon_url: null,
      item_type: "food",
      acquired_at,
    }
    expect(await run(consume(2))).toEqual({ ...row, quantity: 1 })
    expect(await owned()).toEqual([{ ...row, quantity: 1 }])
    expect(await events("item_consumed")).toMatchObject([
      {
        ...{ app_user_id: userId, occurred_at: world.clock.now() },
        properties: { catalog_item_id: potion.id, key: "potion", quantity: 2 },
      },
    ])
  })

  it("leaves nothing to be listed or used where all are used up, and begins anew after that", async () => {
    const { code, consume, give, owned, run, world } = await inventoryWorld()
    await give(2)
    expect(await run(consume(2))).toMatchObject({ quantity: 0 })
    expect(await owned()).toEqual([])
    expect(await code(consume())).toBe("NOT_FOUND")
    await world.advance("1 hour")
    await give(1)
    expect(await owned()).toMatchObject([{ quantity: 1, acquired_at: world.clock.now() }])
  })

  it("is refused where there are fewer, or none", async () => {
    const { code, consume, events, give, owned, user } = await inventoryWorld()
    expect(await code(consume())).toBe("NOT_FOUND")
    await give(2)
    expect(await code(consume(3))).toBe("INSUFFICIENT_QUANTITY")
    expect(await code(consume(1, { item: anId() }))).toBe("NOT_FOUND")
    expect(await code(consume(1, { as: await user() }))).toBe("NOT_FOUND")
    expect(await code(consume(1, { as: anId() }))).toBe("INVALID_TOKEN")
    expect([await owned(), await events("item_consumed")]).toMatchObject([[{ quantity: 2 }], []])
  })

  it("is done once under a key [E5]", async () => {
    const { code, consume, events, give, owned, run } = await inventoryWorld()
    await give(5)
    const first = await run(consume(5, { key: "k" }))
    expect(await run(consume(5, { key: "k" }))).toEqual(first)
    expect(await code(consume(4, { key: "k" }))).toBe("IDEMPOTENCY_KEY_REUSED")
    expect([await owned(), (await events("item_consumed")).length]).toEqual([[], 1])
    // What was refused is not kept.
    expect(await code(consume(1, { key: "later" }))).toBe("NOT_FOUND")
    await give(1)
    expect(await run(consume(1, { key: "later" }))).toMatchObject({ quantity: 0 })
  })

  it("takes no more than there are, however many do it at once", async () => {
    const { codes, consume, give, owned } = await inventoryWorld()
    await give(5)
    const answers = countEach(await codes(Array.from({ length: 8 }, () => consume(2))))
    expect(answers).toEqual({ ok: 2, INSUFFICIENT_QUANTITY: 6 })
    expect(await owned()).toMatchObject([{ quantity: 1 }])
  })
})

describe("what is owned", () => {
  it("keeps its item from being removed until it is used up [G6.1]", async () => {
    const { code, consume, core, give, potion, projectId, run } = await inventoryWorld()
    await give(1)
    expect(await code(core.catalog.remove(projectId, potion.id))).toBe("ITEM_IN_USE")
    await run(consume())
    await run(core.catalog.remove(projectId, potion.id))
  })

  it("is removed with its item or owned by somebody, never both [G6.1]", async () => {
    const { buy, codes, core, fund, onSale, owned, projectId, run } = await inventoryWorld()
    await fund(100)
    const { item, listing } = await onSale()
    const [bought, removed] = await codes([buy(listing.id), core.catalog.remove(projectId, item.id)])
    const left = (await run(core.catalog.list(projectId, { limit: 50, offset: 0 }))).rows.some(
      ({ id }) => id === item.id,
    )
    expect([bought === "ok", removed === "ITEM_IN_USE", (await owned()).length]).toEqual([left, left, left ? 1 : 0])
  })

  it("is shown to developers, and nothing of users who are not there [G6.6]", async () => {
    const { code, core, give, owned, projectId, run, userId } = await inventoryWorld()
    await give(2)
    const slice = { limit: 50, offset: 0 }
    expect((await run(core.inventory.ofUser(projectId, userId, slice))).rows).toEqual(await owned())
    expect(await code(core.inventory.ofUser(projectId, anId(), slice))).toBe("USER_NOT_FOUND")
    expect(await code(core.purchases.ofUser(projectId, anId(), slice))).toBe("USER_NOT_FOUND")
  })

  it("goes with its user", async () => {
    const { core, give, projectId, read, run, userId } = await inventoryWorld()
    await give(2)
    await run(core.users.remove(projectId, userId))
    expect(await read((db) => db.inventory.list({}, []))).toEqual([])
  })
})

describe("the storefront [G6.4]", () => {
  it("shows what is on sale with its prices and what the user may still buy", async () => {
    const { buy, core, fund, item, list, onSale, projectId, run, shop, userId } = await storeWorld()
    await fund(100)
    const shown = {
      key: "k",
      name: "N",
      icon_url: "https://a.example",
      item_type: "t",
      description: "d",
      metadata: { a: 1 },
    }
    const first = await onSale(shown, { max_purchases_per_user: 2, sort_order: 1, override_prices: { GEMS: 7 } })
    const unlimited = await item({ prices: { LOST: 1 } })
    await list({ store_id: shop.id, catalog_item_id: unlimited.id, sort_order: 2 })
    await onSale({ is_active: false })
    await onSale({}, { available_until: new Date("2026-03-01T12:00:00.000Z") })
    const offers = () => run(core.stores.offers(projectId, userId, shop.id, { limit: 50, offset: 0 }))
    expect(await offers()).toEqual({
      total: 2,
      rows: [
        expect.objectContaining({
          ...{ id: first.listing.id, catalog_item_id: first.item.id, prices: { GOLD: 10, GEMS: 7 } },
          ...{ purchases_left: 2, catalog_items: shown },
        }),
        expect.objectContaining({ catalog_item_id: unlimited.id, prices: {}, purchases_left: null }),
      ],
    })
    await run(buy(first.listing.id))
    expect((await offers()).rows[0]).toMatchObject({ purchases_left: 1 })
    await run(buy(first.listing.id))
    expect((await offers()).rows[0]).toMatchObject({ purchases_left: 0 })
    await run(core.stores.updateListing(projectId, shop.id, first.listing.id, { max_purchases_per_user: 1 }))
    expect((await offers()).rows[0]).toMatchObject({ purchases_left: 0 })
  })

  it("lists the stores that are open, and nothing of the others [G0.7]", async () => {
    const { code, core, projectId, run, shop, store, transact, userId, world } = await storeWorld()
    const rules = { operator: "AND", conditions: [{ field: "email", op: "exists" }] }
    const segment = await run(core.segments.create(projectId, { name: "S", description: null, rules }))
    const inner = await store({ segment_id: segment.id })
    const closed = await store({ is_active: false })
    const slice = { limit: 50, offset: 0 }
    const open = async () => (await run(core.stores.openStores(projectId, userId, slice))).rows.map(({ id }) => id)
    const offers = (id: string) => core.stores.offers(projectId, userId, id, slice)
    expect(await open()).toEqual([shop.id])
    for (const id of [inner.id, closed.id, anId()]) expect(await code(offers(id))).toBe("NOT_FOUND")
    await transact((db) => db.segmentMembers.add([segment.id], [userId], world.clock.now()))
    expect(await open()).toEqual([shop.id, inner.id])
    expect(await run(offers(inner.id))).toEqual({ rows: [], total: 0 })
    await run(core.segments.remove(projectId, segment.id))
    expect(await open()).toEqual([shop.id])
    expect(await code(offers(inner.id))).toBe("NOT_FOUND")
    // It stays closed until a developer opens it.
    await run(core.stores.update(projectId, inner.id, { segment_id: null }))
    expect(await open()).toEqual([shop.id, inner.id])
  })

  it("shows no listings twice to pages", async () => {
    const { core, onSale, projectId, run, shop, userId } = await storeWorld()
    const made = await Effect.runPromise(Effect.forEach([1, 2, 3], () => Effect.promise(() => onSale())))
    const page = (offset: number) => run(core.stores.offers(projectId, userId, shop.id, { limit: 1, offset }))
    const ids = await Promise.all([0, 1, 2].map(async (offset) => (await page(offset)).rows[0]?.id))
    expect(ids.sort()).toEqual(made.map(({ listing }) => listing.id).sort())
    expect((await page(3)).rows).toEqual([])
  })
})
