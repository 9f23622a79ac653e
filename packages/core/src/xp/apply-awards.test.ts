import { describe, expect, it } from "vitest"
import { applyAwards, findLevels } from "./apply-awards.ts"
import type { XpAward } from "./entry.ts"

const levels = [
  { name: "Newcomer", xp_required: 0 },
  { name: "Bronze", xp_required: 100 },
  { name: "Silver", xp_required: 200 },
  { name: "Gold", xp_required: 300 },
]

const award = (amount: number, app_user_id = "ada"): XpAward => ({
  ...{ app_user_id, amount, source: "admin", reference_id: null, cause_key: "any" },
  occurred_at: new Date("2026-03-01T12:00:00.000Z"),
})

const apply = (before: { total: number; highest_total: number }, amounts: ReadonlyArray<number>) => {
  const totals = new Map([["ada", { app_user_id: "ada", ...before }]])
  const { applied, totals: after } = applyAwards(
    totals,
    levels,
    amounts.map((amount) => award(amount)),
  )
  return {
    amounts: applied.map(({ amount }) => amount),
    totals: applied.map(({ total }) => total),
    levels: applied.map((each) => each.levels.map(({ name }) => name).join()),
    after: after.map(({ total, highest_total }) => [total, highest_total]),
  }
}

describe("awards", () => {
  it.each<[string, number, number, number[], number[], number[], string[], number[][]]>([
    // what, total, highest, awards, given, totals, levels, after
    ["add up", 0, 0, [10, 20], [10, 20], [10, 30], ["", ""], [[30, 30]]],
    ["reach a level at its number", 0, 0, [99, 1, 1], [99, 1, 1], [99, 100, 101], ["", "Bronze", ""], [[101, 101]]],
    ["reach levels that are passed over", 0, 0, [250], [250], [250], ["Bronze,Silver"], [[250, 250]]],
    ["never reach a level at 0", 0, 0, [1], [1], [1], [""], [[1, 1]]],
    ["are taken silently", 250, 250, [-100], [-100], [150], [""], [[150, 250]]],
    ["are cut at 0", 50, 250, [-80], [-50], [0], [""], [[0, 250]]],
    ["leave nothing where nothing is left to take", 0, 250, [-80, -1], [], [], [], []],
    ["reach no level twice", 0, 250, [200, 60, 40], [200, 60, 40], [200, 260, 300], ["", "", "Gold"], [[300, 300]]],
    ["follow one another", 0, 0, [5, -10, 7], [5, -5, 7], [5, 0, 7], ["", "", ""], [[7, 7]]],
    [
      "stop where numbers stop to be exact",
      2 ** 53 - 2,
      2 ** 53 - 2,
      [5, 5],
      [1],
      [2 ** 53 - 1],
      [""],
      [[2 ** 53 - 1, 2 ** 53 - 1]],
    ],
  ])("%s [G2.3]", (_, total, highest_total, given, amounts, totals, reached, after) => {
    expect(apply({ total, highest_total }, given)).toEqual({ amounts, totals, levels: reached, after })
  })

  it("keep users apart, and leave out those who are gone", () => {
    const totals = new Map(["ada", "bob"].map((id) => [id, { app_user_id: id, total: 95, highest_total: 95 }]))
    const { applied } = applyAwards(totals, levels, [award(1), award(5, "bob"), award(9, "gone"), award(4)])
    expect(applied.map((each) => [each.award.app_user_id, each.total, each.levels.length])).toEqual([
      ["ada", 96, 0],
      ["bob", 100, 1],
      ["ada", 100, 1],
    ])
  })
})

describe("the level of a total [G2.4]", () => {
  it.each([
    [0, "Newcomer", "Bronze"],
    [99, "Newcomer", "Bronze"],
    [100, "Bronze", "Silver"],
    [299, "Silver", "Gold"],
    [300, "Gold", undefined],
    [9_000_000_000, "Gold", undefined],
  ])("%i", (total, level, next) => {
    const found = findLevels(levels, total)
    expect([found.level?.name, found.next_level?.name]).toEqual([level, next])
  })

  it("is null below the first one, and where there are none", () => {
    expect(findLevels(levels.slice(1), 99)).toEqual({ level: null, next_level: levels[1] })
    expect(findLevels([], 1_000)).toEqual({ level: null, next_level: null })
  })
})
