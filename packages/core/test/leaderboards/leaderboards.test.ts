import { type LeaderboardChanges, makeLeaderboardsWork, type RankPosition } from "@hearth/core/leaderboards"
import { anEvent, anXpEntry, aStreakDefinition, aUser } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { boardWorld } from "./world.ts"

const { id: _id, created_at: _createdAt, ...streak } = aStreakDefinition({ qualifying_event: "lesson" })

describe("leaderboards of custom events", () => {
  it("sum a property, and pass over who has nothing that counts [G3.2]", async () => {
    const { world, create, record, entries } = await boardWorld(["a", "b", "c", "d", "e"])
    const { id } = await create()
    await record("a", "scored", { points: 0.1 })
    await record("a", "scored", { points: 0.2 })
    await record("b", "scored", { points: -2 })
    await record("c", "scored", { points: 0 })
    await record("d", "scored", { points: "7" })
    await record("e", "other", { points: 7 })
    await world.runPending()
    expect(await entries(id)).toEqual([
      ["a", 0.3, 1],
      ["c", 0, 2],
      ["b", -2, 3],
    ])
  })

  it("count a late event in the window of its time, also in windows that are over [G3.3]", async () => {
    const { world, create, record, entries } = await boardWorld(["a"])
    const { id } = await create({ period: "weekly", custom_event: "scored" })
    await record("a", "scored")
    await world.advance("8 days")
    await record("a", "scored", {}, "2026-03-01T23:59:59.999Z")
    await record("a", "scored", {}, "2026-03-02T00:00:00.000Z")
    await world.runPending()
    expect(await entries(id, "2026-02-24")).toEqual([["a", 2, 1]])
    expect(await entries(id, "2026-03-08T23:59:59.999Z")).toEqual([["a", 1, 1]])
    expect(await entries(id)).toEqual([])
  })

  it("are read on in the window in which that was begun, also where it is over by then", async () => {
    const { world, projectId, leaderboards, create, record } = await boardWorld(["a", "b", "c"])
    const { id } = await create({ period: "daily", custom_event: "scored" })
    for (const name of ["a", "a", "a", "b", "b", "c"]) await record(name, "scored")
    await world.runPending()
    const read = (cursor: RankPosition | "start", at?: Date) => {
      const query = { limit: 2, offset: 0, cursor, ...(at === undefined ? {} : { at }) }
      return world.run(leaderboards.entries(projectId, id, query))
    }
    const first = await read("start")
    expect(first.rows.map(({ score, rank }) => [score, rank])).toEqual([
      [3, 1],
      [2, 2],
    ])
    await world.advance("1 day")
    await record("c", "scored")
    await world.runPending()
    const { rows, total, next_cursor } = await read(first.next_cursor ?? "start", world.clock.now())
    expect(rows).toMatchObject([{ score: 1, rank: 3, window_start: "2026-03-01", app_users: { avatar_url: null } }])
    expect([total, next_cursor]).toEqual([3, null])
    expect(await read("start")).toMatchObject({ rows: [{ score: 1, rank: 1 }], total: 1, next_cursor: null })
  })

  it("are kept up to date while they are not active, so that they are right when switched on", async () => {
    const { world, projectId, create, record, entries, leaderboards, userOf, refusal } = await boardWorld(["a"])
    const { id } = await create()
    await world.run(leaderboards.update(projectId, id, { is_active: false }))
    await record("a", "scored", { points: 5 })
    await world.runPending()
    const ranks = leaderboards.ranks(projectId, userOf("a"), id, { limit: 1, offset: 0 })
    expect(await refusal(ranks)).toMatchObject({ code: "NOT_FOUND" })
    expect(await world.run(leaderboards.shown(projectId))).toEqual([])
    expect(await entries(id)).toEqual([["a", 5, 1]])
    await world.run(leaderboards.update(projectId, id, { is_active: true }))
    expect(await world.run(ranks)).toMatchObject({ total: 1, me: { rank: 1, score: 5 } })
  })

  it("are shown to users oldest first [G3.5]", async () => {
    const { world, projectId, create, leaderboards } = await boardWorld([])
    for (const name of ["b", "a", "c"]) {
      await create({ name })
      world.clock.advance("1 minute")
    }
    expect((await world.run(leaderboards.shown(projectId))).map(({ name }) => name)).toEqual(["b", "a", "c"])
  })
})

describe("filling [G3.4]", () => {
  it("counts what was before exactly once, with what arrives meanwhile", async () => {
    const { world, create, record, entries, get, differences } = await boardWorld(["a", "b"])
    await record("a", "scored", { points: 1 })
    await world.runPending()
    // Waits in the outbox while the leaderboard is made.
    await record("a", "scored", { points: 10 })
    const { id, filling } = await create()
    expect(filling).toBe(true)
    await record("b", "scored", { points: 100 })
    expect(await differences(id)).toBe(0)
    await world.runPending()
    expect((await get(id)).filling).toBe(false)
    expect(await entries(id)).toEqual([
      ["b", 100, 1],
      ["a", 11, 2],
    ])
    expect(await differences(id)).toBe(0)
  })

  it("begins anew with each change of what is ranked, and shows nothing of before", async () => {
    const { world, projectId, create, record, entries, get, leaderboards, differences } = await boardWorld(["a", "b"])
    await record("a", "scored", { points: 7 }, "2026-02-01T00:00:00Z")
    await record("b", "scored", { points: 1 })
    await record("b", "scored", { points: 1 })
    const { id } = await create()
    await world.runPending()
    const change = async (changes: LeaderboardChanges) =>
      (await world.run(leaderboards.update(projectId, id, changes))).filling
    expect(await change({ custom_event: "scored" })).toBe(true)
    expect(await entries(id)).toEqual([])
    expect(await change({ period: "daily" })).toBe(true)
    expect(await change({ period: "monthly" })).toBe(true)
    await world.runPending()
    expect((await get(id)).filling).toBe(false)
    expect(await entries(id)).toEqual([["b", 2, 1]])
    expect(await entries(id, "2026-02-28")).toEqual([["a", 1, 1]])
    expect(await change({ name: "Other", max_entries: 1, is_active: true, period: "monthly" })).toBe(false)
    expect(await change({ metric: "xp", custom_event: null })).toBe(true)
    await world.runPending()
    expect(await entries(id)).toEqual([])
    expect(await differences(id)).toBe(0)
    const stored = await world.run(
      world.tenants.read(projectId, (db) => db.leaderboardScores.removeStale({ leaderboard_id: id, version: 4 }, 1)),
    )
    expect(stored).toBe(false)
  })

  it("goes on where a process died, in slices of users", async () => {
    const { world, projectId, create, get, differences } = await boardWorld([])
    const members = Array.from({ length: 1_100 }, () => aUser())
    const score = (points: number) =>
      members.map(({ id }) => anEvent({ app_user_id: id, event_name: "scored", properties: { points } }))
    await world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.gen(function* () {
          yield* Effect.forEach(members, (user) => Effect.orDie(db.users.insert(user)))
          yield* db.events.insert(score(1), { enqueue: false })
        }),
      ),
    )
    const { id } = await create()
    // One slice, as it was committed by a process that was killed then.
    await world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.gen(function* () {
          yield* db.outbox.hold()
          const { handlers = {} } = makeLeaderboardsWork(world.ports)
          const topics = Object.keys(handlers)
          const head = yield* db.outbox.next({ events: 1, bytes: 1, topics, properties: true })
          if (head?.kind !== "entry") return yield* Effect.die("There is no entry.")
          const rest = yield* handlers[head.entry.topic]?.(db, head.entry.payload) ?? Effect.succeed(null)
          yield* db.outbox.remove(head)
          if (rest !== null) yield* db.outbox.add(head.entry.topic, rest)
        }),
      ),
    )
    const slice = { limit: 1, offset: 0 }
    const total = async () => (await world.run(world.core.leaderboards.entries(projectId, id, slice))).total
    expect([(await get(id)).filling, await total(), await differences(id)]).toEqual([true, 500, 0])
    await world.run(world.core.background.transact(projectId, (db) => db.events.insert(score(0.5), { enqueue: true })))
    await world.runPending()
    expect([(await get(id)).filling, await total(), await differences(id)]).toEqual([false, 1_100, 0])
    const { rows } = await world.run(world.core.leaderboards.entries(projectId, id, { limit: 1_000, offset: 100 }))
    expect(new Set(rows.map((row) => row.score))).toEqual(new Set([1.5]))
  })

  it("ends with the leaderboard", async () => {
    const { world, projectId, create, record, leaderboards } = await boardWorld(["a"])
    await record("a", "scored", { points: 1 })
    const { id } = await create()
    await world.run(leaderboards.remove(projectId, id))
    await world.runPending()
    expect(await world.run(world.tenants.read(projectId, (db) => db.outbox.waiting()))).toMatchObject({ entries: 0 })
    expect(await world.run(world.core.deadLetters.list(projectId, { limit: 1, offset: 0 }))).toMatchObject({ total: 0 })
  })
})

describe("leaderboards of XP [G3.2]", () => {
  it("show entries that no reaction has told of once these were handled, by the time of the cause", async () => {
    const { world, projectId, create, entries, differences, userOf } = await boardWorld(["a", "b"])
    const { id } = await create({ metric: "xp", custom_event: null, period: "monthly" })
    await world.runPending()
    const entry = (name: string, amount: number, occurred_at = world.clock.now()) =>
      anXpEntry({ app_user_id: userOf(name), amount, occurred_at, is_ranked: false })
    await world.run(
      world.core.background.transact(projectId, (db) =>
        Effect.gen(function* () {
          yield* db.xpEntries.insertMany([
            entry("a", 50),
            entry("b", 50),
            entry("b", -50),
            entry("a", 7, new Date("2026-02-01")),
          ])
          yield* db.outbox.add("leaderboards.xp", {})
        }),
      ),
    )
    expect([await entries(id), await differences(id)]).toEqual([[], 0])
    await world.runPending()
    expect(await entries(id)).toEqual([
      ["a", 50, 1],
      ["b", 0, 2],
    ])
    expect(await entries(id, "2026-02-01")).toEqual([["a", 7, 1]])
    expect(await differences(id)).toBe(0)
    // A second entry of the outbox finds nothing.
    await world.run(world.core.background.transact(projectId, (db) => db.outbox.add("leaderboards.xp", {})))
    await world.runPending()
    expect(await entries(id, "2026-02-01")).toEqual([["a", 7, 1]])
  })

  it("never count an xp_awarded that somebody has posted", async () => {
    const { world, create, record, entries } = await boardWorld(["a"])
    const { id } = await create({ metric: "xp", custom_event: null })
    await record("a", "xp_awarded", { amount: 1_000, source: "event" })
    await world.runPending()
    expect(await entries(id)).toEqual([])
  })
})

describe("leaderboards of streaks [G3.2]", () => {
  it("follow the stored streaks: a break shows once it was swept, within a minute", async () => {
    const { world, projectId, create, record, entries, differences } = await boardWorld(["a", "b"])
    const { id } = await create({ metric: "streak_length", custom_event: null })
    const weekly = await create({ metric: "streak_length", custom_event: null, period: "weekly" })
    await world.run(world.core.streaks.create(projectId, streak))
    for (const day of [27, 28]) await record("a", "lesson", {}, `2026-02-${day}T10:00:00Z`)
    await record("a", "lesson")
    await record("b", "lesson")
    await world.runPending()
    const both = [
      ["a", 3, 1],
      ["b", 1, 2],
    ]
    expect(await entries(id)).toEqual(both)
    // 3 March begins: 2 March was missed.
    await world.advance("36 hours")
    await world.advance("1 minute")
    expect(await entries(id)).toEqual([])
    // What a period of the week has brought about stays.
    expect(await entries(weekly.id, "2026-03-01")).toEqual(both)
    expect(await entries(weekly.id)).toEqual([])
    expect([await differences(id), await differences(weekly.id)]).toEqual([0, 0])
  })

  it("are corrected by late events, other rules and removed definitions", async () => {
    const { world, projectId, create, record, entries, differences } = await boardWorld(["a"])
    const now = await create({ metric: "streak_length", custom_event: null })
    const daily = await create({ metric: "streak_length", custom_event: null, period: "daily" })
    const { id } = await world.run(world.core.streaks.create(projectId, streak))
    for (const day of [26, 28]) await record("a", "lesson", {}, `2026-02-${day}T10:00:00Z`)
    await record("a", "lesson")
    await world.runPending()
    expect([await entries(now.id), await entries(daily.id)]).toEqual([[["a", 2, 1]], [["a", 2, 1]]])
    await record("a", "lesson", {}, "2026-02-27T10:00:00Z")
    await world.runPending()
    expect([await entries(now.id), await entries(daily.id)]).toEqual([[["a", 4, 1]], [["a", 4, 1]]])
    expect(await entries(daily.id, "2026-02-28")).toEqual([["a", 3, 1]])
    await world.run(world.core.streaks.update(projectId, id, { period: "weekly" }))
    await world.runPending()
    expect([await entries(now.id), await entries(daily.id, "2026-02-28")]).toEqual([[["a", 1, 1]], []])
    expect([await differences(now.id), await differences(daily.id)]).toEqual([0, 0])
    await world.run(world.core.streaks.remove(projectId, id))
    await world.runPending()
    expect([await entries(now.id), await entries(daily.id, "2026-02-26")]).toEqual([[], []])
    expect([await differences(now.id), await differences(daily.id)]).toEqual([0, 0])
  })
})

describe("definitions", () => {
  it("have a custom_event with the metric custom, and only there, also after a change [G3.1]", async () => {
    const { world, projectId, create, leaderboards, refusal } = await boardWorld([])
    const refused = { code: "INVALID_INPUT", details: { issues: [{ path: "custom_event" }] } }
    const board = { name: "B", period: "daily" as const, max_entries: 1 }
    for (const [metric, custom_event] of [
      ["custom", null],
      ["xp", "a"],
      ["streak_length", "a"],
      ["custom", ":a"],
      ["custom", "a".repeat(256)],
    ] as const)
      expect(await refusal(leaderboards.create(projectId, { ...board, metric, custom_event }))).toMatchObject(refused)
    const { id } = await create({ metric: "xp", custom_event: null })
    const update = (changes: LeaderboardChanges) => leaderboards.update(projectId, id, changes)
    expect(await refusal(update({ metric: "custom" }))).toMatchObject(refused)
    expect(await refusal(update({ custom_event: "a" }))).toMatchObject(refused)
    expect(await world.run(update({ metric: "custom", custom_event: "a:" }))).toMatchObject({ custom_event: "a:" })
    expect(await refusal(update({ metric: "xp" }))).toMatchObject(refused)
    expect(await refusal(update({ custom_event: null }))).toMatchObject(refused)
    expect(await world.run(update({ metric: "streak_length", custom_event: null }))).toMatchObject({
      metric: "streak_length",
    })
  })

  it("are at most 100 in a project, however many are made at once [G0.6]", async () => {
    const { world, projectId, create, leaderboards, refusal } = await boardWorld([])
    const { id } = await create()
    const exits = await world.run(
      Effect.all(
        Array.from({ length: 102 }, () =>
          Effect.exit(
            leaderboards.create(projectId, {
              ...{ name: "B", metric: "xp", period: "all_time", max_entries: 1, custom_event: null },
            }),
          ),
        ),
        { concurrency: 8 },
      ),
    )
    expect(exits.filter(({ _tag }) => _tag === "Success")).toHaveLength(99)
    const one = leaderboards.create(projectId, {
      ...{ name: "B", metric: "xp", period: "all_time", max_entries: 1, custom_event: null },
    })
    expect(await refusal(one)).toMatchObject({ code: "LIMIT_REACHED", kind: "conflict", details: { limit: 100 } })
    await world.run(leaderboards.remove(projectId, id))
    expect(await world.run(one)).toMatchObject({ metric: "xp" })
  })
})
