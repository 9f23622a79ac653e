import type { TenantDb } from "@hearth/core"
import { makeBatchNotes } from "@hearth/core/background"
import type { FeedItemRow } from "@hearth/core/feeds"
import { makeFeedsWork } from "@hearth/core/feeds"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardText } from "../contracts/awkward-values.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { anEvent } from "../events/builders.ts"
import { aGroup } from "../groups/builders.ts"
import { memoryIds } from "../memory/ids.ts"
import { writeUser } from "../users/tables.ts"
import { aFeedItem, aFeedRule } from "./tables.ts"

type Open = () => Promise<DatabaseUnderTest<TenantDb>>

const at = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)

/** What a project promises about rules and items of feeds, beyond the tables. */
export const feedItemsContract = (open: Open) =>
  describe("feed items", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    const user = () => db.transact(writeUser)
    const write = (...items: ReadonlyArray<FeedItemRow>) => db.transact((tx) => tx.feedItems.insertNew(items))
    const list = (actor_id: string) => db.read((tx) => tx.feedItems.list({ actor_id }, [["created_at", "asc"]]))

    it("are made by the active rules of a name [I3.1]", async () => {
      const rules = [
        aFeedRule({ source_event: awkwardText }),
        aFeedRule({ source_event: "lesson one" }),
        aFeedRule({ source_event: "lesson one", is_active: false }),
        aFeedRule({ source_event: "lesson one", action: "again", target_type: "book" }),
      ]
      const before = await db.read((tx) => tx.feedRules.count())
      for (const rule of rules) await db.transact((tx) => Effect.orDie(tx.feedRules.insert(rule)))
      const active = (...names: ReadonlyArray<string>) => db.read((tx) => tx.feedRules.listActive(names))
      expect(await active("lesson one", "lesson one", "none")).toStrictEqual([rules[1], rules[3]])
      expect(await active(awkwardText)).toStrictEqual([rules[0]])
      expect(await active("LESSON ONE", "lesson")).toEqual([])
      expect(await active()).toEqual([])
      expect((await db.read((tx) => tx.feedRules.count())) - before).toBe(4)
    })

    it("are one per event and rule, however often they are written [I3.1]", async () => {
      const actor_id = await user()
      const first = aFeedItem({ actor_id, target_id: awkwardText, created_at: at(0) })
      const { event_id, rule_id } = first
      await write(first)
      await write(
        aFeedItem({ actor_id, event_id, rule_id, action: "another" }),
        aFeedItem({ actor_id, event_id, created_at: at(1) }),
        aFeedItem({ actor_id, rule_id, created_at: at(2) }),
      )
      await write()
      const [present, ...more] = await list(actor_id)
      expect(present).toStrictEqual(first)
      expect(more.map(({ created_at }) => created_at)).toEqual([at(1), at(2)])
    })

    it("are one where two transactions write the same", async () => {
      const actor_id = await user()
      const item = aFeedItem({ actor_id })
      const first = beginOn(db)
      await first.step((tx) => tx.feedItems.insertNew([item]))
      const second = write({ ...item, id: anId() })
      expect(await isWaiting(second)).toBe(true)
      await first.commit()
      await second
      expect(await list(actor_id)).toStrictEqual([item])
    })

    it("are left out where the actor is gone, and go with the actor [I0.4]", async () => {
      const [ada, bob, gone] = [await user(), await user(), anId()]
      await write(aFeedItem({ actor_id: ada }), aFeedItem({ actor_id: gone }), aFeedItem({ actor_id: bob }))
      expect([(await list(ada)).length, (await list(gone)).length, (await list(bob)).length]).toEqual([1, 0, 1])
      await db.transact((tx) => tx.users.remove({ id: ada }))
      expect([(await list(ada)).length, (await list(bob)).length]).toEqual([0, 1])
    })

    it("keep their actors from being removed until the transaction ends", async () => {
      const actor_id = await user()
      const first = beginOn(db)
      await first.step((tx) => tx.feedItems.insertNew([aFeedItem({ actor_id })]))
      const removed = db.transact((tx) => tx.users.remove({ id: actor_id }))
      expect(await isWaiting(removed)).toBe(true)
      await first.commit()
      await removed
      expect(await list(actor_id)).toEqual([])
    })

    it("know which ids are groups", async () => {
      const group = aGroup()
      await db.transact((tx) => Effect.orDie(tx.groups.insert(group)))
      const find = (...ids: ReadonlyArray<string>) => db.read((tx) => tx.feedItems.findGroups(ids))
      expect(await find(group.id, anId(), group.id.toUpperCase())).toEqual(new Set([group.id]))
      expect(await find()).toEqual(new Set())
    })

    it("are listed for developers with their actors, all or of an action, the newest first", async () => {
      const actor_id = await user()
      const action = `action ${anId()}`
      const items = [at(2), at(1), at(2)].map((created_at) => aFeedItem({ actor_id, action, created_at }))
      await write(...items, aFeedItem({ actor_id, created_at: at(9) }))
      const page = (limit: number, offset: number, of: string | null = action) =>
        db.read((tx) => tx.feedItems.pageWithActors(of, { limit, offset }))
      const { rows, total } = await page(50, 0)
      expect([rows.map(({ id }) => id), total]).toEqual([[items[2]?.id, items[0]?.id, items[1]?.id], 3])
      expect(rows[0]).toStrictEqual({
        ...{ id: items[2]?.id, actor_id, action, target_id: null, created_at: at(2) },
        actor: { id: actor_id, display_name: expect.any(String), avatar_url: null },
      })
      expect((await page(1, 1)).rows).toStrictEqual([rows[1]])
      expect(await page(1, 5)).toEqual({ rows: [], total: 3 })
      expect(await page(5, 0, "none")).toEqual({ rows: [], total: 0 })
      const everything = await page(1_000, 0, null)
      expect(everything.total).toBe(everything.rows.length)
      expect(everything.rows.filter((row) => row.actor_id === actor_id)).toHaveLength(4)
    })

    it("go on after a place, whatever comes and goes meanwhile", async () => {
      const actor_id = await user()
      const action = `action ${anId()}`
      const items = [at(1), at(2), at(2), at(3), at(3)].map((created_at) => aFeedItem({ actor_id, action, created_at }))
      await write(...items)
      const { rows } = await db.read((tx) => tx.feedItems.pageWithActors(action, { limit: 9, offset: 0 }))
      const [, second, third] = rows
      const readOn = (item: typeof second, of: string | null = action, offset = 0) =>
        db.read((tx) =>
          tx.feedItems.listWithActors(of, { at: item?.created_at ?? at(0), id: item?.id ?? "" }, { limit: 2, offset }),
        )
      expect(await readOn(second)).toStrictEqual(rows.slice(2, 4))
      expect(await readOn(second, action, 2)).toStrictEqual(rows.slice(4))
      expect(await readOn(second, "none")).toEqual([])
      expect(await readOn(rows[4])).toEqual([])
      const ofAll = (await readOn(second, null)).map(({ created_at }) => created_at.getTime())
      expect(ofAll[0]).toBe(at(2).getTime())
      await write(aFeedItem({ actor_id, action, created_at: at(9) }))
      for (const gone of [second, third]) await db.transact((tx) => tx.feedItems.remove({ id: gone?.id ?? "" }))
      expect(await readOn(second)).toStrictEqual(rows.slice(3))
    })

    it("are removed in pieces: those of a user, and the oldest ones [I0.3, I0.4]", async () => {
      const [ada, bob] = [await user(), await user()]
      const created = [3, 1, 2].map((days) => new Date(Date.UTC(1990, 0, days)))
      await write(
        ...created.map((created_at) => aFeedItem({ actor_id: ada, created_at })),
        aFeedItem({ actor_id: bob }),
      )
      expect(await db.read((tx) => tx.feedItems.oldest())).toEqual(created[1])
      const removeOld = (before: Date, limit: number) => db.transact((tx) => tx.feedItems.removeOld(before, limit))
      expect(await removeOld(new Date(Date.UTC(1990, 0, 1)), 10)).toBe(0)
      expect(await removeOld(new Date(Date.UTC(1991, 0, 1)), 2)).toBe(2)
      expect((await list(ada)).map(({ created_at }) => created_at)).toEqual([created[0]])
      await write(...created.map(() => aFeedItem({ actor_id: ada })))
      const removeSome = () => db.transact((tx) => tx.feedItems.removeSome(ada, 3))
      expect([await removeSome(), await removeSome(), await removeSome()]).toEqual([3, 1, 0])
      expect(await list(bob)).toHaveLength(1)
    })

    it("are passed over where somebody else removes them", async () => {
      const actor_id = await user()
      const item = aFeedItem({ actor_id, created_at: new Date(Date.UTC(1980, 0, 1)) })
      await write(item)
      const first = beginOn(db)
      await first.step((tx) => tx.feedItems.lock(item.id, "update"))
      expect(await db.transact((tx) => tx.feedItems.removeSome(actor_id, 3))).toBe(0)
      expect(await db.transact((tx) => tx.feedItems.removeOld(new Date(Date.UTC(1981, 0, 1)), 3))).toBe(0)
      await first.rollBack()
      expect(await db.transact((tx) => tx.feedItems.removeOld(new Date(Date.UTC(1981, 0, 1)), 3))).toBe(1)
    })

    it("are the same when the batch of their events is handled again [I3.1]", async () => {
      const now = at(10)
      const clock = { now: () => now }
      const { reactions = [] } = makeFeedsWork({ clock, ids: memoryIds(clock, 131) }, { keepDays: 180 })
      const rule = aFeedRule({ source_event: "handled again", action: "did" })
      await db.transact((tx) => Effect.orDie(tx.feedRules.insert(rule)))
      const app_user_id = await user()
      const events = [at(0), at(20)].map((occurred_at) =>
        anEvent({ app_user_id, event_name: "handled again", occurred_at }),
      )
      for (const _ of [1, 2])
        await db.transact((tx) =>
          Effect.forEach(reactions, ({ react }) =>
            react(
              tx,
              events.map((event) => ({ ...event, cause_key: null })),
              makeBatchNotes(),
            ),
          ),
        )
      // The earlier of when it occurred and when it was handled.
      expect((await list(app_user_id)).map(({ created_at }) => created_at)).toEqual([at(0), now])
    })
  })
