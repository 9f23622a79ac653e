import type { Engagement, TenantDb } from "@hearth/core"
import { lockPurses, makeWallets } from "@hearth/core/currencies"
import type { CatalogItem, Listing } from "@hearth/core/stores"
import { aCatalogItem, aCurrency, aListing, aStore, aUser } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { countRetries, memoryPorts, openNode, type TestNode } from "../nodes.ts"
import { ids, type TestServer, testServer } from "../server.ts"

const all = { limit: 1_000, offset: 0 }

/** How often each text is there. */
const countEach = (texts: ReadonlyArray<string>): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(texts, (text) => text)].map(([text, same]) => [text, same.length]))

describe("purchases in two processes", () => {
  let server: TestServer
  let nodes: readonly [TestNode, TestNode]
  let project: string
  let shop: string
  const ports = memoryPorts()
  const { retries, wrap } = countRetries()

  beforeAll(async () => {
    server = testServer()
    nodes = [await openNode(server, { ports, wrap }), await openNode(server, { ports, wrap })]
    project = await server.project(await server.open())
    const store = aStore({ id: ids.uuid() })
    shop = store.id
    await transact((db) => Effect.orDie(db.stores.insert(store)))
    for (const code of ["GOLD", "GEMS"])
      await transact((db) => Effect.orDie(db.currencies.insert(aCurrency({ id: ids.uuid(), code }))))
    await transact((db) => Effect.orDie(db.catalogItems.insert(aCatalogItem({ id: ids.uuid(), key: "arrow" }))))
  })
  afterAll(() => server.close())

  const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
  const transact = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) => run(nodes[0].tenants.transact(project, work))
  const user = async (gold: number) => {
    const row = aUser({ id: ids.uuid(), anonymous_id: ids.uuid() })
    const amount = { app_user_id: row.id, currency_code: "GOLD", amount: gold, reference_id: null }
    await transact((db) =>
      Effect.gen(function* () {
        yield* Effect.orDie(db.users.insert(row))
        yield* lockPurses(db, [row.id])
        yield* makeWallets(ids).credit(db, [{ ...amount, transaction_type: "grant", source: "admin" }], new Date())
      }),
    )
    return row.id
  }
  const onSale = async (given: Partial<CatalogItem> = {}, listed: Partial<Listing> = {}) => {
    const id = ids.uuid()
    const item = aCatalogItem({ id, key: id, prices: { GOLD: 10 }, ...given })
    const listing = aListing({ id: ids.uuid(), store_id: shop, catalog_item_id: id, ...listed })
    await transact((db) => Effect.orDie(db.catalogItems.insert(item)))
    await transact((db) => Effect.orDie(db.listings.insert(listing)))
    return { item, listing }
  }
  const buy = (core: Engagement, buyer: string, listing: string, key?: string) =>
    core.purchases.buy(project, buyer, shop, listing, {
      ...{ currency_code: "GOLD", ...(key !== undefined && { idempotency_key: key }) },
    })
  type Call = (core: Engagement) => Effect.Effect<unknown, { readonly code: string }>
  /** The codes of calls that are made at once, by turns in the two processes. */
  const codes = (calls: ReadonlyArray<Call>) =>
    Promise.all(
      calls.map((call, turn) =>
        run(
          Effect.match(call(nodes[turn % 2 === 0 ? 0 : 1].core), {
            onFailure: ({ code }) => code,
            onSuccess: () => "ok",
          }),
        ),
      ),
    )
  const times = (count: number, call: Call) => Array.from({ length: count }, () => call)
  const state = async (buyer: string) => {
    const [owned, bought, transactions] = [
      await run(nodes[0].core.inventory.own(project, buyer, all)),
      await run(nodes[0].core.purchases.ofUser(project, buyer, all)),
      await run(nodes[0].tenants.read(project, (db) => db.wallets.transactions(buyer, all))),
    ]
    const gold = transactions.rows.filter(({ currency_code }) => currency_code === "GOLD")
    return {
      balance: gold[0]?.balance_after ?? 0,
      sum: gold.reduce((sum, { amount }) => sum + amount, 0),
      owned: owned.rows.reduce((sum, { quantity }) => sum + quantity, 0),
      bought: bought.total,
    }
  }

  it("of a limit of 1: one of 20 is made [G6.5]", async () => {
    const buyer = await user(1_000)
    const { listing } = await onSale({}, { max_purchases_per_user: 1 })
    const answers = await codes(times(20, (core) => buy(core, buyer, listing.id)))
    expect(countEach(answers)).toEqual({ ok: 1, PURCHASE_LIMIT_REACHED: 19 })
    expect(await state(buyer)).toEqual({ balance: 990, sum: 990, owned: 1, bought: 1 })
  })

  it("of money for 1: one of 20 is made [E5]", async () => {
    const buyer = await user(19)
    const { listing } = await onSale()
    const answers = await codes(times(20, (core) => buy(core, buyer, listing.id)))
    expect(countEach(answers)).toEqual({ ok: 1, INSUFFICIENT_BALANCE: 19 })
    expect(await state(buyer)).toEqual({ balance: 9, sum: 9, owned: 1, bought: 1 })
  })

  it("under one key: one is made, and all are told of it", async () => {
    const buyer = await user(1_000)
    const { listing } = await onSale({ contents: { xp: 1, currencies: { GEMS: 1 } } })
    const calls = Array.from({ length: 20 }, (_, turn) =>
      run(buy(nodes[turn % 2 === 0 ? 0 : 1].core, buyer, listing.id, "k")),
    )
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ purchase }) => purchase.id)).size).toBe(1)
    expect(await state(buyer)).toEqual({ balance: 990, sum: 990, owned: 1, bought: 1 })
  })

  it("of users who buy from one another's listings, with contents: none waits for ever", async () => {
    const buyers = await Promise.all([1, 2, 3, 4].map(() => user(1_000)))
    const contents = {
      ...{ xp: 1, currencies: { GEMS: 1, GOLD: 1 }, items: [{ key: "arrow", quantity: 1 }] },
      entitlements: [{ entitlement_id: "pro", days: 1 }],
    }
    const [one, two] = [await onSale({ contents }), await onSale({ contents: { items: contents.items } })]
    retries.count = 0
    const calls = buyers.flatMap((buyer) => [
      ...times(5, (core) => buy(core, buyer, one.listing.id)),
      ...times(5, (core) => buy(core, buyer, two.listing.id)),
      ...times(3, (core) => core.rewards.give(project, buyer, { reward: { xp: 1, currencies: { GOLD: 1 } } }, null)),
      ...times(2, (core) =>
        core.entitlements.grant(project, buyer, { entitlement_id: "pro", is_active: true, store: "web" }),
      ),
    ])
    const begun = Date.now()
    expect(countEach(await codes(calls.toSorted(() => Math.random() - 0.5)))).toEqual({ ok: calls.length })
    for (const buyer of buyers) {
      // 10 purchases of 10, of which 5 give 1 back, and 3 rewards.
      expect(await state(buyer)).toEqual({ balance: 908, sum: 908, owned: 20, bought: 10 })
      const sources = await run(
        nodes[0].tenants.read(project, (db) => db.entitlementSources.list({ app_user_id: buyer }, [["source", "asc"]])),
      )
      expect(sources).toMatchObject([{ source: "admin", store: "web" }, { source: "reward" }])
      // Five days, one after the other, from the first purchase on.
      const days = ((sources[1]?.expiration_date?.getTime() ?? 0) - begun) / 86_400_000
      expect([Math.floor(days), days - 5 < 0.01]).toEqual([5, true])
    }
    expect(retries.count).toBe(0)
  })

  it("while what is sold is changed and removed: each is made whole or not at all", async () => {
    retries.count = 0
    for (let round = 0; round < 6; round += 1) {
      const buyer = await user(1_000)
      const { item, listing } = await onSale()
      const changes: ReadonlyArray<Call> = [
        (core) => core.stores.updateListing(project, shop, listing.id, { override_prices: { GOLD: 20 } }),
        (core) => core.catalog.update(project, item.id, { name: "New", contents: { xp: 1 } }),
        (core) => core.stores.update(project, shop, { description: String(round) }),
        (core) => core.stores.removeListing(project, shop, listing.id),
        (core) => core.catalog.remove(project, item.id),
      ]
      const buying = times(10, (core) => buy(core, buyer, listing.id))
      const answers = await codes([...buying.slice(0, 5), ...changes, ...buying.slice(5)])
      const made = countEach([...answers.slice(0, 5), ...answers.slice(10)])
      expect(Object.keys(made).filter((code) => code !== "ok" && code !== "NOT_FOUND")).toEqual([])
      const after = await state(buyer)
      expect([after.bought, after.owned, after.sum]).toEqual([made["ok"] ?? 0, made["ok"] ?? 0, after.balance])
      expect(["ok", "NOT_FOUND", "ITEM_IN_USE"]).toContain(answers[9])
    }
    expect(retries.count).toBe(0)
  })

  it("while their currency is removed: none is paid with it after that", async () => {
    for (let round = 0; round < 5; round += 1) {
      const code = `WOOD_${round}`
      const currency = aCurrency({ id: ids.uuid(), code, initial_balance: 1_000 })
      await transact((db) => Effect.orDie(db.currencies.insert(currency)))
      const buyers = await Promise.all([1, 2, 3].map(() => user(0)))
      const { listing } = await onSale({ prices: { [code]: 1 }, contents: { currencies: { [code]: 1 }, xp: 1 } })
      const pay =
        (buyer: string): Call =>
        (core) =>
          core.purchases.buy(project, buyer, shop, listing.id, { currency_code: code })
      // Some have a wallet by then.
      await codes(buyers.slice(0, 2).map(pay))
      retries.count = 0
      const calls = buyers.flatMap((buyer) => times(4, pay(buyer)))
      const remove: Call = (core) => core.currencies.remove(project, currency.id)
      const answers = await codes([...calls.slice(0, 6), remove, ...calls.slice(6)])
      const others = answers.filter((each) => each !== "ok" && each !== "CURRENCY_NOT_ACCEPTED")
      expect(others).toEqual([])
      expect(await codes(buyers.map(pay))).toEqual(Array(3).fill("CURRENCY_NOT_ACCEPTED"))
      expect(retries.count).toBe(0)
    }
  })

  it("while their user is removed: nothing is left of them", async () => {
    for (let round = 0; round < 4; round += 1) {
      const buyer = await user(1_000)
      const { listing } = await onSale({ contents: { xp: 1, currencies: { GEMS: 1 } } })
      const answers = await codes([
        ...times(6, (core) => buy(core, buyer, listing.id)),
        (core) => core.users.remove(project, buyer),
        ...times(6, (core) => buy(core, buyer, listing.id)),
      ])
      expect(Object.keys(countEach(answers)).filter((code) => code !== "ok" && code !== "INVALID_TOKEN")).toEqual([])
      const left = await run(nodes[0].tenants.read(project, (db) => db.purchases.list({ app_user_id: buyer }, [])))
      expect(left).toEqual([])
    }
  })

  it("are taken back or used up, never both [G4.7]", async () => {
    for (let round = 0; round < 4; round += 1) {
      const owner = await user(1_000)
      const { item, listing } = await onSale()
      await run(buy(nodes[0].core, owner, listing.id))
      const { rows } = await run(nodes[0].core.currencies.transactions(project, owner, all))
      const paid = rows.find(({ transaction_type }) => transaction_type === "purchase")?.id ?? ""
      retries.count = 0
      const [reversed, used] = await codes([
        (core) => core.currencies.reverse(project, paid),
        (core) => core.inventory.consume(project, owner, item.id, { quantity: 1 }),
      ])
      expect([
        ["ok", "NOT_FOUND"],
        ["INSUFFICIENT_QUANTITY", "ok"],
      ]).toContainEqual([reversed, used])
      const { balance, owned } = await state(owner)
      expect([balance, owned, retries.count]).toEqual([reversed === "ok" ? 1_000 : 990, 0, 0])
    }
  })

  it("take an item that is used up at the same time only once", async () => {
    const owner = await user(1_000)
    const { item, listing } = await onSale()
    for (let n = 0; n < 5; n += 1) await run(buy(nodes[0].core, owner, listing.id))
    const use: Call = (core) => core.inventory.consume(project, owner, item.id, { quantity: 2 })
    expect(countEach(await codes(times(8, use)))).toEqual({ ok: 2, INSUFFICIENT_QUANTITY: 6 })
    const [row] = (await run(nodes[0].core.inventory.own(project, owner, all))).rows
    expect(row?.quantity).toBe(1)
  })
})
