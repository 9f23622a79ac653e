import type { TenantDb } from "@hearth/core"
import { makeRecordEffects, mostWaiting } from "@hearth/core/event-effects"
import type { NewLeaderboard } from "@hearth/core/leaderboards"
import { SimulatedFault } from "@hearth/testing"
import { Clock, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { fault, withFault } from "../faults.ts"
import { effectsWorld, written } from "./world.ts"

const noEffects = { streaks: [], achievements: [], xp: { awarded: 0, total: 0, level: null }, leaderboards: [] }
const skipped = { inserted: 0, skipped: 1, tracked: 0 }

describe("what an event did [G9.1]", () => {
  it("is answered at once where nobody else handles events: streaks, achievements and XP", async () => {
    const { world, core, projectId, track, streak } = await effectsWorld()
    await world.run(core.xp.replaceRules(projectId, { rules: [{ event_name: "lesson", amount: 10, daily_cap: null }] }))
    const levels = [
      { name: "Bronze", xp_required: 15 },
      { name: "Gold", xp_required: 1_000 },
    ]
    await world.run(core.xp.replaceLevels(projectId, { levels }))
    const achievement = await world.run(
      core.achievements.create(projectId, {
        ...{ key: "first", name: "First", description: null, icon_url: null, xp_reward: 7, is_hidden: false },
        ...{ sort_order: 0, is_active: true, criteria: { all: [{ event: "lesson", count: 1 }] } },
      }),
    )
    const aBoard = async (fields: Partial<NewLeaderboard>) => {
      const board = { name: "Board", metric: "xp", period: "daily", max_entries: 100, custom_event: null } as const
      return (await world.run(core.leaderboards.create(projectId, { ...board, ...fields }))).id
    }
    const [daily, ever] = [
      await aBoard({}),
      await aBoard({ period: "all_time", metric: "custom", custom_event: "lesson" }),
    ]
    await world.runPending()
    const streaks = [{ streak_definition_id: streak.id, before: 0, after: 1, status: "active", freezes_used: 0 }]
    const boards = (xp: number, lessons: number) =>
      expect.arrayContaining([
        { leaderboard_id: daily, score: xp, rank: 1 },
        { leaderboard_id: ever, score: lessons, rank: 1 },
      ])
    expect(await world.run(track())).toEqual({
      ...written,
      effects: {
        streaks,
        achievements: [{ achievement_id: achievement.id, key: "first" }],
        xp: { awarded: 17, total: 17, level: levels[0] },
        leaderboards: boards(17, 1),
      },
    })
    expect(await world.run(track())).toEqual({
      ...written,
      effects: { ...noEffects, xp: { awarded: 10, total: 27, level: levels[0] }, leaderboards: boards(27, 2) },
    })
    // Another day's window is not the present one.
    const late = await world.run(track({ occurred_at: "2026-02-20T12:00:00Z" }))
    expect(late.effects?.leaderboards).toEqual([{ leaderboard_id: ever, score: 3, rank: 1 }])
    expect(await world.run(track({ event_name: "nothing" }))).toEqual({
      ...written,
      effects: { ...noEffects, xp: { awarded: 0, total: 37, level: levels[0] } },
    })
    await world.runPending()
  })

  it("is answered with the boards of streaks that it has changed, also by the background", async () => {
    const { world, core, projectId, track, beginWaiting } = await effectsWorld()
    const board = { name: "Streaks", metric: "streak_length", period: "all_time" } as const
    const { id } = await world.run(
      core.leaderboards.create(projectId, { ...board, max_entries: 10, custom_event: null }),
    )
    await world.runPending()
    const expected = [{ leaderboard_id: id, score: 1, rank: 1 }]
    expect((await world.run(track())).effects?.leaderboards).toEqual(expected)
    const other = await world.aSignedInUser(projectId)
    const [answer] = await beginWaiting(1, other.userId)
    await world.run(core.background.process(projectId))
    await world.advance("1 second")
    expect((await answer)?.effects?.leaderboards).toMatchObject([{ leaderboard_id: id, score: 1 }])
  })

  it("is answered on the admin plane, and says what freezes were used", async () => {
    const { world, core, projectId, userId, streak } = await effectsWorld()
    const event = (day: string) => ({
      app_user_id: userId,
      event_name: "lesson",
      occurred_at: `2026-02-${day}T12:00:00Z`,
    })
    const post = (body: object) => world.run(core.events.recordWithEffects(projectId, body))
    await post(event("26"))
    const { effects } = await post(event("28"))
    expect(effects?.streaks).toEqual([
      { streak_definition_id: streak.id, before: 1, after: 2, status: "active", freezes_used: 1 },
    ])
  })

  it("is of one event only, and refused like any", async () => {
    const { world, core, projectId, userId, track } = await effectsWorld()
    const code = <A, E extends { readonly code: string }>(effect: Effect.Effect<A, E>) =>
      world.run(Effect.map(Effect.flip(effect), (failure) => failure.code))
    const named = { app_user_id: userId, event_name: "lesson" }
    for (const events of [[], [named], [named, named], null]) {
      expect(await code(core.events.recordWithEffects(projectId, { events }))).toBe("INVALID_EVENT")
      expect(await code(core.events.recordOwnWithEffects(projectId, userId, { events }))).toBe("INVALID_EVENT")
    }
    expect(await code(core.events.recordWithEffects(projectId, []))).toBe("INVALID_JSON")
    expect(await code(track({ event_name: "" }))).toBe("INVALID_EVENT_NAME")
    expect(await code(track({ event_name: "xp_awarded" }))).toBe("INVALID_EVENT_NAME")
    const nobody = "0189f7e2-5c3a-7d4b-9f00-0123456789ab"
    expect(await code(core.events.recordWithEffects(projectId, { ...named, app_user_id: nobody }))).toBe(
      "INVALID_APP_USER_ID",
    )
    expect(await code(track({}, nobody))).toBe("INVALID_TOKEN")
  })

  it("is answered again for a repeated event_id, to the same user only, for 24 hours", async () => {
    const { world, core, projectId, userId, track, events } = await effectsWorld()
    const first = await world.run(track({ event_id: "e-1" }))
    expect(first.effects?.streaks).toMatchObject([{ before: 0, after: 1 }])
    const again = { ...skipped, effects: first.effects, replayed: true }
    expect(await world.run(track({ event_id: "e-1", event_name: "another" }))).toEqual(again)
    const other = await world.aSignedInUser(projectId)
    expect((await world.run(track({ event_id: "e-1" }, other.userId))).replayed).toBeUndefined()
    const admin = (app_user_id: string) =>
      world.run(core.events.recordWithEffects(projectId, { app_user_id, event_name: "lesson", event_id: "e-2" }))
    const { effects } = await admin(userId)
    expect(await admin(userId)).toEqual({ ...skipped, effects, replayed: true })
    expect(await admin(other.userId)).toEqual({ ...skipped, effects: null, replayed: true })
    expect(await events()).toBe(2)
    await world.advance("23 hours")
    expect(await world.run(track({ event_id: "e-1" }))).toEqual(again)
    await world.advance("1 hour")
    expect(await world.run(track({ event_id: "e-1" }))).toEqual({ ...again, effects: null })
    await world.advance("2 hours")
    expect(await world.run(world.tenants.read(projectId, (db) => db.eventEffects.oldest()))).toBeNull()
  })

  it("is told of a repeated event without trying to write it once more", async () => {
    const tried: Array<string> = []
    const { world, track } = await effectsWorld({
      ports: ({ tenants }) => ({
        tenants: withFault(tenants, (db: TenantDb) => ({
          ...db,
          events: {
            ...db.events,
            insertNew: (event, plane) => {
              tried.push(event.id)
              return db.events.insertNew(event, plane)
            },
          },
        })),
      }),
    })
    await world.run(track({ event_id: "e-1" }))
    expect(await world.run(track({ event_id: "e-1" }))).toMatchObject({ ...skipped, replayed: true })
    expect(tried).toHaveLength(1)
  })

  it("is not kept without the parameter", async () => {
    const { world, core, projectId, userId, track } = await effectsWorld()
    const plain = await world.run(core.events.recordOwn(projectId, userId, { event_name: "lesson", event_id: "e-1" }))
    expect(plain).toEqual(written)
    await world.runPending()
    expect(await world.run(track({ event_id: "e-1" }))).toEqual({ ...skipped, effects: null, replayed: true })
    expect(await world.run(world.tenants.read(projectId, (db) => db.eventEffects.oldest()))).toBeNull()
  })

  it("is waited for where somebody else handles events, and then what the background did", async () => {
    const { world, core, projectId, beginWaiting } = await effectsWorld()
    const [answer] = await beginWaiting()
    await world.advance("1 second")
    await world.run(core.background.process(projectId))
    await world.advance("1 second")
    expect(await answer).toMatchObject({ ...written, effects: { streaks: [{ before: 0, after: 1 }] } })
  })

  it("is answered by the call itself where somebody else handles events for some milliseconds", async () => {
    const { world, takeHold, betweenTries, track, events } = await effectsWorld()
    const release = await takeHold()
    const pause = Effect.promise(async () => {
      expect(await events()).toBe(0)
      await release()
    })
    const answer = await world.run(betweenTries(pause, track()))
    expect(answer).toMatchObject({ ...written, effects: { streaks: [{ before: 0, after: 1 }] } })
  })

  it("is told after what the user's earlier events did, which are handled first", async () => {
    const { world, core, projectId, userId, track } = await effectsWorld()
    await world.run(core.xp.replaceRules(projectId, { rules: [{ event_name: "lesson", amount: 10, daily_cap: null }] }))
    await world.runPending()
    const yesterday = { event_name: "lesson", occurred_at: "2026-02-28T12:00:00Z" }
    await world.run(core.events.recordOwn(projectId, userId, yesterday))
    const other = await world.aSignedInUser(projectId)
    expect((await world.run(track({}, other.userId))).effects?.streaks).toMatchObject([{ before: 0, after: 1 }])
    const answer = world.run(track())
    await expect
      .poll(() =>
        world.run(Effect.map(core.events.ofUser(projectId, userId, { limit: 9, offset: 0 }), ({ total }) => total)),
      )
      .toBe(2)
    await world.run(core.background.process(projectId))
    await world.advance("1 second")
    expect((await answer).effects).toMatchObject({ streaks: [{ after: 2 }], xp: { awarded: 10, total: 20 } })
    // What those have led to is waited for by nobody.
    expect((await world.run(track())).effects).toMatchObject({ streaks: [], xp: { awarded: 10, total: 30 } })
  })

  it("is null when it took longer than 5 seconds, and known afterwards", async () => {
    const { world, core, projectId, userId, track, takeHold, inBackground } = await effectsWorld()
    const release = await takeHold()
    const began = world.clock.now().getTime()
    const call = inBackground.recordOwnWithEffects(projectId, userId, { event_name: "lesson", event_id: "e-1" })
    // Nobody else does anything while this clock passes.
    const passing = Effect.provideService(call, Clock.Clock, {
      ...(await world.run(Clock.Clock)),
      sleep: (duration) => Effect.sync(() => world.clock.advance(duration)),
    })
    expect(await Effect.runPromise(passing)).toEqual({ ...written, effects: null })
    expect(world.clock.now().getTime() - began).toBe(5_000)
    await release()
    await world.run(core.background.process(projectId))
    const again = await world.run(track({ event_id: "e-1" }))
    expect(again).toMatchObject({ ...skipped, effects: { streaks: [{ after: 1 }] }, replayed: true })
  })

  it("is null soon where the clock is set back while it is waited for", async () => {
    const { world, projectId, userId, takeHold, inBackground } = await effectsWorld()
    const release = await takeHold()
    const call = inBackground.recordOwnWithEffects(projectId, userId, { event_name: "lesson" })
    let sleeps = 0
    const sleep = () =>
      Effect.sync(() => {
        sleeps += 1
        world.clock.set(new Date(world.clock.now().getTime() - (sleeps === 1 ? 3_600_000 : -250)))
      })
    const passing = Effect.provideService(call, Clock.Clock, { ...(await world.run(Clock.Clock)), sleep })
    expect(await Effect.runPromise(passing)).toEqual({ ...written, effects: null })
    expect(sleeps).toBeLessThan(10)
    await release()
  })

  it("is null at once beyond 200 calls that wait, although the event is written", async () => {
    const { world, core, projectId, beginWaiting, events } = await effectsWorld()
    const calls = await beginWaiting(mostWaiting)
    const [beyond] = await beginWaiting()
    expect(await beyond).toEqual({ ...written, effects: null })
    expect(await events()).toBe(mostWaiting + 1)
    await world.run(core.background.process(projectId))
    await world.advance("1 second")
    const answers = await Promise.all(calls)
    expect(answers.every(({ effects }) => effects !== null)).toBe(true)
  })

  it("is null at once for an event that was set aside, which stays written", async () => {
    const broken = fault()
    const { world, core, projectId, track, events } = await effectsWorld({
      ports: ({ tenants }) => ({
        tenants: withFault(tenants, (db: TenantDb) => ({
          ...db,
          qualifyingEvents: {
            ...db.qualifyingEvents,
            add: (rows) =>
              broken.shouldFail() ? Effect.die(new SimulatedFault("fault")) : db.qualifyingEvents.add(rows),
          },
        })),
      }),
    })
    broken.arm(1_000)
    const began = world.clock.now().getTime()
    const answer = world.run(track({ event_id: "e-1" }))
    await world.advance("1 second")
    expect(await answer).toEqual({ ...written, effects: null })
    expect(world.clock.now().getTime() - began).toBe(1_000)
    expect(await events()).toBe(1)
    expect((await world.run(core.deadLetters.list(projectId, { limit: 10, offset: 0 }))).total).toBe(1)
    expect(await world.run(track({ event_id: "e-1" }))).toEqual({ ...skipped, effects: null, replayed: true })
    broken.arm(0)
    await world.advance("15 seconds")
    const again = await world.run(track({ event_id: "e-1" }))
    expect(again).toMatchObject({ effects: { streaks: [{ after: 1 }] }, replayed: true })
  })

  it("is committed before it is answered", async () => {
    const { world, core, projectId, userId, events } = await effectsWorld()
    let isLosing = true
    const tenants: typeof world.tenants = {
      ...world.tenants,
      // Rolls back what was done, as a process that dies before the commit.
      transact: (id, work, options) =>
        world.tenants.transact(
          id,
          (db) =>
            Effect.flatMap(work(db), (done) =>
              isLosing ? Effect.die(new SimulatedFault("passing")) : Effect.succeed(done),
            ),
          options,
        ),
    }
    const recording = makeRecordEffects({ ...world.ports, tenants }, core.background, core.limits, core.access)
    const call = recording.recordOwnWithEffects(projectId, userId, { event_name: "lesson" })
    expect(Exit.isFailure(await world.run(Effect.exit(call)))).toBe(true)
    expect(await events()).toBe(0)
    isLosing = false
    expect(await world.run(call)).toMatchObject({ ...written, effects: { streaks: [{ before: 0, after: 1 }] } })
    expect(await events()).toBe(1)
  })

  it("is null for a user who is deleted while the call waits", async () => {
    const { world, core, projectId, beginWaiting } = await effectsWorld()
    const other = await world.aSignedInUser(projectId)
    const [answer] = await beginWaiting(1, other.userId)
    await world.run(core.users.remove(projectId, other.userId))
    await world.advance("1 second")
    expect(await answer).toEqual({ ...written, effects: null })
  })
})
