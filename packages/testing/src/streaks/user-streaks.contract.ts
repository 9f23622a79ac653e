import type { TenantDb } from "@hearth/core"
import type { StreakKey, UserStreak } from "@hearth/core/streaks"
import { Effect, Option } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { aStreakDefinition, aUserStreak } from "./builders.ts"

const at = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)

/** What a project promises about the streaks of its users, beyond their table. */
export const userStreaksContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("user streaks", () => {
    let db: DatabaseUnderTest<TenantDb>
    let definition: string
    beforeEach(async () => {
      db ??= await open()
      definition = await aDefinition()
      await db.transact((tx) => tx.userStreaks.remove({}))
    })

    const aDefinition = async () => {
      const row = aStreakDefinition()
      await db.transact((tx) => Effect.orDie(tx.streakDefinitions.insert(row)))
      return row.id
    }
    const users = async (count: number) => {
      const rows = Array.from({ length: count }, () => aUser())
      await db.transact((tx) => Effect.orDie(Effect.forEach(rows, (row) => tx.users.insert(row), { discard: true })))
      return rows.map((row) => row.id)
    }
    const save = (rows: ReadonlyArray<UserStreak>) => db.transact((tx) => tx.userStreaks.save(rows))
    const streaks = async (given: ReadonlyArray<Partial<UserStreak>>) => {
      const owners = await users(given.length)
      const rows = given.map((one, index) =>
        aUserStreak({ app_user_id: owners[index] ?? "", streak_definition_id: definition, ...one }),
      )
      await save(rows)
      return rows
    }
    const stored = (id: string) => db.read((tx) => Effect.map(tx.userStreaks.find({ id }), Option.getOrNull))
    const keyOf = ({ app_user_id, streak_definition_id }: StreakKey) => ({ app_user_id, streak_definition_id })
    const idsOf = (rows: ReadonlyArray<UserStreak>) => rows.map((row) => row.id)

    it("inserts new streaks and updates every column of existing ones", async () => {
      const [first, second] = (await streaks([{ current_count: 1 }, { current_count: 2 }])) as [UserStreak, UserStreak]
      const changed: UserStreak = {
        ...first,
        current_count: 7,
        longest_count: 9,
        freezes_remaining: 2,
        status: "frozen",
        last_period: "2026-02-27",
        settled_period: "2026-02-28",
        last_event_at: at(-1),
        last_done_at: at(-2),
        last_done_zone: "Asia/Tokyo",
        rules: "daily/0/false/1/none",
        rebuild_from: at(-3),
        expires_at: at(1),
        updated_at: at(2),
      }
      const [added] = await streaks([{ status: "active" }])
      await save([changed, { ...(added as UserStreak), status: "broken" }])
      expect(await stored(first.id)).toStrictEqual(changed)
      expect(await stored(second.id)).toStrictEqual(second)
      expect((await stored(added?.id ?? ""))?.status).toBe("broken")
      await save([])
    })

    it("answers all streaks of the given users", async () => {
      const [ada, bob] = (await streaks([{ current_count: 1 }, { current_count: 2 }, {}])) as [UserStreak, UserStreak]
      const second = aUserStreak({ app_user_id: ada.app_user_id, streak_definition_id: await aDefinition() })
      await save([second])
      const ofUsers = (...ids: ReadonlyArray<string>) => db.read((tx) => tx.userStreaks.ofUsers(ids))
      const found = await ofUsers(bob.app_user_id, anId(), ada.app_user_id.toUpperCase(), bob.app_user_id)
      expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toStrictEqual([ada, bob, second])
      expect(await ofUsers()).toEqual([])
    })

    it("saves many at once", async () => {
      const rows = await streaks(Array.from({ length: 300 }, (_, n) => ({ current_count: n })))
      const counts = await db.read((tx) =>
        tx.userStreaks.list({ streak_definition_id: definition }, [["current_count", "asc"]]),
      )
      expect(counts).toStrictEqual(rows)
    })

    it("dies when a user has another streak of the definition", async () => {
      const [row] = (await streaks([{ current_count: 5 }])) as [UserStreak]
      const other = aUserStreak(keyOf(row))
      expect(died(await db.attempt((tx) => tx.userStreaks.save([other])))).toBe(true)
      expect(await stored(row.id)).toStrictEqual(row)
      expect(await stored(other.id)).toBeNull()
    })

    it("refuses a streak without user or definition", async () => {
      const [user] = (await users(1)) as [string]
      const orphans = [
        aUserStreak({ app_user_id: anId(), streak_definition_id: definition }),
        aUserStreak({ app_user_id: user, streak_definition_id: anId() }),
      ]
      for (const orphan of orphans) expect(died(await db.attempt((tx) => tx.userStreaks.save([orphan])))).toBe(true)
      expect(await db.read((tx) => tx.userStreaks.list({}, []))).toEqual([])
    })

    it("locks those of the given streaks that exist, each once", async () => {
      const rows = await streaks([{}, {}, {}])
      const missing = { app_user_id: rows[0]?.app_user_id ?? "", streak_definition_id: anId() }
      const keys = [...rows.slice(0, 2).map(keyOf), missing, keyOf(rows[0] as UserStreak)]
      const locked = await db.transact((tx) => tx.userStreaks.lockMany(keys))
      expect(idsOf(locked).sort()).toEqual(idsOf(rows.slice(0, 2)).sort())
      expect(locked).toContainEqual(rows[0])
      expect(await db.transact((tx) => tx.userStreaks.lockMany([]))).toEqual([])
    })

    it("serialises changes under the lock, for any order of the keys", async () => {
      const rows = await streaks([{}, {}, {}])
      const increment = (keys: ReadonlyArray<StreakKey>) => (tx: TenantDb) =>
        Effect.flatMap(tx.userStreaks.lockMany(keys), (locked) =>
          tx.userStreaks.save(locked.map((row) => ({ ...row, current_count: row.current_count + 1 }))),
        )
      const keys = rows.map(keyOf)
      await Promise.all(
        Array.from({ length: 8 }, (_, turn) => db.transact(increment(turn % 2 === 0 ? keys : keys.toReversed()))),
      )
      const counts = await Promise.all(rows.map(async (row) => (await stored(row.id))?.current_count))
      expect(counts).toEqual([8, 8, 8])
    })

    it("answers expired streaks, the earliest first", async () => {
      const [late, never, now, soon, future] = await streaks([
        { expires_at: at(-1) },
        { expires_at: null },
        { expires_at: at(0) },
        { expires_at: at(-5_000) },
        { expires_at: at(1) },
      ])
      const expired = (limit: number) => db.transact((tx) => tx.userStreaks.expired(at(0), limit))
      expect(await expired(10)).toStrictEqual([soon, late, now])
      expect(await expired(2)).toStrictEqual([soon, late])
      expect([never?.expires_at, future?.expires_at]).toEqual([null, at(1)])
    })

    it("answers when the next streak expires", async () => {
      const next = () => db.read((tx) => tx.userStreaks.nextExpiry())
      expect(await next()).toBeNull()
      await streaks([{ expires_at: null }])
      expect(await next()).toBeNull()
      await streaks([{ expires_at: at(5) }, { expires_at: at(-3) }, { expires_at: at(4) }])
      expect(await next()).toEqual(at(-3))
    })

    it("pages through the streaks of a definition that wait for a rebuild, by user", async () => {
      const owners = await users(6)
      const [mine, old] = ["daily/1", "daily/0"]
      const others = await aDefinition()
      // Later streaks have users with smaller ids.
      const notes = [
        { rules: old },
        {},
        { rules: old, rebuild_from: at(1) },
        { rebuild_from: at(2) },
        { rules: old },
        {},
      ]
      const rows = owners
        .map((id, n) => aUserStreak({ app_user_id: id, streak_definition_id: definition, rules: mine, ...notes[n] }))
        .toReversed()
      await save(rows)
      await save(owners.map((id) => aUserStreak({ app_user_id: id, streak_definition_id: others, rules: old })))
      const found = async (rules: string | null, after: string | null, limit = 9) => {
        const keys = await db.transact((tx) => tx.userStreaks.awaitingRebuild(definition, rules, after, limit))
        expect(new Set(keys.map((key) => key.streak_definition_id)).size).toBeLessThan(2)
        return keys.map((key) => owners.indexOf(key.app_user_id))
      }
      expect(await found(mine, null)).toEqual([0, 2, 3, 4])
      expect(await found(mine, null, 2)).toEqual([0, 2])
      expect(await found(mine, owners[2] ?? "", 1)).toEqual([3])
      expect(await found(mine, owners[4] ?? "")).toEqual([])
      expect(await found(null, null)).toEqual([2, 3])
      expect(await found(null, owners[2] ?? "")).toEqual([3])
    })

    it("locks definitions that exist, by id, each once", async () => {
      const [first, second] = [await aDefinition(), await aDefinition()]
      const locked = await db.transact((tx) => tx.streakDefinitions.lockMany([second, anId(), first, second]))
      expect(locked.map(({ id }) => id)).toEqual([first, second].sort())
      expect(locked.find(({ id }) => id === first)?.qualifying_event).toBe("lesson_completed")
      expect(await db.transact((tx) => tx.streakDefinitions.lockMany([]))).toEqual([])
    })

    it("are removed with their user and with their definition", async () => {
      const [first, second, third] = (await streaks([{}, {}, {}])) as [UserStreak, UserStreak, UserStreak]
      const others = await aDefinition()
      const kept = aUserStreak({ app_user_id: second.app_user_id, streak_definition_id: others })
      await save([kept])
      await db.transact((tx) => tx.users.remove({ id: first.app_user_id }))
      expect([await stored(first.id), await stored(second.id)]).toEqual([null, second])
      await db.transact((tx) => tx.streakDefinitions.remove({ id: definition }))
      expect([await stored(second.id), await stored(third.id), await stored(kept.id)]).toEqual([null, null, kept])
    })
  })
