import type { TenantDb } from "@hearth/core"
import {
  allTime,
  type BoardQuery,
  type ChangedScore,
  type LeaderboardRow,
  type Standing,
} from "@hearth/core/leaderboards"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { writeUser } from "../users/tables.ts"
import { aLeaderboard } from "./builders.ts"

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 0, minute))

/** A score in ten-thousandths. */
const units = (score: number) => BigInt(Math.round(score * 10_000))

/** A score that a user has, and the minute in which it was reached. */
type Given = readonly [score: number, minute?: number]

/** What a project promises about the ranks of users. */
export const ranksContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("ranks on leaderboards", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const board = async (given: Partial<LeaderboardRow> = {}) => {
      const row = aLeaderboard(given)
      await db.transact((tx) => Effect.orDie(tx.leaderboards.insert(row)))
      return row
    }
    const add = (row: LeaderboardRow, app_user_id: string, [score, minute = 0]: Given, window_start = allTime) =>
      db.transact((tx) =>
        tx.leaderboardScores.add([
          {
            boards: [{ leaderboard_id: row.id, version: row.version }],
            additions: [{ app_user_id, window_start, units: units(score), reached_at: at(minute) }],
          },
        ]),
      )
    /** Users with these scores, in the order in which they are given. */
    const fill = async (row: LeaderboardRow, scores: ReadonlyArray<Given>) => {
      const users: Array<string> = []
      for (const given of scores) {
        const id = await db.transact(writeUser)
        await add(row, id, given)
        users.push(id)
      }
      return users
    }
    const page = (
      row: LeaderboardRow,
      given: Partial<BoardQuery> & { readonly limit?: number; readonly offset?: number },
    ) => {
      const { limit = 50, offset = 0, ...query } = given
      const slice = { limit, offset }
      return db.read((tx) =>
        tx.leaderboardScores.page({ board: row, window_start: allTime, caller: null, around: false, slice, ...query }),
      )
    }
    const places = async (...given: Parameters<typeof page>) =>
      (await page(...given)).rows.map(({ app_user_id, rank }) => [app_user_id, rank])

    it("are 1, 2, 2, 4; in a tie the earlier comes first, then the smaller id [G3.2, E4]", async () => {
      const row = await board()
      const users = await fill(row, [[1], [5, 3], [9], [5, 2], [5, 2], [-2.5], [0]])
      const [low, late, top, early, same, negative, zero] = users
      const tied = [early, same].toSorted()
      expect(await places(row, {})).toEqual([
        ...[[top, 1], ...tied.map((id) => [id, 2]), [late, 2], [low, 5], [zero, 6]],
        [negative, 7],
      ])
      const { rows, total, offset, me } = await page(row, {})
      expect([total, offset, me]).toEqual([7, 0, null])
      expect(rows.map(({ score }) => score)).toEqual([9, 5, 5, 5, 1, 0, -2.5])
      expect(rows[3]).toMatchObject({ app_user_id: late, reached_at: at(3), avatar_url: null })
      expect(rows[3]?.display_name).toEqual(expect.any(String))
    })

    it("are the same on every page, and where a page begins in a tie", async () => {
      const row = await board()
      await fill(row, [[3], [2], [2], [2], [1]])
      const all = await places(row, {})
      expect(all.map(([, rank]) => rank)).toEqual([1, 2, 2, 2, 5])
      for (let offset = 0; offset < 7; offset += 1)
        for (const limit of [1, 2, 5])
          expect(await places(row, { limit, offset })).toEqual(all.slice(offset, offset + limit))
      expect(await page(row, { offset: Number.MAX_SAFE_INTEGER })).toMatchObject({ rows: [], total: 5 })
    })

    it("go on after a place as in the whole list, whoever is gone, moves or is new meanwhile", async () => {
      const row = await board({ max_entries: 4 })
      const users = await fill(row, [[3.0001], [2], [2], [2, 1], [1], [0], [-9_007_199_254_740_991]])
      const all = await page(row, {})
      const readOn = (after: Standing | null, limit = 3, offset = 0) =>
        db.read((tx) =>
          tx.leaderboardScores.listAfter({ board: row, window_start: allTime, after, slice: { limit, offset } }),
        )
      const first = await readOn(null)
      expect([first.rows, first.total]).toStrictEqual([all.rows.slice(0, 3), 7])
      const second = await readOn(first.last)
      expect([second.rows, second.total]).toStrictEqual([all.rows.slice(3, 6), 7])
      expect((await readOn(first.last, 2, 1)).rows).toStrictEqual(all.rows.slice(4, 6))
      const third = await readOn(second.last)
      expect(third.rows).toStrictEqual(all.rows.slice(6))
      expect(third.last?.units).toBe(units(-9_007_199_254_740_991))
      expect(await readOn(third.last)).toStrictEqual({ rows: [], total: 7, last: null })
      expect((await readOn(null, 1)).last).toStrictEqual({ units: 30_001n, reached_at: at(0), app_user_id: users[0] })
      // The place is found without the entry that was there; what comes after it and does not change is listed once.
      const [gone = "", riser = ""] = [first.rows[2]?.app_user_id, users[5]]
      await db.transact((tx) => tx.users.remove({ id: gone }))
      await add(row, riser, [9])
      await fill(row, [[8]])
      const rest = await readOn(first.last)
      expect(rest.rows.map(({ app_user_id, rank }) => [app_user_id, rank])).toEqual([
        ...[
          [users[3], 4],
          [users[4], null],
          [users[6], null],
        ],
      ])
      expect(rest.total).toBe(7)
    })

    it("end at max_entries: ties at the bound keep theirs, the others are listed without one [G3.5]", async () => {
      const row = await board({ max_entries: 2 })
      const users = await fill(row, [[9], [5, 1], [5, 2], [1]])
      expect(await places(row, {})).toEqual([
        ...[
          [users[0], 1],
          [users[1], 2],
          [users[2], 2],
        ],
        [users[3], null],
      ])
      expect((await page(row, {})).total).toBe(4)
      expect(await page(row, { caller: users[3] ?? "" })).toMatchObject({ me: { rank: null, score: 1 } })
      expect(await page(row, { caller: users[3] ?? "", around: true })).toMatchObject({ me: { rank: null, score: 1 } })
    })

    it("tell the caller's own, also beyond the page, and nothing of who is not listed [G3.5]", async () => {
      const row = await board()
      const users = await fill(row, [[3], [2], [1.5]])
      expect((await page(row, { limit: 1, caller: users[2] ?? "" })).me).toEqual({ rank: 3, score: 1.5 })
      expect((await page(row, { limit: 1, offset: 9, caller: users[2] ?? "" })).me).toEqual({ rank: 3, score: 1.5 })
      expect((await page(row, { caller: anId() })).me).toBeNull()
    })

    it("are centred on the caller; at the ends the page is shifted, not cut [G3.5]", async () => {
      const row = await board()
      const users = await fill(
        row,
        [9, 8, 7, 6, 5, 4, 3].map((score) => [score]),
      )
      const around = async (position: number, limit: number) => {
        const found = await page(row, { caller: users[position] ?? "", around: true, limit, offset: 99 })
        expect(found.rows.map(({ app_user_id }) => app_user_id)).toEqual(
          users.slice(found.offset, found.offset + limit),
        )
        return found.offset
      }
      expect(await Promise.all([0, 1, 2, 3, 4, 5, 6].map((position) => around(position, 3)))).toEqual([
        0, 0, 1, 2, 3, 4, 4,
      ])
      expect(await Promise.all([0, 2, 3, 6].map((position) => around(position, 4)))).toEqual([0, 0, 1, 3])
      expect(await Promise.all([0, 3, 6].map((position) => around(position, 100)))).toEqual([0, 0, 0])
      // Who is not listed sees the top.
      expect(await page(row, { caller: anId(), around: true, limit: 2, offset: 3 })).toMatchObject({
        offset: 0,
        me: null,
      })
      expect(await places(row, { caller: anId(), around: true, limit: 1 })).toEqual([[users[0], 1]])
    })

    it("leave out who is disabled and who is gone, at once [G3.2]", async () => {
      const row = await board()
      const [first = "", second = "", third = ""] = await fill(row, [[3], [2], [1]])
      const disable = (id: string, is_disabled: boolean) =>
        db.transact((tx) => Effect.orDie(tx.users.update(id, { is_disabled })))
      await disable(first, true)
      expect(await page(row, { caller: first, around: true })).toMatchObject({ total: 2, me: null })
      expect(await places(row, {})).toEqual([
        [second, 1],
        [third, 2],
      ])
      // Points of who is disabled are not lost.
      await add(row, first, [10])
      expect((await page(row, {})).total).toBe(2)
      await disable(first, false)
      expect(await page(row, { caller: first })).toMatchObject({ total: 3, me: { rank: 1, score: 13 } })
      await db.transact((tx) => tx.users.remove({ id: second }))
      expect(await places(row, {})).toEqual([
        [first, 1],
        [third, 2],
      ])
      expect((await page(row, {})).total).toBe(2)
    })

    it("are of one window, one version and one leaderboard", async () => {
      const [row, other] = [await board({ period: "daily", version: 1 }), await board({ period: "daily" })]
      const [user = ""] = await fill(row, [[1]])
      await add(row, user, [2], "2026-03-01")
      await add({ ...row, version: 0 }, user, [4], "2026-03-01")
      await add(other, user, [8], "2026-03-02")
      const scores = async (of: LeaderboardRow, window_start: string) =>
        (await page(of, { window_start })).rows.map(({ score }) => score)
      expect(await scores(row, "2026-03-01")).toEqual([2])
      expect(await scores(row, "2026-03-02")).toEqual([])
      expect(await scores(other, "2026-03-02")).toEqual([8])
      const key = { app_user_id: user, rank: 1, reached_at: at(0) }
      const mine = [
        { ...key, leaderboard_id: row.id, window_start: allTime, score: 1 },
        { ...key, leaderboard_id: row.id, window_start: "2026-03-01", score: 2 },
        { ...key, leaderboard_id: other.id, window_start: "2026-03-02", score: 8 },
      ]
      const listed = await db.read((tx) => tx.leaderboardScores.listByUser(user))
      expect(listed).toEqual(
        mine.toSorted((a, b) =>
          `${a.leaderboard_id}${a.window_start}` < `${b.leaderboard_id}${b.window_start}` ? -1 : 1,
        ),
      )
      const standings = await db.read((tx) =>
        tx.leaderboardScores.standings([
          { leaderboard_id: row.id, app_user_id: user, window_start: "2026-03-01" },
          { leaderboard_id: row.id, app_user_id: user, window_start: "2026-03-03" },
          { leaderboard_id: row.id, app_user_id: anId(), window_start: "2026-03-01" },
        ]),
      )
      expect(standings).toEqual([{ leaderboard_id: row.id, app_user_id: user, score: 2, rank: 1 }])
    })

    it("are told of many by leaderboard, window and user, in whatever order they are asked for", async () => {
      const [row, other] = [await board({ period: "daily" }), await board({ period: "daily" })]
      const [one = "", two = ""] = await fill(row, [[1], [1]])
      const keys = [
        { leaderboard_id: other.id, app_user_id: two, window_start: "2026-03-01", score: 5 },
        { leaderboard_id: row.id, app_user_id: two, window_start: "2026-03-02", score: 4 },
        { leaderboard_id: other.id, app_user_id: one, window_start: "2026-03-01", score: 3 },
        { leaderboard_id: row.id, app_user_id: one, window_start: "2026-03-02", score: 2 },
        { leaderboard_id: row.id, app_user_id: one, window_start: "2026-03-01", score: 1 },
      ]
      for (const { leaderboard_id, app_user_id, window_start, score } of keys)
        await add(leaderboard_id === row.id ? row : other, app_user_id, [score], window_start)
      const told = await db.read((tx) => tx.leaderboardScores.standings(keys))
      const placeOf = (key: ChangedScore) => `${key.leaderboard_id}${key.window_start}${key.app_user_id}`
      const inOrder = keys.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
      expect(told.map(({ score }) => score)).toEqual(inOrder.map(({ score }) => score))
    })

    it("are in the file about a user as they are read: none of who is disabled, none beyond the last", async () => {
      const row = await board({ max_entries: 1 })
      const [first = "", second = ""] = await fill(row, [[2], [1]])
      const rank = async (id: string) =>
        (await db.read((tx) => tx.leaderboardScores.listByUser(id))).map((each) => each.rank)
      expect([await rank(first), await rank(second)]).toEqual([[1], [null]])
      await db.transact((tx) => Effect.orDie(tx.users.update(first, { is_disabled: true })))
      expect([await rank(first), await rank(second)]).toEqual([[null], [1]])
    })
  })
