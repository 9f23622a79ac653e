import type { Engagement, Failure } from "@hearth/core"
import { moderatedContents } from "@hearth/core"
import { anId, aReview, testWorld } from "@hearth/testing"
import { Effect, Option } from "effect"
import { describe, expect, it } from "vitest"

const all = { limit: 50, offset: 0 }
const book = { item_type: "book", item_id: "b-1" }

/** A project with users who write reviews. */
const reviewWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { core } = world
  const { projectId } = await world.aProjectWithOwner()
  const transact = <A>(work: Parameters<typeof world.ports.tenants.transact<A, never>>[1]) =>
    world.run(world.ports.tenants.transact(projectId, work))
  const user = async () => (await world.aSignedInUser(projectId)).userId
  const refusal = <A, E extends Failure>(effect: Effect.Effect<A, E>) => world.run(Effect.flip(effect))
  type Input = Partial<Parameters<Engagement["reviews"]["create"]>[2]>
  return {
    ...{ world, core, projectId, user, refusal, transact },
    write: (userId: string, given: Input = {}) =>
      core.reviews.create(projectId, userId, { ...book, rating: 4, title: null, body: null, ...given }),
    change: (userId: string, id: string, changes: Parameters<Engagement["reviews"]["update"]>[3]) =>
      core.reviews.update(projectId, userId, id, changes),
    approve: (id: string, is_approved = true) => world.run(core.reviews.manage.approve(projectId, id, is_approved)),
    list: (userId: string) => world.run(core.reviews.listOfItem(projectId, userId, book, all)),
    trust: async (app_user_id: string) =>
      transact((db) =>
        db.trustLevels.save({ app_user_id, trust_level: "trusted", auto_approve: true, updated_at: world.clock.now() }),
      ),
    rule: (word: string, action: string) =>
      transact((db) =>
        Effect.orDie(
          db.moderationRules.insert({
            ...{ id: anId(), name: word, rule_type: "keyword", config: { keywords: [word], action } },
            ...{ is_active: true, created_at: world.clock.now(), revision: 1 },
          }),
        ),
      ),
    /** Decides as a moderator does. */
    decide: async (id: string, verb: "show" | "hide") => {
      const content = moderatedContents.find(({ content_type }) => content_type === "review")
      await transact((db) =>
        Effect.gen(function* () {
          yield* content?.find(db, id, { lock: true }) ?? Effect.void
          yield* content?.[verb](db, id, world.clock.now()) ?? Effect.void
        }),
      )
    },
  }
}

describe("a review", () => {
  it("is written once per user and item, and waits for approval [I5.1]", async () => {
    const { world, user, write, refusal } = await reviewWorld()
    const ada = await user()
    const review = await world.run(write(ada, { title: "Good", body: "Very" }))
    expect(review).toMatchObject({
      ...{ app_user_id: ada, rating: 4, title: "Good", body: "Very", is_approved: false, moderation: "shown" },
      ...{ created_at: world.clock.now(), updated_at: world.clock.now() },
    })
    expect(await refusal(write(ada, { rating: 1 }))).toMatchObject({ code: "ALREADY_REVIEWED" })
    expect(await world.run(write(ada, { item_id: "b-2" }))).toMatchObject({ rating: 4 })
    const bobs = await world.run(write(await user()))
    expect(bobs.reviewable_item_id).toBe(review.reviewable_item_id)
  })

  it("has a rating from 1 to 5, before anything else is looked at [I5.1]", async () => {
    const { world, user, write, change, refusal } = await reviewWorld()
    const ada = await user()
    for (const rating of [0, 6, 4.5, "4", null, undefined])
      expect(await refusal(write(ada, { rating }))).toMatchObject({ code: "INVALID_RATING" })
    const { id } = await world.run(write(ada))
    expect(await refusal(change(ada, id, { rating: 6 }))).toMatchObject({ code: "INVALID_RATING" })
    expect(await refusal(change(ada, anId(), { rating: null }))).toMatchObject({ code: "INVALID_RATING" })
  })

  it("is one of at most 5,000 of a user; a second one of an item is refused as such [I0.2]", async () => {
    const { world, user, write, refusal, transact, projectId, core } = await reviewWorld()
    const ada = await user()
    const first = await world.run(write(ada))
    await transact((db) =>
      Effect.forEach(Array.from({ length: 4_999 }), () =>
        Effect.gen(function* () {
          const item = { id: anId(), ...book, item_id: anId(), avg_rating: null, review_count: 0, rating_sum: 0 }
          yield* Effect.orDie(db.reviewableItems.insert(item))
          yield* Effect.orDie(db.reviews.insert(aReview({ app_user_id: ada, reviewable_item_id: item.id })))
        }),
      ),
    )
    expect(await refusal(write(ada, { item_id: "new" }))).toMatchObject({
      ...{ code: "QUOTA_EXCEEDED", details: { limit: 5_000 } },
    })
    expect(await refusal(write(ada))).toMatchObject({ code: "ALREADY_REVIEWED" })
    await world.run(core.reviews.remove(projectId, ada, first.id))
    expect(await world.run(write(ada, { item_id: "new" }))).toMatchObject({ app_user_id: ada })
  })

  it("is told of once, with item and rating [I5.3]", async () => {
    const { world, core, projectId, user, write, refusal } = await reviewWorld()
    const ada = await user()
    await world.run(write(ada, { rating: 2 }))
    await refusal(write(ada))
    const { rows } = await world.run(core.events.ofUser(projectId, ada, all))
    expect(rows.map(({ event_name, properties }) => [event_name, properties])).toEqual([
      ["review_posted", { ...book, rating: 2 }],
    ])
  })

  it("can be changed and removed by its author alone", async () => {
    const { world, core, projectId, user, write, change, refusal, list } = await reviewWorld()
    const [ada, eve] = [await user(), await user()]
    const { id } = await world.run(write(ada, { title: "Good" }))
    expect(await refusal(change(eve, id, { rating: 1 }))).toMatchObject({ code: "NOT_FOUND" })
    expect(await refusal(change(eve, id, {}))).toMatchObject({ code: "NOT_FOUND" })
    expect(await refusal(change(ada, anId(), { rating: 1 }))).toMatchObject({ code: "NOT_FOUND" })
    await world.run(core.reviews.remove(projectId, eve, id))
    world.clock.advance("1 minute")
    const changed = await world.run(change(ada, id, { rating: 1, title: null }))
    expect(changed).toMatchObject({ id, rating: 1, title: null, updated_at: world.clock.now() })
    expect((await list(ada)).rows).toMatchObject([{ id, rating: 1 }])
    await world.run(core.reviews.remove(projectId, ada, id))
    await world.run(core.reviews.remove(projectId, ada, id))
    expect((await list(ada)).rows).toEqual([])
  })
})

describe("the average of an item", () => {
  it("is of approved reviews, and follows approval, change and removal [I5.2]", async () => {
    const { world, core, projectId, user, write, change, approve, list } = await reviewWorld()
    const [ada, bob, eve] = [await user(), await user(), await user()]
    expect(await list(eve)).toEqual({ rows: [], total: 0, avg_rating: null, review_count: 0 })
    const [first, second] = [await world.run(write(ada, { rating: 5 })), await world.run(write(bob, { rating: 2 }))]
    expect(await list(eve)).toMatchObject({ rows: [], avg_rating: null, review_count: 0 })
    expect(await approve(first.id)).toMatchObject({ is_approved: true })
    await approve(second.id)
    await approve(second.id)
    const third = await world.run(write(eve, { rating: 4 }))
    await approve(third.id)
    expect(await list(eve)).toMatchObject({ total: 3, avg_rating: 3.67, review_count: 3 })
    // A changed one waits again, so it does not count until then.
    expect(await world.run(change(ada, first.id, { rating: 1 }))).toMatchObject({ rating: 1, is_approved: false })
    expect(await list(eve)).toMatchObject({ total: 2, avg_rating: 3, review_count: 2 })
    await approve(first.id)
    await approve(second.id, false)
    expect(await list(bob)).toMatchObject({ total: 3, avg_rating: 2.5, review_count: 2 })
    await world.run(core.reviews.manage.remove(projectId, third.id))
    await world.run(core.reviews.remove(projectId, ada, first.id))
    expect(await list(eve)).toEqual({ rows: [], total: 0, avg_rating: null, review_count: 0 })
    expect(await world.run(core.reviews.manage.stats(projectId))).toMatchObject({
      total_reviews: 1,
      pending_approval: 1,
    })
  })

  it("does not change, and neither does the review, with a change of nothing [A5]", async () => {
    const { world, user, write, change, approve, list } = await reviewWorld()
    const ada = await user()
    const { id } = await world.run(write(ada, { rating: 5, title: "Fine" }))
    const approved = await approve(id)
    world.clock.advance("1 minute")
    for (const same of [{}, { rating: 5 }, { title: "Fine" }, { rating: 5, title: "Fine", body: null }]) {
      expect(await world.run(change(ada, id, same))).toEqual(approved)
    }
    expect(await list(ada)).toMatchObject({ avg_rating: 5, review_count: 1 })
    expect(await world.run(change(ada, id, { rating: 5, title: "Good" }))).toMatchObject({ is_approved: false })
  })

  it("follows a user who goes [I0.4]", async () => {
    const { world, core, projectId, user, write, approve, list } = await reviewWorld()
    const [ada, bob] = [await user(), await user()]
    for (const [userId, rating] of [
      [ada, 1],
      [bob, 5],
    ] as const)
      await approve((await world.run(write(userId, { rating }))).id)
    await world.run(core.users.remove(projectId, ada))
    expect(await list(bob)).toMatchObject({ total: 1, avg_rating: 5, review_count: 1 })
  })

  it("and the name of its author are no longer in the queue, once the author is gone [I0.4]", async () => {
    const { world, core, projectId, user, write, rule } = await reviewWorld()
    const [ada, bob] = [await user(), await user()]
    await rule("rude", "flag")
    for (const userId of [ada, bob]) await world.run(write(userId, { body: `a rude word of ${userId}` }))
    await world.run(core.users.change(projectId, ada, { display_name: "Ada Lovelace" }))
    const about = { target_type: "user", target_id: ada, reason: "name" } as const
    await world.run(core.moderation.report(projectId, bob, about))
    const queue = async () => {
      const { rows } = await world.run(core.moderation.queue.list(projectId, "pending", all))
      return rows.map(({ content_type, excerpt }) => [content_type, excerpt])
    }
    expect(await queue()).toEqual(
      expect.arrayContaining([
        ["user", "Ada Lovelace"],
        ["review", expect.stringContaining(ada)],
      ]),
    )
    await world.run(core.users.remove(projectId, ada))
    const left = await queue()
    expect(left).toHaveLength(3)
    expect(left).toEqual(
      expect.arrayContaining([
        ["user", ""],
        ["review", ""],
        ["review", expect.stringContaining(bob)],
      ]),
    )
  })
})

describe("a trusted author's review", () => {
  it("is approved as it is written and changed [I5.1]", async () => {
    const { world, user, write, change, trust, list } = await reviewWorld()
    const [ada, eve] = [await user(), await user()]
    await trust(ada)
    const { id, is_approved } = await world.run(write(ada, { rating: 3 }))
    expect(is_approved).toBe(true)
    expect(await list(eve)).toMatchObject({ total: 1, avg_rating: 3, review_count: 1 })
    expect(await world.run(change(ada, id, { rating: 5 }))).toMatchObject({ rating: 5, is_approved: true })
    expect(await list(eve)).toMatchObject({ avg_rating: 5, review_count: 1 })
  })

  it("is not held by a rule, and still refused by one [I6.2]", async () => {
    const { world, user, write, trust, rule, refusal } = await reviewWorld()
    const ada = await user()
    await trust(ada)
    await rule("maybe", "hold")
    await rule("never", "reject")
    expect(await world.run(write(ada, { body: "maybe" }))).toMatchObject({ is_approved: true, moderation: "shown" })
    expect(await refusal(write(ada, { item_id: "b-2", body: "never" }))).toMatchObject({ code: "CONTENT_REJECTED" })
  })

  it("stays rejected, and is not approved, when it was rejected before [I6.3]", async () => {
    const { world, user, write, change, trust, decide, list } = await reviewWorld()
    const [ada, eve] = [await user(), await user()]
    const { id } = await world.run(write(ada))
    await decide(id, "hide")
    await trust(ada)
    expect(await world.run(change(ada, id, { body: "clean" }))).toMatchObject({
      ...{ is_approved: false, moderation: "rejected" },
    })
    expect(await list(eve)).toMatchObject({ total: 0, review_count: 0 })
  })
})

describe("what moderation does with reviews", () => {
  it("reads title and body, and refuses, holds or queues them [I6.1, I6.3]", async () => {
    const { world, user, write, change, rule, refusal, transact } = await reviewWorld()
    const [ada, bob] = [await user(), await user()]
    await rule("never", "reject")
    await rule("maybe", "hold")
    await rule("look", "flag")
    for (const text of [{ title: "never" }, { body: "so never" }])
      expect(await refusal(write(ada, text))).toMatchObject({ code: "CONTENT_REJECTED" })
    const held = await world.run(write(ada, { title: "maybe" }))
    expect(held).toMatchObject({ moderation: "held", is_approved: false })
    const flagged = await world.run(write(bob, { body: "look" }))
    expect(flagged).toMatchObject({ moderation: "shown", is_approved: false })
    const queue = await transact((db) => db.moderationQueue.list({}, [["created_at", "asc"]]))
    expect(queue.map(({ content_type, content_id }) => [content_type, content_id]).toSorted()).toEqual(
      [held, flagged].map(({ id }) => ["review", id]).toSorted(),
    )
    // A clean text lifts no hold.
    expect(await world.run(change(ada, held.id, { title: "clean" }))).toMatchObject({ moderation: "held" })
    expect(await refusal(change(ada, held.id, { title: "never" }))).toMatchObject({ code: "CONTENT_REJECTED" })
  })

  it("approves and rejects them, and the average follows [I6.3]", async () => {
    const { world, user, write, change, decide, approve, list } = await reviewWorld()
    const [ada, eve] = [await user(), await user()]
    const { id } = await world.run(write(ada, { rating: 5 }))
    await decide(id, "show")
    expect(await list(eve)).toMatchObject({ rows: [{ is_approved: true }], avg_rating: 5, review_count: 1 })
    await decide(id, "hide")
    expect(await list(eve)).toMatchObject({ rows: [], avg_rating: null, review_count: 0 })
    expect(await list(ada)).toMatchObject({ rows: [{ is_approved: false, moderation: "rejected" }] })
    expect(await world.run(change(ada, id, { rating: 4 }))).toMatchObject({ moderation: "rejected" })
    // A developer's word makes it shown.
    expect(await approve(id, false)).toMatchObject({ moderation: "shown", is_approved: false })
    await approve(id)
    expect(await list(eve)).toMatchObject({ rows: [{ is_approved: true }], avg_rating: 4, review_count: 1 })
  })

  it("finds them with their text, for those who can see them [I6.4, I6.5]", async () => {
    const { user, world, write, transact } = await reviewWorld()
    const [ada, eve] = [await user(), await user()]
    const { id, created_at } = await world.run(write(ada, { title: "Good" }))
    const content = moderatedContents.find(({ content_type }) => content_type === "review")
    if (content === undefined) throw new Error("Reviews are not moderated.")
    const found = { content_type: "review", content_id: id, app_user_id: ada, texts: ["Good", null], urls: [] }
    for (const lock of [false, true]) {
      expect(await transact((db) => content.find(db, id, { lock }))).toEqual({ ...found, state: "shown" })
      expect(await transact((db) => content.find(db, anId(), { lock }))).toBeNull()
    }
    const visible = (userId: string, of = id) => transact((db) => content.isVisibleTo(db, of, userId))
    expect([await visible(ada), await visible(eve), await visible(ada, anId())]).toEqual([true, false, false])
    expect(await transact((db) => content.newest(db, 5))).toEqual([{ id, created_at }])
    expect(await transact((db) => Effect.map(db.reviews.find({ id }), Option.isSome))).toBe(true)
  })
})
