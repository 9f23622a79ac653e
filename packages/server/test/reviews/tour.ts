import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** A review from its author to the developers and back. Input cannot change what the service sets. */
export const tour: Tour = async ({ admin, client, userId }) => {
  const about = { item_type: "book", item_id: "b-1" }
  const forged = { is_approved: true, moderation: "rejected", app_user_id: "x", created_at: "2001-01-01T00:00:00Z" }
  const review = await client("POST /client/reviews", { body: { ...about, rating: 5, body: "=Good", ...forged } })
  expect(review).toMatchObject({
    ...{ app_user_id: userId, rating: 5, title: null, body: "=Good", is_approved: false, moderation: "shown" },
  })
  const reviewId = review["id"]
  const query = "item_type=book&item_id=b-1"
  const person = { id: userId, display_name: expect.any(String), avatar_url: null }
  expect(await client("GET /client/reviews", { query })).toEqual([{ ...review, app_users: person }])
  expect(await client("PATCH /client/reviews/:reviewId", { reviewId, body: { rating: 4, ...forged } })).toMatchObject({
    ...{ id: reviewId, rating: 4, body: "=Good", is_approved: false, moderation: "shown" },
  })

  const listed = await admin<ReadonlyArray<object>>("GET /reviews", { query: "is_approved=false" })
  expect(listed).toMatchObject([{ id: reviewId, app_users: person, reviewable_items: about }])
  expect(await admin("GET /reviews", { query: "is_approved=true" })).toEqual([])
  expect(await admin("GET /reviews", { query: "rating_min=4&rating_max=4" })).toHaveLength(1)
  expect(await admin("GET /reviews", { query: "rating_max=3" })).toEqual([])
  expect(await admin("PATCH /reviews/:reviewId", { reviewId, body: { is_approved: true, rating: 1 } })).toMatchObject({
    ...{ id: reviewId, rating: 4, is_approved: true },
  })
  expect(await admin("GET /reviews/items")).toEqual([
    { id: review["reviewable_item_id"], ...about, avg_rating: 4, review_count: 1 },
  ])
  expect(await admin("GET /reviews/stats")).toEqual({
    ...{ total_reviews: 1, average_rating: 4, pending_approval: 0 },
    rating_distribution: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 0 },
  })
  expect(await admin<string>("GET /reviews/export")).toContain(`"'=Good"`)
  const events = await admin<ReadonlyArray<object>>("GET /users/:userId/events", { userId })
  expect(events).toMatchObject([{ event_name: "review_posted", properties: { ...about, rating: 5 } }])

  await client("DELETE /client/reviews/:reviewId", { reviewId })
  expect(await client("GET /client/reviews", { query })).toEqual([])
  const again = await client("POST /client/reviews", { body: { ...about, rating: 1 } })
  await admin("DELETE /reviews/:reviewId", { reviewId: again["id"] })
  expect(await admin("GET /reviews")).toEqual([])
}
