import { describe, expect, it } from "vitest"
import { storeWorld } from "./world.ts"

/** Somebody with 25 GOLD who has bought an item for 10. */
const bought = async (contents: { readonly currencies: { readonly GEMS: number } } | null = null) => {
  const store = await storeWorld()
  await store.fund(25)
  const { item, listing } = await store.onSale({ contents }, { max_purchases_per_user: 1 })
  await store.run(store.buy(listing.id))
  const paid = (await store.transactions()).find(({ transaction_type }) => transaction_type === "purchase")
  const reverse = () => store.core.currencies.reverse(store.projectId, paid?.id ?? "")
  return { ...store, item, listing, reverse }
}

describe("the reversal of a purchase [G4.7]", () => {
  it("gives the money back, takes the item, and does not count for the limit any more", async () => {
    const { bought: purchases, buy, code, listing, owned, reverse, run, world } = await bought()
    expect(await code(buy(listing.id))).toBe("PURCHASE_LIMIT_REACHED")
    expect(await run(reverse())).toMatchObject({
      balance: 25,
      transaction: { amount: 10, transaction_type: "reversal" },
    })
    expect(await owned()).toEqual([])
    expect(await purchases()).toMatchObject([{ reversed_at: world.clock.now() }])
    expect(await code(reverse())).toBe("ALREADY_REVERSED")
    expect(await run(buy(listing.id))).toMatchObject({ balance: 15 })
  })

  it("takes one of several that are owned, and leaves the contents", async () => {
    const { balance, item, owned, reverse, run, transact, userId, world } = await bought({ currencies: { GEMS: 7 } })
    await transact((db) =>
      db.inventory.add(
        [{ id: world.ports.ids.uuid(), app_user_id: userId, catalog_item_id: item.id, quantity: 2 }],
        world.clock.now(),
      ),
    )
    await run(reverse())
    expect(await owned()).toMatchObject([{ quantity: 2 }])
    expect(await balance("GEMS")).toBe(7)
  })

  it("is refused whole where the item was used up", async () => {
    const { balance, bought: purchases, code, core, item, projectId, reverse, run, userId } = await bought()
    await run(core.inventory.consume(projectId, userId, item.id, { quantity: 1 }))
    expect(await code(reverse())).toBe("INSUFFICIENT_QUANTITY")
    expect(await balance()).toBe(15)
    expect(await purchases()).toMatchObject([{ reversed_at: null }])
  })
})
