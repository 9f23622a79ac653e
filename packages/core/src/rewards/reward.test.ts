import { Result } from "effect"
import { describe, expect, it, test } from "vitest"
import { givesNothing, parseReward, type RewardParts } from "./reward.ts"

const nothing: RewardParts = { currencies: [], xp: 0, items: [], entitlements: [] }
const ofEach = <A>(count: number, make: (n: number) => A) => Array.from({ length: count }, (_, n) => make(n))

describe("a reward [G5.1]", () => {
  test.each<[string, unknown, Partial<RewardParts>]>([
    ["nothing", {}, {}],
    ["empty parts", { currencies: {}, items: [], entitlements: [] }, {}],
    ["other keys", { note: "hi", xp: 1 }, { xp: 1 }],
    [
      "the least of everything",
      {
        currencies: { A: 0.0001 },
        xp: 1,
        items: [{ key: "a", quantity: 1 }],
        entitlements: [{ entitlement_id: "p", days: 1 }],
      },
      {
        ...{ currencies: [{ code: "A", amount: 0.0001 }], xp: 1, items: [{ key: "a", quantity: 1 }] },
        entitlements: [{ entitlement_id: "p", days: 1 }],
      },
    ],
    [
      "the most of everything",
      {
        ...{ currencies: { A: 900_000_000_000 }, xp: 1_000_000_000, items: [{ key: "a", quantity: 1_000_000 }] },
        entitlements: [
          { entitlement_id: "p", days: 36_500 },
          { entitlement_id: "q", days: null, more: 1 },
        ],
      },
      {
        ...{ currencies: [{ code: "A", amount: 900_000_000_000 }], xp: 1_000_000_000 },
        items: [{ key: "a", quantity: 1_000_000 }],
        entitlements: [
          { entitlement_id: "p", days: 36_500 },
          { entitlement_id: "q", days: null },
        ],
      },
    ],
    [
      "an item twice",
      {
        items: [
          { key: "a", quantity: 2 },
          { key: "b", quantity: 1 },
          { key: "a", quantity: 3 },
        ],
      },
      {
        items: [
          { key: "a", quantity: 5 },
          { key: "b", quantity: 1 },
        ],
      },
    ],
    [
      "100 items",
      { items: ofEach(100, (n) => ({ key: `${n}`, quantity: 1 })) },
      { items: ofEach(100, (n) => ({ key: `${n}`, quantity: 1 })) },
    ],
  ])("can be %s", (_, reward, expected) => {
    expect(Result.getOrThrow(parseReward(reward))).toEqual({ ...nothing, ...expected })
  })

  const item = { key: "a", quantity: 1 }
  const pro = { entitlement_id: "pro", days: 1 }
  test.each<[unknown, string]>([
    [null, ""],
    [undefined, ""],
    ["xp", ""],
    [[], ""],
    [new Date(0), ""],
    [new Map(), ""],
    [{ xp: 0 }, "xp"],
    [{ xp: -1 }, "xp"],
    [{ xp: 1.5 }, "xp"],
    [{ xp: 1_000_000_001 }, "xp"],
    [{ xp: "5" }, "xp"],
    [{ xp: null }, "xp"],
    [{ currencies: [] }, "currencies"],
    [{ currencies: null }, "currencies"],
    [{ currencies: { A: 0 } }, "currencies.A"],
    [{ currencies: { A: -1 } }, "currencies.A"],
    [{ currencies: { A: 0.00001 } }, "currencies.A"],
    [{ currencies: { A: 900_000_000_000.0001 } }, "currencies.A"],
    [{ currencies: { A: "5" } }, "currencies.A"],
    [{ currencies: { A: null } }, "currencies.A"],
    [{ currencies: Object.fromEntries(ofEach(101, (n) => [`C${n}`, 1])) }, "currencies"],
    [{ items: {} }, "items"],
    [{ items: null }, "items"],
    [{ items: ["a"] }, "items.0"],
    [{ items: [null] }, "items.0"],
    [{ items: [item, { quantity: 1 }] }, "items.1.key"],
    [{ items: [{ ...item, key: "" }] }, "items.0.key"],
    [{ items: [{ ...item, key: "x".repeat(256) }] }, "items.0.key"],
    [{ items: [{ ...item, key: 1 }] }, "items.0.key"],
    [{ items: [{ key: "a" }] }, "items.0.quantity"],
    [{ items: [{ ...item, quantity: 0 }] }, "items.0.quantity"],
    [{ items: [{ ...item, quantity: 1.5 }] }, "items.0.quantity"],
    [{ items: [{ ...item, quantity: 1_000_001 }] }, "items.0.quantity"],
    [{ items: ofEach(101, () => item) }, "items"],
    [{ entitlements: {} }, "entitlements"],
    [{ entitlements: [{ days: 1 }] }, "entitlements.0.entitlement_id"],
    [{ entitlements: [{ ...pro, entitlement_id: "" }] }, "entitlements.0.entitlement_id"],
    [{ entitlements: [{ ...pro, entitlement_id: "NUL \u0000" }] }, "entitlements.0.entitlement_id"],
    [{ entitlements: [{ entitlement_id: "pro" }] }, "entitlements.0.days"],
    [{ entitlements: [{ ...pro, days: 0 }] }, "entitlements.0.days"],
    [{ entitlements: [{ ...pro, days: 36_501 }] }, "entitlements.0.days"],
    [{ entitlements: [{ ...pro, days: 0.5 }] }, "entitlements.0.days"],
  ])("cannot be %j", (reward, path) => {
    const failed = Result.flip(parseReward(reward))
    expect(Result.getOrThrow(failed)).toMatchObject({ code: "INVALID_REWARD", details: { issues: [{ path }] } })
  })

  it("is told all that is wrong with it at once", () => {
    const failed = Result.flip(parseReward({ xp: 0, currencies: { A: 0, B: 1 }, items: [{}], entitlements: 1 }))
    const issues = (Result.getOrThrow(failed).details?.["issues"] ?? []) as ReadonlyArray<{ path: string }>
    expect(issues.map(({ path }) => path)).toEqual(["xp", "currencies.A", "items.0.key", "entitlements"])
  })

  it("gives nothing where it has no parts", () => {
    for (const reward of [{}, { note: 1 }, { currencies: {}, items: [], entitlements: [] }])
      expect(givesNothing(Result.getOrThrow(parseReward(reward)))).toBe(true)
    for (const reward of [{ xp: 1 }, { currencies: { A: 1 } }, { items: [item] }, { entitlements: [pro] }])
      expect(givesNothing(Result.getOrThrow(parseReward(reward)))).toBe(false)
  })

  it("does not take what every object has for a part", () => {
    expect(Result.getOrThrow(parseReward(JSON.parse('{"__proto__":{"xp":5}}')))).toEqual(nothing)
    expect(Result.isFailure(parseReward(JSON.parse('{"items":[{"__proto__":{"key":"a"},"quantity":1}]}')))).toBe(true)
  })
})
