import type { TenantDb } from "@hearth/core"
import type { XpDay, XpTotal } from "@hearth/core/xp"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardText } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { writeUser } from "../users/tables.ts"
import { anXpEntry } from "./builders.ts"

type Open = () => Promise<DatabaseUnderTest<TenantDb>>

const at = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)

/** What a project promises about its ledger of XP, beyond the table. */
export const xpEntriesContract = (open: Open) =>
  describe("xp entries", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    const user = () => db.transact(writeUser)

    it("are inserted together, and found by their causes", async () => {
      const app_user_id = await user()
      const entries = [anXpEntry({ app_user_id }), anXpEntry({ app_user_id, cause_key: awkwardText })]
      await db.transact((tx) => tx.xpEntries.insertMany(entries))
      await db.transact((tx) => tx.xpEntries.insertMany([]))
      expect(await db.read((tx) => tx.xpEntries.list({ app_user_id }, []))).toStrictEqual(entries)
      const causes = entries.map(({ cause_key }) => cause_key)
      const find = (...given: ReadonlyArray<string>) => db.read((tx) => tx.xpEntries.findCauses(given))
      expect(await find("none", ...causes, ...causes)).toEqual(new Set(causes))
      expect(await find()).toEqual(new Set())
    })

    it("have causes of their own: another entry of a cause is a defect, and nothing is written [G2.3]", async () => {
      const app_user_id = await user()
      const [first, second] = [anXpEntry({ app_user_id }), anXpEntry({ app_user_id })]
      await db.transact((tx) => tx.xpEntries.insertMany([first]))
      const again = [second, anXpEntry({ app_user_id, cause_key: first.cause_key })]
      expect(died(await db.attempt((tx) => tx.xpEntries.insertMany(again)))).toBe(true)
      expect(await db.read((tx) => tx.xpEntries.list({ app_user_id }, []))).toStrictEqual([first])
    })

    it("are read newest first, by id at one instant [G2.4]", async () => {
      const [app_user_id, other] = [await user(), await user()]
      const given = [at(2), at(1), at(2), at(3)].map((created_at) => anXpEntry({ app_user_id, created_at }))
      await db.transact((tx) => tx.xpEntries.insertMany([...given, anXpEntry({ app_user_id: other })]))
      const newest = (limit: number) => db.read((tx) => tx.xpEntries.newest(app_user_id, limit))
      expect(await newest(50)).toStrictEqual([given[3], given[2], given[0], given[1]])
      expect(await newest(2)).toStrictEqual([given[3], given[2]])
      expect(await db.read((tx) => tx.xpEntries.newest(anId(), 50))).toEqual([])
    })

    it("of a user are removed in pieces [I0.4]", async () => {
      const [app_user_id, other] = [await user(), await user()]
      const given = [app_user_id, other, app_user_id, app_user_id].map((id) => anXpEntry({ app_user_id: id }))
      await db.transact((tx) => tx.xpEntries.insertMany(given))
      const removeSome = () => db.transact((tx) => tx.xpEntries.removeSome(app_user_id, 2))
      expect([await removeSome(), await removeSome(), await removeSome()]).toEqual([2, 1, 0])
      const causes = given.map(({ cause_key }) => cause_key)
      expect(await db.read((tx) => tx.xpEntries.findCauses(causes))).toEqual(new Set([given[1]?.cause_key]))
    })

    it("go with their user, as everything of XP", async () => {
      const app_user_id = await user()
      const day = { app_user_id, event_name: "lesson", day: "2026-03-01" }
      await db.transact((tx) =>
        Effect.all([
          tx.xpTotals.lockMany([app_user_id]),
          tx.xpTotals.save([{ app_user_id, total: 10, highest_total: 10 }]),
          tx.xpEntries.insertMany([anXpEntry({ app_user_id })]),
          tx.xpDays.save([{ ...day, amount: 10 }]),
        ]),
      )
      await db.transact((tx) => tx.users.remove({ id: app_user_id }))
      expect(await db.read((tx) => tx.xpEntries.list({ app_user_id }, []))).toEqual([])
      expect(await db.read((tx) => tx.xpDays.list([day]))).toEqual([])
      expect(await db.read((tx) => tx.xpTotals.find(app_user_id))).toEqual({ app_user_id, total: 0, highest_total: 0 })
    })
  })

/** What a project promises about the totals of its users. */
export const xpTotalsContract = (open: Open) =>
  describe("xp totals", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    const user = () => db.transact(writeUser)
    const find = (userId: string) => db.read((tx) => tx.xpTotals.find(userId))
    const save = (total: XpTotal) =>
      db.transact((tx) => Effect.andThen(tx.xpTotals.lockMany([total.app_user_id]), tx.xpTotals.save([total])))

    it("are 0 where there is none, and as they were saved, beyond 31 bits too", async () => {
      const [app_user_id, other] = [await user(), await user()]
      expect(await find(app_user_id)).toStrictEqual({ app_user_id, total: 0, highest_total: 0 })
      for (const total of [1, 2_147_483_648, 9_007_199_254_740_991, 0]) {
        const saved = { app_user_id, total, highest_total: 9_007_199_254_740_991 }
        await save(saved)
        expect(await find(app_user_id)).toStrictEqual(saved)
      }
      expect(await find(other)).toStrictEqual({ app_user_id: other, total: 0, highest_total: 0 })
      const less = { app_user_id, total: 2, highest_total: 1 }
      expect(died(await db.attempt((tx) => tx.xpTotals.save([less])))).toBe(true)
    })

    it("are made and locked for the users that exist, each once", async () => {
      const [ada, bob] = [await user(), await user()]
      await save({ app_user_id: ada, total: 7, highest_total: 9 })
      const gone = anId()
      const locked = await db.transact((tx) => tx.xpTotals.lockMany([bob, gone, ada, bob]))
      expect(locked).toEqual(
        new Map([
          [ada, { app_user_id: ada, total: 7, highest_total: 9 }],
          [bob, { app_user_id: bob, total: 0, highest_total: 0 }],
        ]),
      )
      expect(await db.transact((tx) => tx.xpTotals.lockMany([]))).toEqual(new Map())
    })

    it.each([["new"], ["present"]])("are locked until the transaction ends: %s ones", async (kind) => {
      const app_user_id = await user()
      if (kind === "present") await save({ app_user_id, total: 1, highest_total: 1 })
      const first = beginOn(db)
      await first.step((tx) => tx.xpTotals.lockMany([app_user_id]))
      const second = db.transact((tx) => tx.xpTotals.lockMany([app_user_id]))
      expect(await isWaiting(second)).toBe(true)
      await first.step((tx) => tx.xpTotals.save([{ app_user_id, total: 5, highest_total: 5 }]))
      await first.commit()
      expect((await second).get(app_user_id)?.total).toBe(5)
    })

    it("keep their users from being removed, not from being changed", async () => {
      const app_user_id = await user()
      const first = beginOn(db)
      await first.step((tx) => tx.xpTotals.lockMany([app_user_id]))
      await db.transact((tx) => Effect.orDie(tx.users.update(app_user_id, { display_name: "Ada" })))
      const removed = db.transact((tx) => tx.users.remove({ id: app_user_id }))
      expect(await isWaiting(removed)).toBe(true)
      await first.commit()
      expect(await removed).toBe(1)
    })

    it("are locked in one order, so that two transactions with the same users both end", async () => {
      const users = await Promise.all(Array.from({ length: 30 }, user))
      const lock = (ids: ReadonlyArray<string>) => db.attempt((tx) => tx.xpTotals.lockMany(ids))
      const shuffled = [users, users.toReversed(), users.slice(10), users.slice(0, 20).toReversed()]
      const exits = await Promise.all(shuffled.map(lock))
      expect(exits.map(({ _tag }) => _tag)).toEqual(Array(4).fill("Success"))
    })
  })

/** What a project promises about what its users were given by day. */
export const xpDaysContract = (open: Open) =>
  describe("xp by event name and day", () => {
    it("is inserted, replaced, and found by the whole key", async () => {
      const db = await open()
      const [ada, bob] = [await db.transact(writeUser), await db.transact(writeUser)]
      const save = (...days: ReadonlyArray<XpDay>) => db.transact((tx) => tx.xpDays.save(days))
      const first = { app_user_id: ada, event_name: awkwardText, day: "2026-03-01", amount: 5 }
      const others = [
        { ...first, day: "0001-01-01" },
        { ...first, event_name: "other" },
        { ...first, app_user_id: bob, amount: 9_007_199_254_740_991 },
      ]
      await save(first, ...others)
      await save({ ...first, amount: 7 }, { ...first, day: "9999-12-31" })
      await save()
      expect(await db.read((tx) => tx.xpDays.list([first, first]))).toStrictEqual([{ ...first, amount: 7 }])
      const all = await db.read((tx) => tx.xpDays.list([first, ...others, { ...first, day: "2026-03-02" }]))
      expect(new Set(all)).toEqual(new Set([{ ...first, amount: 7 }, ...others]))
      expect(await db.read((tx) => tx.xpDays.list([]))).toEqual([])
    })
  })

/** What a project promises about its rules and levels. */
export const xpSettingsContract = (open: Open) =>
  describe("rules and levels of xp", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    it("rules are replaced as a whole, and kept in the order in which they were given [G2.1]", async () => {
      const list = () => db.read((tx) => tx.xpRules.list())
      expect(await list()).toEqual([])
      const [lesson, awkward, last] = [
        { event_name: "lesson", amount: 10, daily_cap: null },
        { event_name: awkwardText, amount: 1_000_000, daily_cap: 2_147_483_647 },
        { event_name: "a", amount: 1, daily_cap: 1 },
      ]
      await db.transact((tx) => tx.xpRules.replace([lesson, awkward, last]))
      expect(await list()).toStrictEqual([lesson, awkward, last])
      const changed = [{ ...awkward, amount: 2 }, { ...last, event_name: "b" }, lesson]
      await db.transact((tx) => tx.xpRules.replace(changed))
      expect(await list()).toStrictEqual(changed)
      const byName = (...names: ReadonlyArray<string>) => db.read((tx) => tx.xpRules.listByName(names))
      expect(await byName("lesson", "none", "lesson")).toStrictEqual([lesson])
      expect(await byName()).toEqual([])
      const free = { ...lesson, amount: 0 }
      for (const refused of [[lesson, lesson], [free], [{ ...lesson, daily_cap: 0 }]])
        expect(died(await db.attempt((tx) => tx.xpRules.replace(refused)))).toBe(true)
      expect(await list()).toStrictEqual(changed)
      await db.transact((tx) => tx.xpRules.replace([]))
      expect(await list()).toEqual([])
    })

    it("levels are replaced as a whole, and ascend [G2.2]", async () => {
      const list = () => db.read((tx) => tx.xpLevels.list())
      expect(await list()).toEqual([])
      const levels = [
        { name: awkwardText, xp_required: 0 },
        { name: "Nine", xp_required: 9 },
        { name: "Nine", xp_required: 10 },
        { name: "Last", xp_required: 9_007_199_254_740_991 },
      ]
      await db.transact((tx) => tx.xpLevels.replace(levels.toReversed()))
      expect(await list()).toStrictEqual(levels)
      const changed = [
        { name: "Renamed", xp_required: 9 },
        { name: "New", xp_required: 11 },
      ]
      await db.transact((tx) => tx.xpLevels.replace(changed))
      expect(await list()).toStrictEqual(changed)
      const twice = [
        { name: "One", xp_required: 1 },
        { name: "Two", xp_required: 1 },
      ]
      expect(died(await db.attempt((tx) => tx.xpLevels.replace(twice)))).toBe(true)
    })
  })
