import type { TenantDb } from "@hearth/core"
import type { StreakKey, StreakPeriodRow } from "@hearth/core/streaks"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { aStreakDefinition, aStreakGrant, aStreakPeriod } from "./builders.ts"

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
    const doneOf = (...keys: ReadonlyArray<StreakKey>) => db.read((tx) => tx.userStreaks.donePeriods(keys))
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

    it("replaces the freezes of the given streaks, and of no others", async () => {
      const [key, other] = [await aKey(), await aKey()]
      const sameUser = await aKey({ app_user_id: key.app_user_id })
      await add(done(key, january(1)), freeze(key, january(2)), freeze(key, january(3), 1), done(key, january(4)))
      await add(freeze(sameUser, january(2)), freeze(other, january(2)))
      const replace = (keys: ReadonlyArray<StreakKey>, freezes: ReadonlyArray<StreakPeriodRow>) =>
        db.transact((tx) => tx.userStreaks.replaceFreezes(keys, freezes))
      await replace([key], [freeze(key, january(3), 9), freeze(key, january(5), 9), freeze(key, january(4), 9)])
      expect(of(key, await recent(key.app_user_id))).toStrictEqual([
        freeze(key, january(5), 9),
        done(key, january(4)),
        freeze(key, january(3), 9),
        done(key, january(1)),
      ])
      await replace([key, other], [])
      expect(of(key, await recent(key.app_user_id))).toStrictEqual([done(key, january(4)), done(key, january(1))])
      expect(of(sameUser, await recent(key.app_user_id))).toStrictEqual([freeze(sameUser, january(2))])
      expect(await recent(other.app_user_id)).toEqual([])
      await replace([], [])
    })

    it("answers the done periods of the given streaks, ascending in each", async () => {
      const [key, other, third] = [await aKey(), await aKey(), await aKey()]
      await add(done(key, january(9)), done(key, january(2), 1), freeze(key, january(5)), done(key, january(10)))
      await add(done(other, january(3)), done(other, january(1)), done(third, january(1)))
      const found = await doneOf(key, other, key, await aKey())
      expect(of(key, found)).toStrictEqual([done(key, january(2), 1), done(key, january(9)), done(key, january(10))])
      expect(of(other, found)).toStrictEqual([done(other, january(1)), done(other, january(3))])
      expect(found).toHaveLength(5)
      expect(await doneOf()).toEqual([])
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
      expect(found).toHaveLength(4)
      expect(await recent(anId())).toEqual([])
    })

    it("converts the days of a definition to weeks, each once", async () => {
      const key = await aKey()
      const other = await aKey({ streak_definition_id: key.streak_definition_id })
      const untouched = await aKey({ app_user_id: key.app_user_id })
      // The 5th and the 12th are Mondays.
      await add(
        freeze(key, january(5), 1),
        done(key, january(6), 9),
        done(key, january(8), 4),
        freeze(key, january(11), 5),
      )
      await add(
        done(key, january(4), 6),
        freeze(key, january(12), 7),
        freeze(key, january(13), 8),
        done(other, january(12), 1),
      )
      await add(done(untouched, january(6)), done(untouched, january(7)))
      const convert = () => db.transact((tx) => tx.userStreaks.weeksFromDays(key.streak_definition_id))
      await convert()
      const weeks = of(key, await recent(key.app_user_id))
      expect(weeks.map((one) => [one.period_key, one.kind])).toEqual([
        [january(12), "freeze"],
        [january(5), "done"],
        ["2025-12-29", "done"],
      ])
      expect(weeks.slice(1).map((one) => one.occurred_at)).toEqual([at(4), at(6)])
      expect(await recent(other.app_user_id)).toStrictEqual([done(other, january(12), 1)])
      expect(of(untouched, await recent(key.app_user_id))).toHaveLength(2)
      await convert()
      expect(of(key, await recent(key.app_user_id))).toStrictEqual(weeks)
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
      const sorted = (rows: ReadonlyArray<{ readonly id: string }>) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      expect(sorted(await found(key))).toStrictEqual(grants)
      expect(sorted(await found(other, key, none, key))).toStrictEqual([...grants, foreign])
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
  })
