import { anId, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { createEngagement } from "../engagement.ts"

const all = { limit: 50, offset: 0 }

/** A project with users, and what they do to each other. */
const relatedWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const core = createEngagement(world.ports)
  const { projectId } = await world.aProjectWithOwner()
  const user = async () => (await world.aSignedInUser(projectId)).userId
  const { relations } = core
  const ids = async <E>(page: Effect.Effect<{ readonly rows: ReadonlyArray<{ readonly id: string }> }, E>) =>
    (await world.run(page)).rows.map(({ id }) => id)
  return {
    ...{ world, core, projectId, user },
    refusal: <A, E>(effect: Effect.Effect<A, E>) => world.run(Effect.flip(effect)),
    follow: (id: string, other: string) => relations.follow(projectId, id, other),
    unfollow: (id: string, other: string) => relations.unfollow(projectId, id, other),
    block: (id: string, other: string) => relations.block(projectId, id, other),
    unblock: (id: string, other: string) => relations.unblock(projectId, id, other),
    following: (id: string) => ids(relations.follows(projectId, id, "following", all)),
    followers: (id: string) => ids(relations.follows(projectId, id, "followers", all)),
    blocks: (id: string) => ids(relations.blocks(projectId, id, all)),
  }
}

describe("a follow", () => {
  it("is made once, is the same again, and ends [I3.2]", async () => {
    const { world, user, follow, unfollow, following, followers } = await relatedWorld()
    const [ada, bob] = [await user(), await user()]
    const first = await world.run(follow(ada, bob))
    expect(first).toMatchObject({ created: true, row: { id: bob, created_at: new Date("2026-03-01T12:00:00.000Z") } })
    world.clock.advance("1 hour")
    expect(await world.run(follow(ada, bob))).toEqual({ ...first, created: false })
    expect([await following(ada), await followers(bob), await following(bob)]).toEqual([[bob], [ada], []])
    await world.run(unfollow(ada, bob))
    await world.run(unfollow(ada, bob))
    expect(await following(ada)).toEqual([])
  })

  it("is of another user who is there [I3.2]", async () => {
    const { core, world, projectId, user, follow, unfollow, refusal } = await relatedWorld()
    const ada = await user()
    for (const call of [follow, unfollow]) {
      expect(await refusal(call(ada, ada))).toMatchObject({ code: "INVALID_INPUT" })
      expect(await refusal(call(ada, anId()))).toMatchObject({ code: "USER_NOT_FOUND" })
    }
    await world.run(core.users.remove(projectId, ada))
    expect(await refusal(follow(ada, await user()))).toMatchObject({ code: "INVALID_TOKEN" })
  })

  it("is refused where either has blocked the other, and says no more than that [I3.2]", async () => {
    const { world, user, follow, block, unblock, refusal } = await relatedWorld()
    const [ada, bob] = [await user(), await user()]
    await world.run(block(ada, bob))
    expect(await refusal(follow(ada, bob))).toMatchObject({ code: "BLOCKED", kind: "forbidden" })
    expect(await refusal(follow(bob, ada))).toMatchObject({ code: "BLOCKED", kind: "forbidden" })
    await world.run(unblock(ada, bob))
    expect(await world.run(follow(bob, ada))).toMatchObject({ created: true })
  })

  it("is one of at most 5,000; those that are there stay and are answered [I0.2]", async () => {
    const { world, projectId, user, follow, unfollow, refusal } = await relatedWorld()
    const ada = await user()
    const rows = Array.from({ length: 5_000 }, (_, at) => ({ at, id: anId() }))
    await world.run(
      world.ports.tenants.transact(projectId, (db) =>
        Effect.forEach(rows, ({ at, id }) =>
          Effect.gen(function* () {
            const found = yield* db.users.find({ id: ada })
            if (found._tag === "None") return
            yield* db.users.insert({ ...found.value, id, anonymous_id: `other-${at}` })
            const created_at = world.clock.now()
            yield* db.follows.insert({ id: anId(), follower_id: ada, followed_id: id, created_at })
          }).pipe(Effect.orDie),
        ),
      ),
    )
    const [first, other] = [rows[0]?.id ?? "", await user()]
    // Of many at once no more than fit.
    await world.run(unfollow(ada, first))
    const wanted = await Promise.all(Array.from({ length: 5 }, user))
    const exits = await world.run(
      Effect.all(
        wanted.map((id) => Effect.exit(follow(ada, id))),
        { concurrency: "unbounded" },
      ),
    )
    expect(exits.filter(({ _tag }) => _tag === "Success")).toHaveLength(1)
    for (const id of wanted) await world.run(unfollow(ada, id))
    await world.run(follow(ada, first))
    expect(await refusal(follow(ada, other))).toMatchObject({ code: "QUOTA_EXCEEDED", details: { limit: 5_000 } })
    expect(await world.run(follow(ada, first))).toMatchObject({ created: false })
    await world.run(unfollow(ada, first))
    expect(await world.run(follow(ada, other))).toMatchObject({ created: true })
    expect(await world.run(follow(other, ada))).toMatchObject({ created: true })
  })
})

describe("a block", () => {
  it("ends the follows both ways, and no others; unblocking brings none back [I3.2]", async () => {
    const { world, user, follow, block, unblock, following, followers, blocks } = await relatedWorld()
    const [ada, bob, eve] = [await user(), await user(), await user()]
    for (const pair of [
      [ada, bob],
      [bob, ada],
      [ada, eve],
      [eve, bob],
    ] as const)
      await world.run(follow(...pair))
    const first = await world.run(block(ada, bob))
    expect(first).toMatchObject({ created: true, row: { id: bob } })
    expect(await world.run(block(ada, bob))).toEqual({ ...first, created: false })
    expect([await following(ada), await following(bob), await followers(bob)]).toEqual([[eve], [], [eve]])
    expect([await blocks(ada), await blocks(bob)]).toEqual([[bob], []])
    await world.run(unblock(ada, bob))
    await world.run(unblock(ada, bob))
    expect([await blocks(ada), await following(bob)]).toEqual([[], []])
  })

  it("is of another user who is there; it may be mutual, and ends for the one who made it [I4.3]", async () => {
    const { world, user, block, unblock, blocks, refusal } = await relatedWorld()
    const [ada, bob] = [await user(), await user()]
    expect(await refusal(block(ada, ada))).toMatchObject({ code: "INVALID_INPUT" })
    expect(await refusal(block(ada, anId()))).toMatchObject({ code: "USER_NOT_FOUND" })
    await world.run(Effect.all([block(ada, bob), block(bob, ada)], { concurrency: "unbounded" }))
    await world.run(unblock(bob, ada))
    await world.run(unblock(ada, anId()))
    expect([await blocks(ada), await blocks(bob)]).toEqual([[bob], []])
  })

  it("is one of at most 1,000 [I0.2]", async () => {
    const { world, projectId, user, block, refusal } = await relatedWorld()
    const [ada, bob] = [await user(), await user()]
    await world.run(
      world.ports.tenants.transact(projectId, (db) =>
        Effect.forEach(Array.from({ length: 1_000 }), (_, at) =>
          Effect.gen(function* () {
            const found = yield* db.users.find({ id: ada })
            if (found._tag === "None") return
            const id = anId()
            yield* db.users.insert({ ...found.value, id, anonymous_id: `other-${at}` })
            yield* db.blocks.insert({ id: anId(), blocker_id: ada, blocked_id: id, created_at: world.clock.now() })
          }).pipe(Effect.orDie),
        ),
      ),
    )
    expect(await refusal(block(ada, bob))).toMatchObject({ code: "QUOTA_EXCEEDED", details: { limit: 1_000 } })
    expect(await world.run(block(bob, ada))).toMatchObject({ created: true })
  })

  it("and a follow at the same time leave a block and no follow, whichever comes first [I3.2]", async () => {
    const { world, user, follow, block, following, followers, blocks } = await relatedWorld()
    // A follow that begins later by so many steps than the block, and one that begins earlier.
    for (let steps = -12; steps <= 12; steps += 1) {
      const [ada, bob] = [await user(), await user()]
      const after = <A, E>(count: number, call: Effect.Effect<A, E>) =>
        Effect.exit(Effect.andThen(Effect.repeat(Effect.yieldNow, { times: Math.max(0, count) }), call))
      const calls = [after(steps, follow(ada, bob)), after(-steps, block(bob, ada)), after(steps, follow(bob, ada))]
      await world.run(Effect.all(calls, { concurrency: "unbounded" }))
      expect([steps, await blocks(bob), await following(ada), await followers(ada)]).toEqual([steps, [ada], [], []])
    }
  })
})

describe("a user who goes", () => {
  it("leaves no follow and no block behind, of any number [I0.4]", async () => {
    const { world, core, projectId, user, follow, block, following, blocks } = await relatedWorld()
    const [ada, bob, eve] = [await user(), await user(), await user()]
    await world.run(Effect.all([follow(ada, bob), follow(bob, ada), follow(bob, eve), block(eve, ada)]))
    await world.run(core.users.remove(projectId, ada))
    expect([await following(bob), await blocks(eve)]).toEqual([[eve], []])
  })
})
