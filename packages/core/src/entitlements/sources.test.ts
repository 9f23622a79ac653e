import { describe, expect, it, test } from "vitest"
import { chooseSource, type EntitlementSource, extendReward, readAdminContent, readContent } from "./sources.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const day = 86_400_000
const inDays = (days: number) => new Date(now.getTime() + days * day)

const source = (name: EntitlementSource["source"], given: Partial<EntitlementSource> = {}): EntitlementSource => ({
  ...{
    id: name,
    app_user_id: "u",
    entitlement_id: "pro",
    source: name,
    is_active: true,
    store: null,
    product_id: name,
  },
  ...{ purchase_date: null, expiration_date: null, period_type: null, raw_data: { by: name }, updated_at: now },
  ...given,
})
const admin = (given: Partial<EntitlementSource> = {}) => source("admin", given)
const provider = (given: Partial<EntitlementSource> = {}) => source("provider", given)
const reward = (given: Partial<EntitlementSource> = {}) => source("reward", given)

describe("which source of an entitlement counts [E7, G5.1]", () => {
  const [soon, late] = [{ expiration_date: inDays(1) }, { expiration_date: inDays(2) }]
  const off = { is_active: false }
  test.each<[string, ReadonlyArray<EntitlementSource>, string | null]>([
    ["none where there is none", [], null],
    ["the only one", [reward()], "reward"],
    ["the only one, though it is not active", [provider(off)], "provider"],
    ["the one that lasts longer", [admin(soon), reward(late)], "reward"],
    ["the one that lasts longer, in any order", [reward(late), admin(soon)], "reward"],
    ["the one that never ends", [admin(), reward(late)], "admin"],
    ["the one that never ends, if that is a reward", [admin(late), reward()], "reward"],
    ["the admin's of two that never end", [reward(), provider(), admin()], "admin"],
    ["what was bought before what was given", [reward(late), provider(late)], "provider"],
    ["the active one before the one that would last longer", [provider(off), reward(soon)], "reward"],
    ["an admin's denial before all", [provider(), admin(off), reward()], "admin"],
    [
      "the one that ended last",
      [admin({ expiration_date: inDays(-2) }), reward({ expiration_date: inDays(-1) })],
      "reward",
    ],
  ])("%s", (_, sources, expected) => {
    expect(chooseSource(sources)?.source ?? null).toBe(expected)
    expect(chooseSource(sources.toReversed())?.source ?? null).toBe(expected)
  })
})

describe("what developers granted", () => {
  const row = (from: EntitlementSource, given: Partial<EntitlementSource> = {}) => {
    const { source: _, ...rest } = { ...from, id: "row", ...given }
    return rest
  }
  const content = (from: EntitlementSource) => readContent(from)

  it("is the row where there are no sources, as in earlier releases", () => {
    const granted = admin({ store: "web" })
    expect(readAdminContent(row(granted), [])).toEqual(content(granted))
    expect(readAdminContent(null, [])).toBeNull()
  })

  it("is their source, whatever the row shows", () => {
    const granted = admin({ expiration_date: inDays(1) })
    expect(readAdminContent(row(reward()), [granted, reward()])).toEqual(content(granted))
    expect(readAdminContent(row(granted), [granted])).toEqual(content(granted))
  })

  it("is nothing where there are only other sources", () => {
    expect(readAdminContent(row(reward()), [reward()])).toBeNull()
    expect(readAdminContent(row(reward(), { updated_at: inDays(1) }), [reward()])).toBeNull()
  })

  test.each<[string, Partial<EntitlementSource>]>([
    ["denied", { is_active: false }],
    ["given an end", { expiration_date: inDays(9) }],
    ["named", { store: "web" }],
    ["given data", { raw_data: { by: "reward", more: 1 } }],
    ["emptied", { raw_data: {} }],
  ])("is the row that an earlier release has %s since", (_, given) => {
    const written = row(reward(), given)
    expect(readAdminContent(written, [reward()])).toEqual(readContent(written))
    expect(readAdminContent(written, [admin(), reward({ expiration_date: inDays(1) })])).toEqual(readContent(written))
  })
})

describe("the end of rewards [G5.1]", () => {
  const last = (expiration_date: Date | null) => reward({ expiration_date })
  const end = new Date("9999-12-31T23:59:59.999Z")
  test.each<[string, EntitlementSource | null, number | null, Date | null, number | null]>([
    ["begins now for the first", null, 30, inDays(30), 30],
    ["begins at the end of the last one", last(inDays(10)), 30, inDays(40), 30],
    ["begins now where the last one has ended", last(inDays(-10)), 30, inDays(30), 30],
    ["is never for null", last(inDays(10)), null, null, null],
    ["stays never", last(null), 30, null, 30],
    ["has the most days", null, 36_500, inDays(36_500), 36_500],
    ["is cut where time ends", last(new Date(end.getTime() - 3 * day)), 30, end, 3],
    ["is cut to nothing", last(end), 1, end, 0],
  ])("%s", (_, before, days, expiration_date, given) => {
    expect(extendReward(before, days, now)).toEqual({ expiration_date, days: given })
  })
})
