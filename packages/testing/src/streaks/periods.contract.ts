import type { TenantDb } from "@hearth/core"
import type { AfterPeriod, FromInstant, StreakKey, StreakPeriodRow } from "@hearth/core/streaks"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { aQualifyingEvent, aStreakDefinition, aStreakGrant, aStreakPeriod } from "./builders.ts"

const at = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)
const january = (day: number) => `2026-01-${String(day).padStart(2, "0")}`

/** What a project promises about the periods that streaks are made of, and about granted freezes. */
export const streakPeriodsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("streak periods", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const aKey = async (given: Partial<StreakKey> = {}): Promise<StreakKey> => {
      const [user, definition] = [aUser(), aStreakDefinition()]
      await db.transact((tx) =>
        Effect.orDie(Effect.andThen(tx.users.insert(user), tx.streakDefinitions.insert(definition))),
      )
      return { app_user_id: user.id, streak_definition_id: definition.id, ...given }
    }
    const done = (key: StreakKey, period_key: string, millis = 0) =>
      aStreakPeriod({ ...key, period_key, kind: "done", occurred_at: at(millis) })
    const freeze = (key: StreakKey, period_key: string, millis = 0) =>
      aStreakPeriod({ ...key, period_key, kind: "freeze", occurred_at: at(millis) })
    const add = (...periods: ReadonlyArray<StreakPeriodRow>) => db.transact((tx) => tx.userStreaks.addPeriods(periods))
    const recent = (userId: string, limit = 1_000) => db.read((tx) => tx.userStreaks.recentPeriods(userId, limit))
    const of = (key: StreakKey, periods: ReadonlyArray<StreakPeriodRow>) =>
      periods.filter(
        (one) => one.streak_definition_id === key.streak_definition_id && one.app_user_id === key.app_user_id,
      )

    it("keeps every column of a period", async () => {
      const key = await aKey()
      const periods = [done(key, "9999-12-31", 1), freeze(key, "2024-02-29", 999), done(key, "0001-01-01", 5)]
      await add(...periods)
      expect(await recent(key.app_user_id)).toStrictEqual(periods)
      await add()
      expect(await recent(key.app_user_id)).toStrictEqual(periods)
    })

    it("replaces a freeze by done, and never replaces done", async () => {
      const key = await aKey()
      await add(freeze(key, january(1), 1), done(key, january(2), 2))
      await add(done(key, january(1), 3), done(key, january(2), 4), freeze(key, january(3), 5))
      await add(freeze(key, january(1), 6), freeze(key, january(2), 7), freeze(key, january(3), 8))
      const expected = [freeze(key, january(3), 5), done(key, january(2), 2), done(key, january(1), 3)]
      expect(await recent(key.app_user_id)).toStrictEqual(expected)
    })

    it("writes the periods of one call as if in separate calls", async () => {
      const key = await aKey()
      await add(
        freeze(key, january(1), 1),
        done(key, january(1), 2),
        freeze(key, january(1), 3),
        done(key, january(1), 4),
        done(key, january(2), 5),
        done(key, january(2), 6),
        freeze(key, january(3), 7),
        freeze(key, january(3), 8),
      )
      const expected = [freeze(key, january(3), 7), done(key, january(2), 5), done(key, january(1), 2)]
      expect(await recent(key.app_user_id)).toStrictEqual(expected)
    })

    it("makes periods all that streaks have after the given ones, and leaves others alone", async () => {
      const [key, other] = [await aKey(), await aKey()]
      const sameUser = await aKey({ app_user_id: key.app_user_id })
      await add(done(key, january(1)), freeze(key, january(2)), freeze(key, january(3), 1), done(key, january(4)))
      await add(freeze(key, january(6), 1), done(sameUser, january(5)), done(other, january(5)))
      const replace = (keys: ReadonlyArray<AfterPeriod>, periods: ReadonlyArray<StreakPeriodRow>) =>
        db.transact((tx) => tx.userStreaks.replacePeriods(keys, periods))
      const counted = { ...done(key, january(7), 3), count_after: 5, freezes_after: 2 }
      await replace(
        [{ ...key, after: january(2) }],
        [freeze(key, january(3), 9), freeze(key, january(4), 9), done(key, january(6), 9), counted],
      )
      expect(of(key, await recent(key.app_user_id))).toStrictEqual([
        counted,
        done(key, january(6), 9),
        freeze(key, january(4), 9),
        freeze(key, january(3), 1),
        freeze(key, january(2)),
        done(key, january(1)),
      ])
      const again = { ...counted, occurred_at: at(2), count_after: 6, freezes_after: null }
      await replace(
        [
          { ...key, after: null },
          { ...other, after: january(5) },
        ],
        [again],
      )
      expect(of(key, await recent(key.app_user_id))).toStrictEqual([again])
      expect(of(other, await recent(other.app_user_id))).toStrictEqual([done(other, january(5))])
      expect(of(sameUser, await recent(key.app_user_id))).toStrictEqual([done(sameUser, january(5))])
      await replace([], [])
      await replace([{ ...key, after: null }], [])
      expect(of(key, await recent(key.app_user_id))).toEqual([])
    })

    it("answers the latest done period of an earlier event", async () => {
      const [key, other, none] = [await aKey(), await aKey(), await aKey()]
      await add(
        done(key, january(1), 10),
        done(key, january(3), 20),
        freeze(key, january(4), 5),
        done(other, january(2), 7),
      )
      await add({ ...done(key, january(5), 30), count_after: 3, freezes_after: 1 })
      const lastDone = (...keys: ReadonlyArray<FromInstant>) => db.read((tx) => tx.userStreaks.lastDoneBefore(keys))
      expect(await lastDone({ ...key, from: at(30) })).toStrictEqual([{ ...done(key, january(3), 20), zone: null }])
      const found = await lastDone({ ...key, from: at(31) }, { ...other, from: at(7) }, { ...none, from: at(99) })
      expect(found).toStrictEqual([{ ...done(key, january(5), 30), count_after: 3, freezes_after: 1, zone: null }])
      expect(await lastDone()).toEqual([])
    })

    it("answers with it the zone in which its event counted, as far as that is known", async () => {
      const [key, other] = [await aKey(), await aKey()]
      await add(done(key, january(1), 10), done(key, january(3), 20), done(other, january(2), 7))
      const log = (on: StreakKey, millis: number, zone: string | null) =>
        db.transact((tx) => tx.qualifyingEvents.add([aQualifyingEvent({ ...on, occurred_at: at(millis), zone })]))
      await log(key, 10, "Asia/Tokyo")
      await log(key, 20, null)
      await log(other, 8, "Europe/Berlin")
      const zones = async (...keys: ReadonlyArray<FromInstant>) =>
        (await db.read((tx) => tx.userStreaks.lastDoneBefore(keys))).map(({ period_key, zone }) => [period_key, zone])
      expect(await zones({ ...key, from: at(20) })).toEqual([[january(1), "Asia/Tokyo"]])
      expect(await zones({ ...key, from: at(21) })).toEqual([[january(3), "UTC"]])
      expect(await zones({ ...other, from: at(9) })).toEqual([[january(2), null]])
    })

    it("answers the done periods whose count is not known", async () => {
      const [key, other] = [await aKey(), await aKey()]
      await add(
        { ...done(key, january(1)), count_after: 1, freezes_after: 0 },
        done(key, january(2), 1),
        freeze(key, january(3)),
      )
      await add(done(key, january(4), 2), done(other, january(1)))
      const uncounted = async (...keys: ReadonlyArray<AfterPeriod>) =>
        (await db.read((tx) => tx.userStreaks.uncountedPeriods(keys))).toSorted((a, b) =>
          a.period_key < b.period_key ? -1 : 1,
        )
      expect(await uncounted({ ...key, after: null })).toStrictEqual([
        done(key, january(2), 1),
        done(key, january(4), 2),
      ])
      expect(await uncounted({ ...key, after: january(2) })).toStrictEqual([done(key, january(4), 2)])
      expect(await uncounted({ ...key, after: january(4) }, { ...other, after: null })).toStrictEqual([
        done(other, january(1)),
      ])
      expect(await uncounted()).toEqual([])
    })

    it("answers the last periods of each streak of a user, newest first", async () => {
      const key = await aKey()
      const [same, other] = [await aKey({ app_user_id: key.app_user_id }), await aKey()]
      await add(done(key, january(1)), done(key, january(3)), freeze(key, january(2)), done(key, january(4)))
      await add(done(same, january(1)), done(other, january(1)))
      const found = await recent(key.app_user_id, 3)
      expect(of(key, found).map((one) => [one.period_key, one.kind])).toEqual([
        [january(4), "done"],
        [january(3), "done"],
        [january(2), "freeze"],
      ])
      expect(of(same, found)).toStrictEqual([done(same, january(1))])
      expect(found.map(({ period_key }) => period_key)).toEqual([4, 3, 2, 1].map(january))
      const [first, second] = [key, same].map(({ streak_definition_id }) => streak_definition_id).toSorted()
      await add(done(same, january(4)))
      const latest = (await recent(key.app_user_id, 1)).map(({ streak_definition_id }) => streak_definition_id)
      expect(latest).toEqual([first, second])
      expect((await recent(key.app_user_id, 3)).map(({ period_key }) => period_key)).toEqual(
        [4, 4, 3, 2, 1].map(january),
      )
      expect(await recent(anId())).toEqual([])
    })

    it("stores every grant, also equal ones", async () => {
      const [key, other, none] = [await aKey(), await aKey(), await aKey()]
      const grants = [
        aStreakGrant({ ...key, from_period: "9999-12-31", count: 1_000, granted_at: at(1) }),
        aStreakGrant({ ...key, from_period: "2024-02-29", count: 1, granted_at: at(2) }),
        aStreakGrant({ ...key, from_period: "2024-02-29", count: 1, granted_at: at(2) }),
      ]
      const foreign = aStreakGrant(other)
      for (const grant of [...grants, foreign]) await db.transact((tx) => tx.userStreaks.addGrant(grant))
      const found = (...keys: ReadonlyArray<StreakKey>) => db.read((tx) => tx.userStreaks.grants(keys))
      const inOrder = [...grants.slice(1), ...grants.slice(0, 1)]
      expect(await found(key)).toStrictEqual(inOrder)
      const byUser = [[foreign], inOrder].toSorted(([a], [b]) =>
        (a?.app_user_id ?? "") < (b?.app_user_id ?? "") ? -1 : 1,
      )
      expect(await found(other, key, none, key)).toStrictEqual(byUser.flat())
      expect(await found(none)).toEqual([])
      expect(await found()).toEqual([])
    })

    it("refuses periods without user or definition, and removes them with either", async () => {
      const [gone, kept] = [await aKey(), await aKey()]
      const shared = { app_user_id: kept.app_user_id, streak_definition_id: gone.streak_definition_id }
      for (const key of [gone, kept, shared]) {
        await add(done(key, january(1)), freeze(key, january(2)))
        await db.transact((tx) => tx.userStreaks.addGrant(aStreakGrant(key)))
      }
      for (const orphan of [
        { ...kept, app_user_id: anId() },
        { ...kept, streak_definition_id: anId() },
      ]) {
        expect(died(await db.attempt((tx) => tx.userStreaks.addPeriods([done(orphan, january(1))])))).toBe(true)
        expect(died(await db.attempt((tx) => tx.userStreaks.addGrant(aStreakGrant(orphan))))).toBe(true)
      }
      const counts = async (key: StreakKey) => [
        of(key, await recent(key.app_user_id)).length,
        (await db.read((tx) => tx.userStreaks.grants([key]))).length,
      ]
      await db.transact((tx) => tx.users.remove({ id: gone.app_user_id }))
      expect([await counts(gone), await counts(kept), await counts(shared)]).toEqual([
        [0, 0],
        [2, 1],
        [2, 1],
      ])
      await db.transact((tx) => tx.streakDefinitions.remove({ id: gone.streak_definition_id }))
      expect([await counts(kept), await counts(shared)]).toEqual([
        [2, 1],
        [0, 0],
      ])
    })

    it("lists the periods of a streak from the last done one before another on, the earliest first", async () => {
      const [key, other] = [await aKey(), await aKey()]
      const periods = [
        done(key, january(1), 1),
        freeze(key, january(2), 2),
        done(key, january(3), 3),
        freeze(key, january(4), 4),
        freeze(key, january(5), 5),
        done(key, january(7), 7),
      ]
      await add(...periods, done(other, january(4)))
      const from = (period: string, of = key) => db.read((tx) => tx.userStreaks.periodsFrom(of, period))
      expect(await from(january(5))).toStrictEqual(periods.slice(2))
      expect(await from(january(3))).toStrictEqual(periods)
      expect(await from(january(1))).toStrictEqual(periods)
      expect(await from(january(9))).toStrictEqual(periods.slice(5))
      expect(await from("0001-01-01")).toStrictEqual(periods)
      await add(freeze(other, january(2)))
      expect(await from(january(3), other)).toStrictEqual([done(other, january(4))])
      expect(await from(january(3), await aKey())).toEqual([])
    })
  })
