import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { averageRating, changeRatings, isVisible, parseRating, sumUpStats } from "./rules.ts"

describe("a rating [I5.1]", () => {
  it.each([1, 2, 3, 4, 5])("is %i", (rating) => {
    expect(Effect.runSync(parseRating(rating))).toBe(rating)
  })

  it.each<[unknown]>([[0], [6], [-1], [4.5], [Number.NaN], ["5"], [null], [undefined], [true], [[5]], [{}], [1e300]])(
    "is not %j",
    (given) => {
      const exit = Effect.runSyncExit(parseRating(given))
      expect(Exit.isFailure(exit) && exit.cause.toString()).toContain("InvalidRating")
    },
  )
})

describe("an average [I5.2]", () => {
  it.each([
    [0, 0, null],
    [5, 1, 5],
    [9, 2, 4.5],
    [10, 3, 3.33],
    [11, 3, 3.67],
    // 1.005 is less than that in binary; halves are rounded up all the same.
    [201, 200, 1.01],
    [203, 200, 1.02],
    [609, 200, 3.05],
    [1, 1, 1],
    [2_147_483_645, 429_496_729, 5],
    [429_496_730, 429_496_729, 1],
  ])("of %i in %i is %d", (sum, count, expected) => {
    expect(averageRating(sum, count)).toBe(expected)
  })
})

describe("who sees a review [I5.3, I6.3]", () => {
  it.each([
    [true, "shown", "ada", true],
    [false, "shown", "ada", false],
    [false, "held", "ada", false],
    [false, "rejected", "ada", false],
    [true, "held", "ada", false],
    [false, "shown", "bob", true],
    [false, "held", "bob", true],
    [false, "rejected", "bob", true],
  ] as const)("approved %s, %s, %s: %s", (is_approved, moderation, userId, expected) => {
    expect(isVisible({ is_approved, moderation, app_user_id: "bob" }, userId)).toBe(expected)
  })
})

describe("the ratings of an item [I5.2]", () => {
  const item = { rating_sum: 9, review_count: 2 }
  const approved = (rating: number) => ({ rating, is_approved: true })
  const waiting = (rating: number) => ({ rating, is_approved: false })
  it.each([
    ["one that is approved", [waiting(3)], [approved(3)], 12, 3, 4],
    ["one that waits", [], [waiting(1)], 9, 2, 4.5],
    ["one that is changed, and waits again", [approved(5)], [waiting(1)], 4, 1, 4],
    ["one whose rating changes", [approved(5)], [approved(1)], 5, 2, 2.5],
    ["one that waited and is gone", [waiting(5)], [], 9, 2, 4.5],
    ["all that are gone", [approved(5), approved(4), waiting(1)], [], 0, 0, null],
  ])("follow %s", (_, gone, added, rating_sum, review_count, avg_rating) => {
    expect(changeRatings(item, gone, added)).toEqual({ rating_sum, review_count, avg_rating })
  })
})

it("statistics count all, and of approved ones the average and the ratings [I5.2]", () => {
  expect(sumUpStats([])).toEqual({
    total_reviews: 0,
    average_rating: null,
    pending_approval: 0,
    rating_distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
  })
  const counts = [
    { rating: 5, is_approved: true, count: 2 },
    { rating: 4, is_approved: true, count: 1 },
    { rating: 5, is_approved: false, count: 7 },
  ]
  expect(sumUpStats(counts)).toEqual({
    total_reviews: 10,
    average_rating: 4.67,
    pending_approval: 7,
    rating_distribution: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 2 },
  })
})
