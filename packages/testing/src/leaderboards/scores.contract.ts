import type { TenantDb } from "@hearth/core"
import type { NewEvent } from "@hearth/core/events"
import { allTime, type BoardKey, type LeaderboardRow, rankStreaksTopic } from "@hearth/core/leaderboards"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { anEvent } from "../events/builders.ts"
import { aStreakDefinition, aUserStreak } from "../streaks/builders.ts"
import { writeUser } from "../users/tables.ts"
import { anXpEntry } from "../xp/builders.ts"
import { aLeaderboard } from "./builders.ts"

const at = (day: number, hour = 12) => new Date(Date.UTC(2026, 2, day, hour))

const keyOf = ({ id, version }: LeaderboardRow): BoardKey => ({ leaderboard_id: id, version })

/** What a project promises about the scores of leaderboards. */
export const scoresContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("scores of leaderboards", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const user = () => db.transact(writeUser)
    const board = async (given: Partial<LeaderboardRow> = {}) => {
      const row = aLeaderboard(given)
      await db.transact((tx) => Effect.orDie(tx.leaderboards.insert(row)))
      return row
    }
    const add = (row: LeaderboardRow, app_user_id: string, units: bigint, reached_at: Date, window_start = allTime) =>
      db.transact((tx) =>
        tx.leaderboardScores.add([
          { boards: [keyOf(row)], additions: [{ app_user_id, window_start, units, reached_at }] },
        ]),
      )
    const own = async (row: LeaderboardRow, id: string) =>
      (await db.read((tx) => tx.leaderboardScores.listByUser(id)))
        .filter(({ leaderboard_id }) => leaderboard_id === row.id)
        .map(({ window_start, score, reached_at }) => [window_start, score, reached_at])
    const rebuild = (row: LeaderboardRow, ...users: ReadonlyArray<string>) =>
      db.transact((tx) => tx.leaderboardScores.rebuild(row, users))
    const differences = (row: LeaderboardRow) => db.transact((tx) => tx.leaderboardScores.countDifferences(row))
    const write = (events: ReadonlyArray<NewEvent>, enqueue = false) =>
      db.transact((tx) => tx.events.insert(events, { enqueue }))

    it("are exact sums of decimals, reached when the latest of what counts occurred [G3.2, G0.8]", async () => {
      const [row, id] = [await board(), await user()]
      for (const [units, day] of [
        [1_000n, 2],
        [2_000n, 4],
        [-1n, 3],
      ] as const)
        await add(row, id, units, at(day))
      expect(await own(row, id)).toEqual([[allTime, 0.2999, at(4)]])
      for (let times = 0; times < 3; times += 1) await add(row, id, 9_000_000_000_000_000n, at(1))
      await add(row, id, -27_000_000_000_000_000n, at(1))
      expect(await own(row, id)).toEqual([[allTime, 0.2999, at(4)]])
    })

    it("are the number that is nearest to the sum, also above 2^53 ten-thousandths [G0.8]", async () => {
      const [row, id, below] = [await board(), await user(), await user()]
      for (const units of [6_685_206_437_505_969n, 6_685_206_437_505_970n]) {
        await add(row, id, units, at(1))
        await add(row, below, -units, at(1))
      }
      expect(await own(row, id)).toEqual([[allTime, 1_337_041_287_501.1938, at(1)]])
      expect(await own(row, below)).toEqual([[allTime, -1_337_041_287_501.1938, at(1)]])
    })

    it("are added to several leaderboards, windows and users at once; who is gone is passed over", async () => {
      const [one, two] = [await board({ period: "daily" }), await board({ period: "daily" })]
      const [first, second] = [await user(), await user()]
      const boards = [one, two].map(keyOf)
      const additions = [first, second, anId()].flatMap((app_user_id) =>
        ["2026-03-01", "2026-03-02"].map((window_start) => ({
          app_user_id,
          window_start,
          units: 10_000n,
          reached_at: at(1),
        })),
      )
      const twice = [
        { boards, additions },
        { boards: boards.slice(1), additions },
      ]
      expect(died(await db.attempt((tx) => tx.leaderboardScores.add(twice)))).toBe(true)
      const again = [{ boards, additions: [...additions, ...additions.slice(0, 1)] }]
      expect(died(await db.attempt((tx) => tx.leaderboardScores.add(again)))).toBe(true)
      await db.transact((tx) => tx.leaderboardScores.add(twice.slice(0, 1)))
      await db.transact((tx) => tx.leaderboardScores.add(twice.slice(1)))
      expect(await own(one, second)).toEqual([
        ["2026-03-01", 1, at(1)],
        ["2026-03-02", 1, at(1)],
      ])
      expect((await own(two, first)).map(([, score]) => score)).toEqual([2, 2])
      await db.transact((tx) => tx.leaderboardScores.add([]))
    })

    it("are made again from handled events: what waits or was set aside is not counted yet [G3.4, G3.6]", async () => {
      const row = await board({ metric: "custom", custom_event: "a:b:points", period: "weekly" })
      const [id, other] = [await user(), await user()]
      const event = (points: unknown, day: number, given: Partial<NewEvent> = {}) =>
        anEvent({
          app_user_id: id,
          event_name: "a:b",
          properties: { points: points as number },
          occurred_at: at(day),
          ...given,
        })
      const dead = event(100, 3)
      await write([
        ...[event(0.1, 2), event(0.2, 8), event(900_000_000_000, 9), event(900_000_000_001, 10), event("7", 10)],
        ...[
          event(null, 11),
          event(1, 3, { event_name: "a" }),
          event(5, 2, { app_user_id: other, properties: {} }),
          dead,
        ],
      ])
      await write([event(1_000, 3)], true)
      await db.transact((tx) =>
        tx.deadLetters.insert({
          ...{ id: anId(), event_id: dead.id, app_user_id: id, topic: null, payload: null, reaction: "x", error: "y" },
          ...{ status: "dead", tries: 1, first_failed_at: at(3), next_try_at: null },
        }),
      )
      expect(await differences(row)).toBe(2)
      await rebuild(row, id, other)
      expect(await own(row, id)).toEqual([
        ["2026-03-02", 0.3, at(8)],
        ["2026-03-09", 900_000_000_000, at(9)],
      ])
      expect(await own(row, other)).toEqual([])
      expect(await differences(row)).toBe(0)
      await add(row, id, 1n, at(2), "2026-03-02")
      await add(row, other, 1n, at(2), "2026-03-02")
      await add(row, other, 0n, at(12), "2026-03-16")
      expect(await differences(row)).toBe(3)
      await rebuild(row, id)
      expect(await differences(row)).toBe(2)
      await rebuild(row, other)
      expect(await differences(row)).toBe(0)
    })

    it("count events where there is no property, with the time of the latest [G3.1]", async () => {
      const [row, id] = [await board({ metric: "custom", custom_event: "c:d:" }), await user()]
      await write([2, 5, 3].map((day) => anEvent({ app_user_id: id, event_name: "c:d", occurred_at: at(day) })))
      await rebuild(row, id)
      expect(await own(row, id)).toEqual([[allTime, 3, at(5)]])
      await add(row, id, 0n, at(6))
      expect(await differences(row)).toBe(1)
    })

    it("sum the ledger of XP, as far as it is ranked, by the time of the causes [G3.2]", async () => {
      const [row, id] = [await board({ period: "monthly" }), await user()]
      const entry = (amount: number, day: number, is_ranked = true) =>
        anXpEntry({ app_user_id: id, amount, occurred_at: at(day), is_ranked })
      await db.transact((tx) =>
        tx.xpEntries.insertMany([entry(50, 1), entry(-50, 1), entry(7, 31, false), entry(9, 32)]),
      )
      await rebuild(row, id)
      expect(await own(row, id)).toEqual([
        ["2026-03-01", 0, at(1)],
        ["2026-04-01", 9, at(32)],
      ])
      expect(await differences(row)).toBe(0)
    })

    /** A user with two streaks, and done periods of one of them. */
    const streaks = async (
      counts: readonly [number, number],
      done: ReadonlyArray<readonly [day: number, count: number | null]>,
    ) => {
      const app_user_id = await user()
      const definitions = [aStreakDefinition(), aStreakDefinition()]
      const day = (of: number) => `2026-03-${String(of).padStart(2, "0")}`
      await db.transact((tx) =>
        Effect.gen(function* () {
          yield* Effect.forEach(definitions, (definition) => Effect.orDie(tx.streakDefinitions.insert(definition)))
          yield* tx.userStreaks.save(
            definitions.map(({ id: streak_definition_id }, index) =>
              aUserStreak({
                app_user_id,
                streak_definition_id,
                current_count: counts[index] ?? 0,
                last_period: day(20 + index),
              }),
            ),
          )
          yield* tx.userStreaks.addPeriods([
            ...done.map(([of, count_after]) => ({
              ...{ app_user_id, streak_definition_id: definitions[0]?.id ?? "", period_key: day(of) },
              ...{ kind: "done" as const, occurred_at: at(of), count_after, freezes_after: 0 },
            })),
            ...definitions.map(({ id }, index) => ({
              ...{ app_user_id, streak_definition_id: id, period_key: day(20 + index) },
              ...{ kind: "done" as const, occurred_at: at(20 + index, 9), count_after: null, freezes_after: 0 },
            })),
          ])
        }),
      )
      return app_user_id
    }
    const refresh = (rows: ReadonlyArray<LeaderboardRow>, app_user_id: string, from: Date | null) =>
      db.transact((tx) =>
        tx.leaderboardScores.refreshStreaks(
          rows.map((row) => ({ period: row.period, boards: [keyOf(row)] })),
          [{ app_user_id, from }],
        ),
      )

    it("are the greatest length of the stored streaks of now, and of the periods in a window [G3.2]", async () => {
      const metric = "streak_length"
      const [now, daily, weekly] = [
        await board({ metric }),
        await board({ metric, period: "daily" }),
        await board({ metric, period: "weekly" }),
      ]
      const id = await streaks(
        [4, 4],
        [
          [2, 1],
          [3, 2],
          [5, 1],
          [6, 2],
          [9, null],
        ],
      )
      const changed = await refresh([now, daily, weekly], id, null)
      expect(await own(now, id)).toEqual([[allTime, 4, at(21, 9)]])
      expect(await own(weekly, id)).toEqual([["2026-03-02", 2, at(6)]])
      expect((await own(daily, id)).map(([start, score]) => [start, score])).toEqual([
        ...[
          ["2026-03-02", 1],
          ["2026-03-03", 2],
        ],
        ...[
          ["2026-03-05", 1],
          ["2026-03-06", 2],
        ],
      ])
      expect(changed).toHaveLength(6)
      expect(await refresh([now, daily, weekly], id, null)).toEqual([])
      expect(await Promise.all([now, daily, weekly].map(differences))).toEqual([0, 0, 0])
      await add(weekly, id, 1n, at(6), "2026-03-02")
      await add(daily, id, 1n, at(6), "2026-03-07")
      // Windows before the instant stay as they are.
      await refresh([weekly, daily], id, at(9))
      expect(await Promise.all([daily, weekly].map(differences))).toEqual([1, 1])
      await db.transact((tx) => tx.outbox.add(rankStreaksTopic, { user_ids: [anId()], from: null }))
      expect(await differences(weekly)).toBe(1)
      await db.transact((tx) => tx.outbox.add(rankStreaksTopic, { user_ids: [id], from: null }))
      expect(await differences(weekly)).toBe(0)
      expect((await refresh([weekly, daily], id, at(7))).length).toBe(2)
      expect(await own(weekly, id)).toEqual([["2026-03-02", 2, at(6)]])
    })

    it("are also of periods that were done months later, where the grace is as long [E2, G3.2]", async () => {
      const row = await board({ metric: "streak_length", period: "daily" })
      const app_user_id = await user()
      const definition = aStreakDefinition({ grace_period_hours: 8_760 })
      const key = { app_user_id, streak_definition_id: definition.id }
      const done = (period_key: string, days: number, count_after: number) => ({
        ...{ ...key, period_key, kind: "done" as const, occurred_at: at(days), count_after, freezes_after: 0 },
      })
      await db.transact((tx) =>
        Effect.gen(function* () {
          yield* Effect.orDie(tx.streakDefinitions.insert(definition))
          yield* tx.userStreaks.save([aUserStreak({ ...key, current_count: 3, last_period: "2026-03-03" })])
          yield* tx.userStreaks.addPeriods([
            done("2026-03-01", 1, 1),
            done("2026-03-02", 70, 2),
            done("2026-03-03", 300, 3),
          ])
        }),
      )
      expect(await refresh([row], app_user_id, at(70))).toHaveLength(2)
      expect(await refresh([row], app_user_id, at(300))).toEqual([])
      expect((await own(row, app_user_id)).map(([, score]) => score)).toEqual([2, 3])
      await rebuild(row, app_user_id)
      expect((await own(row, app_user_id)).map(([, score]) => score)).toEqual([1, 2, 3])
    })

    it("are not there for a streak of 0 [G3.2]", async () => {
      const row = await board({ metric: "streak_length" })
      const id = await streaks([0, 0], [])
      await add(row, id, 10_000n, at(1))
      expect(await refresh([row], id, at(30))).toHaveLength(1)
      expect(await own(row, id)).toEqual([])
      const one = await streaks([0, 3], [])
      await rebuild(row, one)
      expect(await own(row, one)).toEqual([[allTime, 3, at(21, 9)]])
      // Boards of streaks are compared with those of all users.
      await db.transact((tx) => tx.users.remove({ id: one }))
    })

    it("of users that are still to be filled are not compared [G3.6]", async () => {
      const row = await board({ metric: "custom", custom_event: "filled", filling: true })
      const users = [await user(), await user()].toSorted()
      await write(users.map((app_user_id) => anEvent({ app_user_id, event_name: "filled" })))
      expect(await differences(row)).toBe(0)
      const [first = "", last = ""] = users
      expect(await differences({ ...row, filled_through: first })).toBe(1)
      expect(await differences({ ...row, filled_through: last })).toBe(2)
    })

    it("of other versions are removed, some at a time", async () => {
      const row = await board({ version: 2 })
      const users = [await user(), await user(), await user()]
      for (const id of users) {
        await add(row, id, 1n, at(1))
        await add({ ...row, version: 1 }, id, 1n, at(1))
      }
      const remove = (limit: number) => db.transact((tx) => tx.leaderboardScores.removeStale(keyOf(row), limit))
      expect([await remove(2), await remove(2), await remove(2)]).toEqual([true, false, false])
      for (const id of users) expect(await own(row, id)).toHaveLength(1)
      const old = { ...row, version: 1 }
      const query = { board: old, window_start: allTime, caller: null, around: false, slice: { limit: 1, offset: 0 } }
      expect(await db.read((tx) => tx.leaderboardScores.page(query))).toMatchObject({ rows: [], total: 0 })
    })

    it("are visited by users in the order of their ids", async () => {
      const users = [await user(), await user(), await user()].toSorted()
      const listAfter = (id: string | null, limit: number) =>
        db.transact((tx) => tx.leaderboardScores.lockUsersAfter(id, limit))
      const all = await listAfter(null, 1_000)
      expect(all).toEqual(all.toSorted())
      expect(all).toEqual(expect.arrayContaining(users))
      expect(await listAfter(users[0] ?? "", 1)).toEqual(all.slice(all.indexOf(users[0] ?? "") + 1).slice(0, 1))
      expect(await listAfter(all.at(-1) ?? "", 10)).toEqual([])
    })
  })
