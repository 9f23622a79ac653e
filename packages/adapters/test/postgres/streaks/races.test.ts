import { Effect } from "effect"
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest"
import { type StreakWorld, streakServer } from "./harness.ts"

const yesterday = "2026-03-01T12:00:00Z"

describe("streaks against what happens at the same time", () => {
  const server = streakServer()
  let world: StreakWorld
  beforeEach(async () => {
    world = await server.world()
  })
  afterEach(async () => void (await world.close()))
  afterAll(server.close)

  const remove = (user: string) => world.run(world.core.users.remove(world.project, user))

  describe("a user is removed while a transaction has the streak locked", () => {
    /** What saves streaks of the user and writes periods of them. */
    const savings: ReadonlyArray<[name: string, begin: (user: string, definition: string) => Promise<unknown>]> = [
      [
        "of events",
        async (user) => {
          await world.record([user], yesterday)
          return world.process()
        },
      ],
      ["of an expiry", () => world.process()],
      [
        "of a rebuild",
        async (_, definition) => {
          await world.run(world.core.streaks.update(world.project, definition, { max_freezes: 3 }))
          return world.process()
        },
      ],
      [
        "of a granted shield",
        (user, definition) => world.run(world.core.streaks.grantShield(world.project, user, definition)),
      ],
    ]

    it.each(savings)("%s, and neither fails", async (_, save) => {
      const { id } = await world.define()
      const [user = ""] = await world.users(1)
      world.clock.set(new Date("2026-02-26T12:00:00.000Z"))
      await world.record([user], "2026-02-26T12:00:00Z")
      await world.process()
      // Its deadlines pass, and nobody has looked.
      world.clock.set(new Date("2026-03-02T12:00:00.000Z"))
      const latch = world.pauseAfterLock()
      const saved = save(user, id)
      await latch.reached
      const removed = remove(user)
      await world.somebodyWaits()
      latch.release()
      await expect(Promise.all([saved, removed])).resolves.toBeDefined()
      expect(await world.streaks(user)).toEqual([])
      expect(world.failures()).toEqual([])
    })
  })

  it("removals of users under ingest fail nowhere", async () => {
    await world.define()
    await world.define({ period: "weekly" })
    const users = await world.users(120)
    const ingest = async (part: number) => {
      for (let round = 0; round < 6; round += 1) {
        const own = users.filter((_, at) => at % 2 === part)
        // Those who are gone refuse a whole call, so each is written alone.
        await Promise.allSettled(own.map((user) => world.record([user], `2026-02-2${round + 1}T12:00:00Z`, yesterday)))
        await world.process()
      }
    }
    const removals = async () => {
      const gone = users.filter((_, at) => at % 3 === 0)
      for (const user of gone) await Promise.all([remove(user), world.process()])
    }
    await Promise.all([ingest(0), ingest(1), removals()])
    await world.process()
    expect(world.failures()).toEqual([])
    // Six days, two freezes and a day; two weeks.
    expect((await world.streaks(users[1] ?? "")).map(({ current_count }) => current_count).sort()).toEqual([2, 7])
  })

  describe("a definition is removed", () => {
    const deleteDefinition = (id: string) => world.begin(`delete from streak_definitions where id = '${id}'`)

    it("while events are counted for it: they count for the others", async () => {
      const [gone, kept] = [await world.define(), await world.define()]
      const [user = ""] = await world.users(1)
      await world.record([user], yesterday)
      const deletion = await deleteDefinition(gone.id)
      const processed = world.process()
      await world.somebodyWaits()
      await deletion.commit()
      await processed
      expect((await world.streaks(user)).map((streak) => streak.streak_definition_id)).toEqual([kept.id])
      // Nothing failed first and was made up for by another try.
      expect(world.handled()).toBe(1)
      expect(world.failures()).toEqual([])
    })

    it("while its user qualifies: there is none any more", async () => {
      const { id } = await world.define()
      const [user = ""] = await world.users(1)
      const deletion = await deleteDefinition(id)
      const qualified = world.run(Effect.flip(world.core.streaks.qualify(world.project, user, id, {})))
      await world.somebodyWaits()
      await deletion.commit()
      expect(await qualified).toMatchObject({ code: "STREAK_DEFINITION_NOT_FOUND" })
    })

    it("after its user has begun to qualify: it waits for that", async () => {
      const { id } = await world.define()
      const [user = ""] = await world.users(1)
      const latch = world.pauseAfterLock()
      const qualified = world.run(world.core.streaks.qualify(world.project, user, id, {}))
      await latch.reached
      const removed = world.run(world.core.streaks.remove(world.project, id))
      await world.somebodyWaits()
      latch.release()
      expect(await qualified).toMatchObject({ current_count: 1 })
      await removed
      expect(await world.streaks(user)).toEqual([])
    })
  })

  describe("a user moves to another zone", () => {
    // In Los Angeles it is the evening before.
    const night = "2026-03-02T03:00:00Z"
    const move = (user: string) =>
      world.begin(`update app_users set timezone = 'America/Los_Angeles' where id = '${user}'`)

    it("while an event is counted: it is of the day there", async () => {
      await world.define()
      const [user = ""] = await world.users(1)
      await world.record([user], night)
      const moved = await move(user)
      const processed = world.process()
      await world.somebodyWaits()
      await moved.commit()
      await processed
      expect(await world.streaks(user)).toMatchObject([
        { last_period: "2026-03-01", expires_at: new Date("2026-03-03T08:00:00.000Z") },
      ])
    })

    it("while a call qualifies: it is of the day there", async () => {
      const { id } = await world.define()
      const [user = ""] = await world.users(1)
      world.clock.set(new Date(night))
      const moved = await move(user)
      const qualified = world.run(world.core.streaks.qualify(world.project, user, id, {}))
      await world.somebodyWaits()
      await moved.commit()
      expect(await qualified).toMatchObject({ last_period: "2026-03-01" })
    })
  })
})
