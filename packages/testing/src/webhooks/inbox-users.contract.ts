import type { TenantDb } from "@hearth/core"
import { type InboxOutcome, type InboxRow, processTopic } from "@hearth/core/webhooks"
import { Effect, Option } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { anId, builtAt } from "../builders.ts"
import { awkwardText } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { anInboxRow } from "./builders.ts"

const at = new Date(builtAt.getTime() + 5_000)
const resolved: InboxOutcome = { status: "processed", error: null, user_ids: [], waits_for: [], processed_at: at }
const waiting = (...waits_for: ReadonlyArray<string>): InboxOutcome => ({
  ...resolved,
  ...{ status: "unresolved", error: "There is no such user.", waits_for },
})

/** The entries that wait to be processed, in their order; they are taken out. */
const drain = (db: TenantDb) =>
  Effect.gen(function* () {
    const ids: Array<unknown> = []
    for (;;) {
      const head = yield* db.outbox.next({ events: 1, bytes: 0, topics: [processTopic], properties: false })
      if (head?.kind !== "entry") return ids
      ids.push(head.entry.payload["inbox_id"])
      yield* db.outbox.remove(head)
    }
  })

/** What a project promises about the users whom webhooks concern. */
export const inboxUsersContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("users of webhooks", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeEach(async () => {
      db = await open()
    })

    const writeUser = async (given: Parameters<typeof aUser>[0] = {}) => {
      const user = aUser(given)
      await db.transact((tx) => Effect.orDie(tx.users.insert(user)))
      return user.id
    }
    const take = async (given: Partial<InboxRow> = {}) => {
      const row = anInboxRow(given)
      await db.read((tx) => tx.webhookInbox.take(row))
      return row.id
    }
    const finish = (id: string, outcome: Partial<InboxOutcome>) =>
      db.transact((tx) => tx.webhookInbox.finish(id, { ...resolved, ...outcome }))
    const find = async (id: string) => Option.getOrNull(await db.read((tx) => tx.webhookInbox.find(id)))
    const usersOf = async (id: string) => (await db.read((tx) => tx.webhookInbox.usersOf([id]))).get(id) ?? []
    const resolve = (...ids: ReadonlyArray<string>) => db.read((tx) => tx.webhookInbox.resolve(ids))

    it("are looked up as id, then external id, then anonymous id [H2.2]", async () => {
      const first = await writeUser()
      const second = await writeUser({ external_id: first, anonymous_id: "third" })
      const third = await writeUser({ external_id: awkwardText, anonymous_id: "anonymous" })
      const fourth = await writeUser({ external_id: "third" })
      expect(await resolve(first, "third", awkwardText, "anonymous", "nobody", anId())).toEqual(
        new Map([
          [first, first],
          ["third", fourth],
          [awkwardText, third],
          ["anonymous", third],
        ]),
      )
      expect(await resolve(second.toUpperCase())).toEqual(new Map([[second.toUpperCase(), second]]))
      for (const strange of ["{00000000-0000-0000-0000-000000000000}", "ANONYMOUS", "anonymous ", "%", "", "null"])
        expect([strange, await resolve(strange)]).toEqual([strange, new Map()])
      expect(await resolve()).toEqual(new Map())
    })

    it("are written with what processing came to, the first one first", async () => {
      const [one, two] = [await writeUser(), await writeUser()]
      const id = await take()
      await finish(id, { user_ids: [two, one, two] })
      expect(await find(id)).toMatchObject({ status: "processed", error: null, processed_at: at, app_user_id: two })
      expect(await usersOf(id)).toEqual([two, one])
      const of = async (user_id: string, status: "processed" | "failed" | null) => {
        const filter = { provider: null, status, user_id }
        const { rows, total } = await db.read((tx) => tx.webhookInbox.page(filter, { limit: 9, offset: 0 }))
        return [rows.map((row) => row.id), total]
      }
      expect([await of(one, null), await of(one, "failed"), await of(anId(), null)]).toEqual([
        [[id], 1],
        [[], 0],
        [[], 0],
      ])
      await finish(id, { status: "failed", error: awkwardText, user_ids: [one] })
      expect(await find(id)).toMatchObject({ status: "failed", error: awkwardText, app_user_id: one })
      expect(await usersOf(id)).toEqual([one])
      await finish(id, { user_ids: [] })
      expect(await find(id)).toMatchObject({ status: "processed", error: null, app_user_id: null })
      expect(await db.read((tx) => tx.webhookInbox.usersOf([id, anId()]))).toEqual(new Map())
      const { rows } = await db.read((tx) =>
        tx.webhookInbox.page({ provider: null, status: null }, { limit: 1, offset: 0 }),
      )
      expect(rows).toMatchObject([{ id, app_user_id: null }])
    })

    it("are left out once they are gone, and nothing is written of an entry that is", async () => {
      const [one, gone] = [await writeUser(), anId()]
      const id = await take()
      await finish(id, { user_ids: [gone, one] })
      expect(await usersOf(id)).toEqual([one])
      await finish(anId(), { ...waiting("somebody"), user_ids: [one] })
      expect(await find(id)).toMatchObject({ status: "processed" })
      expect(died(await db.attempt((tx) => tx.webhookInbox.finish(id, waiting("NUL \u0000"))))).toBe(true)
    })

    it("let a defect be shown, but not over what was decided", async () => {
      const fail = (id: string) => db.transact((tx) => tx.webhookInbox.fail(id, "A defect.", at))
      const [fresh, unresolved, done] = [await take(), await take(), await take()]
      await finish(unresolved, waiting("somebody"))
      await finish(done, resolved)
      for (const id of [fresh, unresolved, done, anId()]) await fail(id)
      expect(await find(fresh)).toMatchObject({ status: "failed", error: "A defect.", processed_at: at })
      expect(await find(unresolved)).toMatchObject({ status: "failed", error: "A defect." })
      expect(await find(done)).toMatchObject({ status: "processed", error: null })
    })

    it("are waited for by their ids, until an entry is resolved [H2.2]", async () => {
      const [one, two, three] = [await take(), await take(), await take()]
      await db.transact(drain)
      await finish(one, waiting("a", "b"))
      await finish(two, waiting("b"))
      await finish(three, waiting(awkwardText))
      const enqueue = (id: string, after: string | null = null, limit = 10) =>
        db.transact((tx) => tx.webhookInbox.enqueueWaiting(id, after, limit))
      expect(await enqueue("b")).toBeNull()
      expect(await db.transact(drain)).toEqual([one, two])
      expect(await enqueue("b", null, 1)).toBe(one)
      expect(await enqueue("b", one, 1)).toBe(two)
      expect(await enqueue("b", two, 1)).toBeNull()
      expect(await db.transact(drain)).toEqual([one, two])
      await finish(one, waiting("a"))
      await finish(two, resolved)
      await enqueue("b")
      await enqueue("B")
      await enqueue("a")
      await enqueue(awkwardText)
      expect(await db.transact(drain)).toEqual([one, three])
    })

    it("take the entries that concern nobody else with them, in pieces [H2.3]", async () => {
      const [mine, other] = [await writeUser(), await writeUser()]
      const own = [await take(), await take(), await take()]
      for (const id of own) await finish(id, { user_ids: [mine] })
      const [shared, theirs, nobodys] = [await take(), await take(), await take()]
      await finish(shared, { user_ids: [mine, other] })
      await finish(theirs, { user_ids: [other] })
      const forget = (limit: number) => db.transact((tx) => tx.webhookInbox.forgetUser(mine, limit))
      expect(await forget(2)).toBe(true)
      expect(await Promise.all(own.map(find))).toMatchObject([null, null, { app_user_id: mine }])
      expect(await forget(2)).toBe(true)
      expect(await forget(2)).toBe(false)
      expect(await Promise.all(own.map(find))).toEqual([null, null, null])
      expect(await find(shared)).toMatchObject({ app_user_id: other })
      expect(await usersOf(shared)).toEqual([other])
      expect(await find(theirs)).toMatchObject({ app_user_id: other })
      expect(await find(nobodys)).not.toBeNull()
    })

    it("are not looked up again where they are settled, and go all the same with whom they name [H2.3]", async () => {
      const settled = [await take(), await take(), await take()]
      for (const [at, status] of (["failed", "ignored", "processed"] as const).entries())
        await finish(settled[at] ?? "", { ...waiting("settled"), status, user_ids: [] })
      await db.transact(drain)
      expect(await db.transact((tx) => tx.webhookInbox.enqueueWaiting("settled", null, 10))).toBeNull()
      expect(await db.transact(drain)).toEqual([])
      expect(await db.transact((tx) => tx.webhookInbox.forgetWaiting(["settled"], 10))).toBe(false)
      expect(await Promise.all(settled.map(find))).toEqual([null, null, null])
    })

    it("take those that were left unresolved with them, in pieces, unless they concern others [H2.3]", async () => {
      const [mine, other] = [await writeUser(), await writeUser()]
      const own = [await take(), await take(), await take()].toSorted()
      for (const id of own) await finish(id, waiting("gone", "gone too"))
      const [shared, done, others, lost] = [await take(), await take(), await take(), await take()]
      await finish(shared, { ...waiting("gone"), user_ids: [other] })
      await finish(done, { user_ids: [mine] })
      await finish(others, waiting("another"))
      await finish(lost, { ...waiting("gone too"), user_ids: [mine] })
      await db.transact((tx) => tx.users.remove({ id: mine }))
      const forget = (limit: number) =>
        db.transact((tx) => tx.webhookInbox.forgetWaiting(["gone", "gone too", "nobody's"], limit))
      expect(await forget(3)).toBe(true)
      expect(await Promise.all(own.map(find))).toEqual([null, null, null])
      expect(await forget(3)).toBe(false)
      expect(await find(lost)).toBeNull()
      for (const id of [shared, done, others]) expect(await find(id)).not.toBeNull()
    })

    it("leave nothing behind when they go at once", async () => {
      for (let round = 0; round < 10; round += 1) {
        const users = [await writeUser(), await writeUser(), await writeUser()]
        const id = await take()
        await finish(id, { user_ids: users })
        await Promise.all(users.map((user) => db.transact((tx) => tx.webhookInbox.forgetUser(user, 10))))
        expect(await find(id)).toBeNull()
      }
    })
  })
