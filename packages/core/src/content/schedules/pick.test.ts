import { describe, expect, test } from "vitest"
import { pickInOrder, planDraw } from "./pick.ts"

const items = (ids: string) => [...ids].map((id, sort_order) => ({ id, sort_order }))
const spell = (picked: ReadonlyArray<{ readonly id: string }>) => picked.map(({ id }) => id).join("")

describe("the items to come in order", () => {
  test.each([
    ["", "abc", 1, "a", "begin with the first"],
    ["c", "abc", 1, "c", "go on after the last one"],
    ["c", "abc", 3, "cab", "begin again after the last item"],
    ["bc", "abc", 1, "b", "are not more than asked for"],
    ["", "abc", 7, "abcabca", "come again and again"],
    ["", "a", 3, "aaa", "are one item each time, where there is one"],
    ["", "", 3, "", "are none where there are none"],
    ["bc", "abcdef", 5, "bcabc", "are cut from whatever is known of the beginning"],
  ])("after it %j, of all %j, %i of them: %j: they %s [E11, I1.3]", (after, first, count, picked) => {
    expect(spell(pickInOrder(items(after), items(first), count))).toBe(picked)
  })
})

describe("a draw", () => {
  test.each([
    [{ unseen: 3, all: 5, hasLast: true }, { from: "unseen", count: 3 }, "is from what the round has not shown"],
    [{ unseen: 1, all: 1, hasLast: true }, { from: "unseen", count: 1 }, "also where that is one"],
    [{ unseen: 0, all: 5, hasLast: true }, { from: "all but last", count: 4 }, "of a new round is not the last one"],
    [{ unseen: 0, all: 1, hasLast: true }, { from: "all", count: 1 }, "is the last one again, where there is no other"],
    [{ unseen: 0, all: 5, hasLast: false }, { from: "all", count: 5 }, "is from all where the last one is gone"],
    [{ unseen: 0, all: 0, hasLast: false }, null, "is none of nothing"],
  ] as const)("of %j is %j: it %s [E11, I1.3]", (given, draw, _why) => {
    expect(planDraw(given)).toEqual(draw)
  })
})
