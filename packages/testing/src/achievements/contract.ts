import type { TenantDb } from "@hearth/core"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { fixtureNow, parseValidRules, type UserFixture, writeUsers } from "../segments/contract-fixtures.ts"
import { anAchievement, aRevocation, aUserAchievement } from "./builders.ts"

const games = (count: number): UserFixture => ({
  user: { last_seen_at: fixtureNow },
  events: Array(count).fill({ event_name: "contract game", occurred_at: fixtureNow }),
})
const criteria = parseValidRules({ event: "contract game", count: 2 })

/** What a project promises about what users have unlocked. */
export const achievementsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("achievements of users", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const write = async (...users: ReadonlyArray<UserFixture>) => {
      const achievement = anAchievement()
      await db.transact((tx) => Effect.orDie(tx.achievements.insert(achievement)))
      return { achievement_id: achievement.id, ids: (await writeUsers(db, users)).toSorted() }
    }
    const unlock = (achievement_id: string, app_user_id: string) =>
      db.transact((tx) => tx.userAchievements.insertMany([aUserAchievement({ app_user_id, achievement_id })]))
    const revoke = (achievement_id: string, app_user_id: string) =>
      db.transact((tx) => Effect.orDie(tx.achievementRevocations.insert(aRevocation({ app_user_id, achievement_id }))))

    it("are inserted once per user and achievement", async () => {
      const { achievement_id, ids } = await write({}, {})
      const [first, second] = ids.map((app_user_id) => aUserAchievement({ app_user_id, achievement_id }))
      if (first === undefined || second === undefined) throw new Error("There are two users.")
      const { app_user_id } = first
      const insert = (...rows: ReadonlyArray<typeof first>) => db.transact((tx) => tx.userAchievements.insertMany(rows))
      expect(await insert(first)).toEqual([first.id])
      expect(await insert(aUserAchievement({ app_user_id, achievement_id }), second)).toEqual([second.id])
      expect(await insert()).toEqual([])
      const stored = await db.read((tx) => tx.userAchievements.list({ achievement_id }, [["app_user_id", "asc"]]))
      expect(stored).toEqual([first, second])
    })

    it("are closed once they are unlocked or taken back", async () => {
      const { achievement_id, ids } = await write({}, {}, {})
      const [held = "", revoked = "", open = ""] = ids
      await unlock(achievement_id, held)
      await revoke(achievement_id, revoked)
      const closed = await db.read((tx) => tx.userAchievements.listClosed([held, revoked, open]))
      expect(closed.toSorted((a, b) => (a.app_user_id < b.app_user_id ? -1 : 1))).toEqual([
        { app_user_id: held, achievement_id },
        { app_user_id: revoked, achievement_id },
      ])
      expect(await db.read((tx) => tx.userAchievements.listClosed([open]))).toEqual([])
      expect(await db.read((tx) => tx.userAchievements.listClosed([]))).toEqual([])
    })

    it("have all users as candidates, in slices", async () => {
      const { achievement_id, ids } = await write({}, {}, {}, {})
      await unlock(achievement_id, ids[1] ?? "")
      await revoke(achievement_id, ids[2] ?? "")
      const all: Array<{ readonly user_id: string; readonly is_closed: boolean }> = []
      for (let length = 3; length === 3; ) {
        const after = all.at(-1)?.user_id ?? null
        const slice = await db.read((tx) => tx.userAchievements.listCandidates(achievement_id, after, 3))
        length = slice.length
        all.push(...slice)
      }
      expect(all.map(({ user_id }) => user_id)).toEqual(all.map(({ user_id }) => user_id).toSorted())
      const own = all.filter(({ user_id }) => ids.includes(user_id))
      expect(own).toEqual(ids.map((user_id, at) => ({ user_id, is_closed: at === 1 || at === 2 })))
    })

    it("tell who would unlock, without those to whom it is closed [G1.3]", async () => {
      await db.transact((tx) => tx.users.remove({}))
      const { achievement_id } = await write()
      const [none, ...fitting] = await writeUsers(db, [games(1), games(2), games(3), games(4), games(5)])
      const ids = fitting.toSorted()
      const preview = (id: string | null, size: number, rules = criteria) =>
        db.read((tx) => tx.userAchievements.preview(rules, id, fixtureNow, size))
      expect(await preview(null, 20)).toEqual({ would_unlock: 4, sample: ids })
      expect(ids).not.toContain(none)
      await unlock(achievement_id, ids[1] ?? "")
      await revoke(achievement_id, ids[2] ?? "")
      expect(await preview(achievement_id, 20)).toEqual({ would_unlock: 2, sample: [ids[0], ids[3]] })
      expect(await preview(achievement_id, 1)).toEqual({ would_unlock: 2, sample: [ids[0]] })
      expect(await preview(anAchievement().id, 20)).toEqual({ would_unlock: 4, sample: ids })
      expect(await preview(null, 20, parseValidRules({ any: [] }))).toEqual({ would_unlock: 0, sample: [] })
    })

    it("go with their user, and with their achievement", async () => {
      const { achievement_id, ids } = await write({}, {})
      for (const id of ids) await unlock(achievement_id, id)
      for (const id of ids) await revoke(achievement_id, id)
      const left = async () => {
        const unlocks = await db.read((tx) => tx.userAchievements.list({ achievement_id }, []))
        const revocations = await db.read((tx) => tx.achievementRevocations.list({ achievement_id }, []))
        return [unlocks, revocations].map((rows) => rows.map(({ app_user_id }) => app_user_id))
      }
      await db.transact((tx) => tx.users.remove({ id: ids[0] ?? "" }))
      expect(await left()).toEqual([[ids[1]], [ids[1]]])
      await db.transact((tx) => tx.achievements.remove({ id: achievement_id }))
      expect(await left()).toEqual([[], []])
    })
  })
