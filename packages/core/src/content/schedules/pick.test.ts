import { describe, expect, test } from "vitest"
import { chooseDrawn, pickInOrder } from "./pick.ts"

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
    [{ unseen: "a", other: "b", last: "c" }, { item: "a", round: 3 }, "is of what the round has not shown"],
    [{ unseen: "a", other: null, last: "a" }, { item: "a", round: 3 }, "also where that was shown last"],
    [{ unseen: null, other: "b", last: "c" }, { item: "b", round: 4 }, "of a new round is not the last one"],
    [
      { unseen: null, other: null, last: "c" },
      { item: "c", round: 4 },
      "is the last one again, where there is no other",
    ],
    [{ unseen: null, other: "b", last: null }, { item: "b", round: 4 }, "is of all where the last one is gone"],
    [{ unseen: null, other: null, last: null }, null, "is none of nothing"],
  ])("of %j is %j: it %s [E11, I1.3]", (given, drawn, _why) => {
    expect(chooseDrawn(given, 3)).toEqual(drawn)
  })
})
