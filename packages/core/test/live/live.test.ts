import { ServiceUnavailable } from "@hearth/core"
import { defaultLiveSettings, makeLive } from "@hearth/core/live"
import { anXpEntry, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const setUp = async () => {
  const world = testWorld()
  const project = await world.aProjectWithOwner()
  const user = await world.aSignedInUser(project.projectId)
  const expires_at = new Date(world.clock.now().getTime() + 3_600_000)
  const caller = { user_id: user.userId, session_id: "session", expires_at }
  const open = (after: string | null = null) => world.run(world.core.live.ofUser(project.projectId, caller, after))
  const award = (amount: number) => world.run(world.core.xp.award(project.projectId, user.userId, { amount }))
  return { world, ...project, ...user, caller, open, award }
}

describe("a stream in a world whose time is told", () => {
  it("says that it is open, and then what is new, within a second", async () => {
    const { world, open, award } = await setUp()
    const stream = await open()
    const [opened] = (await stream.next()) ?? []
    expect(opened).toMatchObject({ name: "open", data: "{}" })
    const next = stream.next()
    await award(5)
    await world.advance("1 second")
    expect(await next).toMatchObject([{ name: "xp" }])
    stream.close()
    await world.advance("1 second")
    expect([world.core.live.count(), await stream.next()]).toEqual([0, null])
  })

  it("tells a user everything, however much is new for others at the same time", async () => {
    const { world, projectId, caller } = await setUp()
    const listenAs = async (entries: number) => {
      const { userId: user_id } = await world.aSignedInUser(projectId)
      const stream = await world.run(world.core.live.ofUser(projectId, { ...caller, user_id }))
      await stream.next()
      return { user_id, entries, next: stream.next() }
    }
    // 2,000 at once are told to all together, and 500 to one.
    const numbers = [600, 100, 1, ...Array.from({ length: 21 }, () => 99)]
    const listeners: Array<Awaited<ReturnType<typeof listenAs>>> = []
    for (const entries of numbers) listeners.push(await listenAs(entries))
    await world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.andThen(
          db.xpTotals.lockMany(listeners.map(({ user_id }) => user_id).toSorted()),
          db.xpEntries.insertMany(
            listeners.flatMap(({ user_id, entries }) =>
              Array.from({ length: entries }, () => anXpEntry({ app_user_id: user_id })),
            ),
          ),
        ),
      ),
    )
    await world.advance("6 seconds")
    const told = await Promise.all(
      listeners.map(async ({ next }) => {
        const names = ((await next) ?? []).map(({ name }) => name)
        return names.includes("reset") ? names.join() : names.length
      }),
    )
    expect(told).toEqual(["reset", "reset", 1, ...Array.from({ length: 20 }, () => 99), "reset"])
    world.core.live.stop()
  })

  it("gives a sign of life every 15 seconds, and ends with its token", async () => {
    const { world, open } = await setUp()
    const stream = await open()
    await stream.next()
    const beat = stream.next()
    await world.advance("16 seconds")
    expect(await beat).toMatchObject([{ name: null, data: "", id: expect.stringMatching(/:/) }])
    const end = stream.next()
    await world.advance("2 hours")
    const events = [...((await end) ?? []), ...((await stream.next()) ?? [])]
    expect(events.at(-1)).toMatchObject({ name: "end", data: '{"reason":"token_expired"}' })
  })

  it("is told to nobody where nobody listens", async () => {
    const { world, projectId, open } = await setUp()
    expect(world.news.watchers(projectId)).toBe(0)
    const [one, other] = [await open(), await open()]
    await one.next()
    expect(world.news.watchers(projectId)).toBe(1)
    one.close()
    other.close()
    await world.advance("10 seconds")
    expect(world.news.watchers(projectId)).toBe(0)
  })

  it("is refused beyond the bound, and once the service stops", async () => {
    const { world, open, projectId, caller } = await setUp()
    const streams = [await open(), await open(), await open(), await open(), await open()]
    const refused = (user = caller) => world.run(Effect.flip(world.core.live.ofUser(projectId, user)))
    expect(await refused()).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", details: { limit: 5 } })
    world.core.live.stop()
    expect(await streams[0]?.next()).toContainEqual({ name: "end", data: '{"reason":"stopping"}', id: null })
    expect(await refused()).toMatchObject({ code: "SERVICE_UNAVAILABLE" })
  })

  it("is refused where its project has as many as it may have: what is left is for the others", async () => {
    const { world, projectId, caller } = await setUp()
    const other = await world.aProjectWithOwner()
    const live = makeLive(world.ports, { ...defaultLiveSettings, per_project: 2, per_process: 4 })
    const users = [caller, { ...caller, user_id: "another" }, { ...caller, user_id: "a third" }] as const
    const first = await world.run(live.ofUser(projectId, users[0]))
    await world.run(live.ofProject(projectId, { ...caller, developer_id: "developer" }))
    expect(await world.run(Effect.flip(live.ofUser(projectId, users[2])))).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: expect.stringMatching(/this project/),
    })
    await world.run(live.ofUser(other.projectId, users[1]))
    first.close()
    await world.run(live.ofUser(projectId, users[2]))
    live.stop()
  })

  it("ends when its right is gone, and is asked for whenever it may be", async () => {
    const { world, open, userId } = await setUp()
    const stream = await open()
    await stream.next()
    let hasRight = true
    let asked = 0
    stream.guard(
      Effect.suspend(() => {
        asked += 1
        return hasRight ? Effect.void : Effect.fail("gone")
      }),
    )
    await expect.poll(() => asked).toBe(1)
    hasRight = false
    await world.run(world.revocations.announce([userId]))
    expect(await stream.next()).toMatchObject([{ name: "end", data: '{"reason":"revoked"}' }])
  })

  it("goes on while nobody can be asked about its right for a moment, and is cut off after ten seconds", async () => {
    for (const isBack of [true, false]) {
      const { world, open, userId, award } = await setUp()
      const stream = await open()
      await stream.next()
      let isAway = true
      let asked = 0
      stream.guard(
        Effect.suspend(() => {
          asked += 1
          return isAway ? Effect.die(new ServiceUnavailable()) : Effect.void
        }),
      )
      await expect.poll(() => asked).toBe(1)
      await world.run(world.revocations.announce([userId]))
      await expect.poll(() => asked).toBe(2)
      isAway = !isBack
      await world.advance("12 seconds")
      await award(5)
      const next = stream.next()
      await world.advance("1 second")
      expect([world.core.live.count(), (await next)?.at(0)?.name]).toEqual(isBack ? [1, "xp"] : [0, undefined])
      stream.close()
    }
  })
})
