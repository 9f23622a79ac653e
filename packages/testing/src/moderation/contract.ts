import type { TenantDb } from "@hearth/core"
import type { ContentType, ListedTrustLevel, QueuedMatch, QueueItem, QueueItemRow } from "@hearth/core/moderation"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, builtAt, makeId, nextNumber } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn } from "../contracts/interleaving.harness.ts"
import { writeUser } from "../users/tables.ts"
import { aModerationRule, aQueueItem } from "./tables.ts"

const at = (seconds: number) => new Date(new Date(builtAt).getTime() + seconds * 1_000)

/** What a project promises about rules, the queue, reports and trust. */
export const moderationContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("moderation", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const user = () => db.transact(writeUser)
    const aMatch = (given: Partial<QueuedMatch> = {}): QueuedMatch => ({
      ...{ id: makeId(nextNumber()), content_type: "message", content_id: anId(), app_user_id: anId() },
      ...{ reason: "keyword", rule_id: null, excerpt: "spam", created_at: at(0) },
      ...given,
    })
    const add = (match: QueuedMatch) => db.transact((tx) => tx.moderationQueue.add(match))
    const insert = async (given: Partial<QueueItemRow> = {}) => {
      const item = aQueueItem(given)
      await db.transact((tx) => Effect.orDie(tx.moderationQueue.insert(item)))
      return item
    }
    const show = async (id: string, of: string | null = null) =>
      Option.getOrNull(await db.read((tx) => tx.moderationQueue.show(id, of)))
    const trust = (app_user_id: string, auto_approve: boolean, seconds = 0) =>
      db.transact((tx) =>
        tx.trustLevels.save({ app_user_id, trust_level: "trusted", auto_approve, updated_at: at(seconds) }),
      )

    it("knows the active rules, and when one of them has changed", async () => {
      await db.transact((tx) => tx.moderationRules.remove({}))
      const version = () => db.read((tx) => tx.moderationRules.activeVersion())
      expect(await version()).toBe("")
      const [late, early, off] = [
        aModerationRule({ created_at: at(2) }),
        aModerationRule({ created_at: at(1) }),
        aModerationRule({ is_active: false }),
      ]
      for (const rule of [late, early, off]) await db.transact((tx) => Effect.orDie(tx.moderationRules.insert(rule)))
      expect(await db.read((tx) => tx.moderationRules.active())).toEqual([early, late])
      const before = await version()
      expect(before).toBe(`${early.id}.0 ${late.id}.0`)
      await db.transact((tx) => Effect.orDie(tx.moderationRules.update(late.id, { revision: 1 })))
      expect(await version()).not.toBe(before)
      expect(await db.read((tx) => tx.moderationRules.count())).toBe(3)
    })

    it("has one open item per content, which later matches join [I6.2]", async () => {
      const [rule_id, author] = [anId(), await user()]
      const first = aMatch({ app_user_id: author })
      expect(await add(first)).toBe(true)
      expect(await add({ ...first, id: anId(), reason: "link", rule_id, excerpt: "other", created_at: at(9) })).toBe(
        true,
      )
      const { id, content_type, content_id } = first
      expect(await show(id)).toEqual({
        ...{ id, content_type, content_id, app_user_id: author, reason: "keyword", rule_id: null, excerpt: "other" },
        ...{ status: "pending", created_at: at(0), moderator_id: null, resolved_at: null },
        ...{ report_count: 0, report_reasons: [] },
      })
      const open = await db.transact((tx) => tx.moderationQueue.lockOpen(first))
      expect(Option.getOrNull(open)).toMatchObject({ id, rule_id, is_open: true })
      await db.transact((tx) =>
        Effect.orDie(tx.moderationQueue.update(id, { status: "approved", is_open: null, resolved_at: at(1) })),
      )
      expect(Option.isNone(await db.transact((tx) => tx.moderationQueue.lockOpen(first)))).toBe(true)
      expect(await add({ ...first, id: anId() })).toBe(true)
    })

    it("queues nothing of an author with auto_approve [I6.2]", async () => {
      const author = await user()
      await trust(author, true)
      expect(await add(aMatch({ app_user_id: author }))).toBe(false)
      await trust(author, false)
      expect(await add(aMatch({ app_user_id: author }))).toBe(true)
    })

    it("shows neither authors nor rules that are gone", async () => {
      const rule = aModerationRule()
      await db.transact((tx) => Effect.orDie(tx.moderationRules.insert(rule)))
      const author = await user()
      const match = aMatch({ app_user_id: author, rule_id: rule.id })
      await add(match)
      expect(await show(match.id)).toMatchObject({ app_user_id: author, rule_id: rule.id })
      await db.transact((tx) => tx.moderationRules.remove({ id: rule.id }))
      await db.transact((tx) => tx.users.remove({ id: author }))
      expect(await show(match.id)).toMatchObject({ app_user_id: null, rule_id: null })
    })

    it("counts a reporter once per text, and shows the newest 20 reasons [I6.4]", async () => {
      const item = await insert()
      const report = async (app_user_id: string, reason: string, text_digest: string, seconds: number) =>
        db.transact((tx) =>
          tx.moderationReports.add({
            ...{
              id: makeId(nextNumber()),
              item_id: item.id,
              app_user_id,
              reason,
              text_digest,
              created_at: at(seconds),
            },
            ...{ content_type: item.content_type, content_id: item.content_id },
          }),
        )
      const [one, two] = [await user(), await user()]
      expect(await report(one, "a", "x", 1)).toBe(true)
      expect(await report(one, "b", "x", 2)).toBe(false)
      expect(await report(one, "c", "y", 3)).toBe(true)
      expect(await report(two, "d", "x", 2)).toBe(true)
      expect(await show(item.id)).toMatchObject({ report_count: 3, report_reasons: ["c", "d", "a"] })
      expect(await show(item.id, two)).toMatchObject({ report_count: 3, report_reasons: ["d"] })
      for (let n = 0; n < 20; n++) await report(two, `r${n}`, `t${n}`, 10 + n)
      const reasons = Array.from({ length: 20 }, (_, n) => `r${19 - n}`)
      expect(await show(item.id)).toMatchObject({ report_count: 23, report_reasons: reasons })
      await db.transact((tx) => tx.users.remove({ id: two }))
      expect(await show(item.id)).toMatchObject({ report_count: 2, report_reasons: ["c", "a"] })
    })

    it("pages the items of a status, the newest first", async () => {
      await db.transact((tx) => tx.moderationQueue.remove({}))
      const [a, b] = [await insert({ created_at: at(1) }), await insert({ created_at: at(2) })]
      const c = await insert({ status: "approved", is_open: null, resolved_at: at(3) })
      const page = async (
        status: QueueItemRow["status"],
        limit: number,
        offset: number,
        of?: ContentType,
        by?: string,
      ) => {
        const filter = { status, content_type: of ?? null, app_user_id: by ?? null }
        const { rows, total } = await db.read((tx) => tx.moderationQueue.pageShown(filter, { limit, offset }))
        return [rows.map(({ id }) => id), total]
      }
      expect(await page("pending", 10, 0)).toEqual([[b.id, a.id], 2])
      expect(await page("pending", 1, 1)).toEqual([[a.id], 2])
      expect(await page("pending", 1, 9)).toEqual([[], 2])
      expect(await page("approved", 10, 0)).toEqual([[c.id], 1])
      expect(await page("escalated", 10, 0)).toEqual([[], 0])
      const group = await insert({ content_type: "group" })
      expect(await page("pending", 10, 0, "group")).toEqual([[group.id], 1])
      expect(await page("approved", 10, 0, "group")).toEqual([[], 0])
      const author = await user()
      const theirs = await insert({ content_type: "group", app_user_id: author })
      expect(await page("pending", 10, 0, undefined, author)).toEqual([[theirs.id], 1])
      expect(await page("pending", 10, 0, "message", author)).toEqual([[], 0])
      expect(await page("approved", 10, 0, undefined, author)).toEqual([[], 0])
    })

    it("goes on after a place, whatever is decided meanwhile", async () => {
      await db.transact((tx) => tx.moderationQueue.remove({}))
      for (const n of [1, 2, 2, 2, 3]) await insert({ created_at: at(n), content_type: n === 1 ? "group" : "message" })
      const pending = { status: "pending", content_type: null, app_user_id: null } as const
      const { rows } = await db.read((tx) => tx.moderationQueue.pageShown(pending, { limit: 9, offset: 0 }))
      const [newest, second, third] = rows as [QueueItem, QueueItem, QueueItem]
      const readOn = ({ created_at, id }: QueueItem, content_type: ContentType | null = null, offset = 0) =>
        db.read((tx) =>
          tx.moderationQueue.listShownAfter({ ...pending, content_type }, { at: created_at, id }, { limit: 2, offset }),
        )
      expect(await readOn(newest)).toStrictEqual(rows.slice(1, 3))
      expect(await readOn(newest, null, 2)).toStrictEqual(rows.slice(3))
      expect(await readOn(second, "group")).toStrictEqual(rows.slice(4))
      const decided = { status: "approved", is_open: null, resolved_at: at(9) } as const
      for (const { id } of [second, third])
        await db.transact((tx) => Effect.orDie(tx.moderationQueue.update(id, decided)))
      await insert({ created_at: at(9) })
      expect(await readOn(second)).toStrictEqual(rows.slice(3))
    })

    it("knows the text that was approved last, until it is forgotten [I6.4]", async () => {
      const content_id = anId()
      const key = { content_type: "message", content_id } as const
      const resolved = { ...key, status: "approved", is_open: null } as const
      const found = async () => Option.getOrNull(await db.read((tx) => tx.moderationQueue.findResolved(key)))
      expect(await found()).toBeNull()
      const early = await insert({ ...resolved, resolved_at: at(1), text_digest: "a" })
      const late = await insert({ ...resolved, resolved_at: at(2), text_digest: "b" })
      await insert({ ...key })
      expect(await found()).toEqual(late)
      await db.transact((tx) => tx.moderationQueue.forgetText(key))
      expect(await found()).toEqual({ ...late, text_digest: null })
      expect(await db.read((tx) => tx.moderationQueue.find({ id: early.id }))).toEqual(Option.some(early))
    })

    it("empties what it shows of contents that are gone, resolved or not [I0.4]", async () => {
      const key = { content_type: "review", content_id: anId() } as const
      const items = [
        await insert({ ...key, excerpt: "old", status: "rejected", is_open: null, resolved_at: at(1) }),
        await insert({ ...key, excerpt: "new" }),
        await insert({ ...key, content_type: "user", excerpt: "of another type" }),
        await insert({ content_type: "review", excerpt: "of another review" }),
      ]
      await db.transact((tx) => tx.moderationQueue.clearExcerpts("review", [key.content_id, anId()]))
      await db.transact((tx) => tx.moderationQueue.clearExcerpts("review", []))
      const shown = await Promise.all(items.map(async ({ id }) => (await show(id))?.excerpt))
      expect(shown).toEqual(["", "", "of another type", "of another review"])
    })

    it("sweeps what was resolved before, the oldest first [I0.3]", async () => {
      await db.transact((tx) => tx.moderationQueue.remove({}))
      const first = () => db.read((tx) => tx.moderationQueue.firstResolvedAt())
      expect(Option.isNone(await first())).toBe(true)
      const open = await insert({ created_at: at(-100) })
      for (const seconds of [3, 1, 2]) await insert({ status: "rejected", is_open: null, resolved_at: at(seconds) })
      expect(Option.getOrNull(await first())).toEqual(at(1))
      const sweep = (before: Date, limit: number) =>
        db.transact((tx) => tx.moderationQueue.removeResolved(before, limit))
      const locking = beginOn(db)
      const [eldest] = await db.read((tx) => tx.moderationQueue.list({ resolved_at: at(1) }, []))
      await locking.step((tx) => tx.moderationQueue.lock(eldest?.id ?? ""))
      expect(await sweep(at(3), 1)).toBe(1)
      await locking.rollBack()
      expect(Option.getOrNull(await first())).toEqual(at(1))
      expect(await sweep(at(3), 10)).toBe(1)
      expect(await sweep(at(3), 10)).toBe(0)
      expect(await show(open.id)).not.toBeNull()
    })

    it("reads the newest users, for previews of rules [I6.5]", async () => {
      const late = new Date("2099-01-01T00:00:00.000Z")
      const ids = [await user(), await user()].toSorted()
      const earlier = await user()
      const before = { first_seen_at: new Date(late.getTime() - 1) }
      await db.transact((tx) => Effect.orDie(tx.users.update(earlier, before)))
      for (const id of ids) await db.transact((tx) => Effect.orDie(tx.users.update(id, { first_seen_at: late })))
      const newest = async (limit: number) => (await db.read((tx) => tx.users.newest(limit))).map(({ id }) => id)
      expect(await newest(1)).toEqual([ids[1]])
      expect((await newest(2)).toReversed()).toEqual(ids)
      expect((await newest(3)).toReversed()).toEqual([earlier, ...ids])
    })

    it("keeps one trust level per user, which goes with the user [I6.4]", async () => {
      const [one, two] = [await user(), await user()]
      const future = 2_000_000_000
      await trust(one, true, future + 1)
      await trust(two, true, future + 2)
      await trust(one, false, future + 3)
      const find = async (id: string) => Option.getOrNull(await db.read((tx) => tx.trustLevels.find(id)))
      expect(await find(one)).toEqual({
        ...{ app_user_id: one, trust_level: "trusted", auto_approve: false, updated_at: at(future + 3) },
      })
      const page = async () => (await db.read((tx) => tx.trustLevels.page({ limit: 2, offset: 0 }))).rows
      expect(await page()).toMatchObject([
        { app_user_id: one, app_users: { id: one, display_name: expect.any(String) } },
        { app_user_id: two },
      ])
      for (const id of [one, two]) await db.transact((tx) => tx.users.remove({ id }))
      expect(await find(one)).toBeNull()
    })

    it("lists trust levels on after a place, whoever is changed or gone meanwhile", async () => {
      const future = 1_000_000_000
      for (const n of [1, 2, 2, 2, 3]) await trust(await user(), false, future + n)
      const { rows } = await db.read((tx) => tx.trustLevels.page({ limit: 5, offset: 0 }))
      const [newest, second, third] = rows as [ListedTrustLevel, ListedTrustLevel, ListedTrustLevel]
      const readOn = ({ updated_at, app_user_id }: ListedTrustLevel, offset = 0) =>
        db.read((tx) => tx.trustLevels.listAfter({ at: updated_at, id: app_user_id }, { limit: 2, offset }))
      expect(await readOn(newest)).toStrictEqual(rows.slice(1, 3))
      expect(await readOn(newest, 2)).toStrictEqual(rows.slice(3))
      await trust(third.app_user_id, true, future + 9)
      await db.transact((tx) => tx.users.remove({ id: second.app_user_id }))
      expect(await readOn(second)).toStrictEqual(rows.slice(3))
    })
  })
