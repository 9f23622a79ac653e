import type { TenantDb } from "@hearth/core"
import { type InboxRow, type InboxStatus, type InboxSummary, processTopic } from "@hearth/core/webhooks"
import { Effect, Option } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { anId, builtAt } from "../builders.ts"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  impossibleInstants,
  incompressibleText,
} from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { beginOn } from "../contracts/interleaving.harness.ts"
import { anInboxRow } from "./builders.ts"

const minutes = (count: number) => new Date(builtAt.getTime() + count * 60_000)
const everything = { provider: null, status: null }

/** The entries of webhooks that wait in an outbox. */
const queued = (db: TenantDb) =>
  Effect.map(db.outbox.next({ events: 1, bytes: 0, topics: [processTopic], properties: false }), (head) =>
    head?.kind === "entry" ? head.entry.payload["inbox_id"] : null,
  )

/** What a project promises about webhooks that come in, are read, and go. */
export const inboxContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("inbox of webhooks", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeEach(async () => {
      db = await open()
    })

    const take = async (given: Partial<InboxRow> = {}) => {
      const row = anInboxRow(given)
      return { row, isNew: await db.read((tx) => tx.webhookInbox.take(row)) }
    }
    const found = async (id: string) => Option.getOrNull(await db.read((tx) => tx.webhookInbox.find(id)))
    const ids = async (filter: Parameters<TenantDb["webhookInbox"]["page"]>[0], limit = 100, offset = 0) => {
      const { rows, total } = await db.read((tx) => tx.webhookInbox.page(filter, { limit, offset }))
      return { ids: rows.map(({ id }) => id), total }
    }

    it("keeps a webhook as it came in, with every column", async () => {
      const samples: ReadonlyArray<Partial<InboxRow>> = [
        { payload: awkwardJson, event_type: awkwardText, provider_user_id: awkwardText, event_at: awkwardInstant },
        { provider_event_id: `${awkwardText}${anId()}`, received_at: awkwardInstant, processed_at: awkwardInstant },
        { status: "ignored", error: awkwardText, payload: null, body_text: awkwardText, body_key: awkwardText },
        { provider_event_id: null, event_type: null, provider_user_id: null, provider: "paywall" },
      ]
      for (const sample of samples) {
        const { row, isNew } = await take(sample)
        expect(isNew).toBe(true)
        expect(await found(row.id)).toStrictEqual({ ...row, app_user_id: null })
      }
      expect(await found(anId())).toBeNull()
    })

    it("refuses what PostgreSQL refuses", async () => {
      const wrong: ReadonlyArray<Partial<InboxRow>> = [
        { event_type: "NUL \u0000" },
        { status: "other" as InboxStatus },
        { provider: "other" as "paywall" },
        { provider_event_id: incompressibleText(2_800) },
        ...impossibleInstants.map((at) => ({ event_at: at })),
      ]
      for (const given of wrong) {
        const exit = await db.attemptRead((tx) => tx.webhookInbox.take(anInboxRow(given)))
        expect([given, died(exit)]).toEqual([given, true])
      }
    })

    it("takes an event of a provider in once [H2.1]", async () => {
      const { row } = await take({ payload: { first: true } })
      const again = await take({ provider_event_id: row.provider_event_id, payload: { first: false } })
      expect(again.isNew).toBe(false)
      expect(await found(again.row.id)).toBeNull()
      expect((await found(row.id))?.payload).toEqual({ first: true })
      expect((await take({ provider_event_id: row.provider_event_id, provider: "paywall" })).isNew).toBe(true)
      for (const _ of [1, 2]) expect((await take({ provider_event_id: null })).isNew).toBe(true)
    })

    it("takes one of many in that come at once, and queues one [H2.1]", async () => {
      const rows = Array.from({ length: 20 }, () => anInboxRow({ provider_event_id: "at once" }))
      const taken = await Promise.all(
        rows.map((row, turn) =>
          turn % 2 === 0 ? db.read((tx) => tx.webhookInbox.take(row)) : db.transact((tx) => tx.webhookInbox.take(row)),
        ),
      )
      expect(taken.filter((isNew) => isNew)).toHaveLength(1)
      expect(await db.read((tx) => tx.outbox.waiting())).toMatchObject({ entries: 1 })
      const id = rows[taken.indexOf(true)]?.id
      expect(await db.read(queued)).toBe(id)
    })

    it("queues what is to be processed, and nothing else", async () => {
      await take({ status: "ignored" })
      await take({ status: "processed" })
      const { row } = await take()
      await take({ provider_event_id: row.provider_event_id })
      expect(await db.read((tx) => tx.outbox.waiting())).toMatchObject({ entries: 1 })
      expect(await db.read(queued)).toBe(row.id)
    })

    it("takes a body in once, while the one before is not too old", async () => {
      const body = { provider_event_id: null, body_key: `key-${anId()}` }
      const takeBody = (given: Partial<InboxRow>, since: Date) =>
        db.transact((tx) => tx.webhookInbox.takeBody(anInboxRow({ ...body, ...given }), since))
      expect(await takeBody({ received_at: minutes(0) }, minutes(-15))).toBe(true)
      expect(await takeBody({ received_at: minutes(15) }, minutes(0))).toBe(false)
      expect(await takeBody({ received_at: minutes(15) }, minutes(0.1))).toBe(true)
      expect(await takeBody({ received_at: minutes(15), body_key: "another" }, minutes(0))).toBe(true)
      expect(await takeBody({ received_at: minutes(15), provider: "paywall" }, minutes(0))).toBe(true)
      const many = Array.from({ length: 10 }, () => takeBody({ body_key: "many" }, minutes(-1)))
      expect((await Promise.all(many)).filter((isNew) => isNew)).toHaveLength(1)
    })

    it("keeps only the newest of those without an id", async () => {
      const kept: Array<string> = []
      for (const at of [3, 1, 2, 2])
        kept.push((await take({ provider_event_id: null, status: "ignored", received_at: minutes(at) })).row.id)
      const [newest = "", , , second = ""] = kept
      const other = await take({ provider_event_id: null, status: "ignored", provider: "paywall" })
      const withId = await take({ status: "ignored", received_at: minutes(0) })
      await db.read((tx) => tx.webhookInbox.keepNewestWithoutId("subscription", 2))
      expect((await ids(everything)).ids).toEqual([newest, second, withId.row.id, other.row.id])
    })

    it("lists the newest first, by provider and status [H2.3]", async () => {
      const at = (count: number, given: Partial<InboxRow> = {}) =>
        take({ provider: "paywall", received_at: minutes(count), ...given })
      const [first, second, third, tied] = [
        (await at(1)).row,
        (await at(2, { status: "ignored", provider: "subscription" })).row,
        (await at(3, { status: "ignored" })).row,
        (await at(3)).row,
      ]
      const all = [tied.id, third.id, second.id, first.id]
      expect(await ids(everything)).toEqual({ ids: all, total: 4 })
      expect(await ids(everything, 2, 1)).toEqual({ ids: all.slice(1, 3), total: 4 })
      expect(await ids(everything, 2, 9)).toEqual({ ids: [], total: 4 })
      expect(await ids({ provider: "paywall", status: null })).toEqual({ ids: [tied.id, third.id, first.id], total: 3 })
      expect(await ids({ provider: null, status: "ignored" })).toEqual({ ids: [third.id, second.id], total: 2 })
      expect(await ids({ provider: "paywall", status: "ignored" })).toEqual({ ids: [third.id], total: 1 })
      expect(await ids({ provider: null, status: "failed" })).toEqual({ ids: [], total: 0 })
      const { rows } = await db.read((tx) => tx.webhookInbox.page(everything, { limit: 1, offset: 0 }))
      const { payload: _, body_text: __, body_key: ___, event_at: ____, ...summary } = tied
      expect(rows).toStrictEqual([{ ...summary, app_user_id: null }])
    })

    it("goes on after a place, whatever comes and goes meanwhile", async () => {
      const given = [1, 2, 2, 3, 3].map((count) => ({ received_at: minutes(count) }))
      for (const [n, one] of given.entries())
        await take({ ...one, provider: "paywall", status: n === 3 ? "failed" : "ignored" })
      const { rows } = await db.read((tx) => tx.webhookInbox.page(everything, { limit: 9, offset: 0 }))
      const [, second, third] = rows as ReadonlyArray<InboxSummary> as [InboxSummary, InboxSummary, InboxSummary]
      const readOn = ({ received_at, id }: Pick<InboxSummary, "received_at" | "id">, filter = {}, offset = 0) =>
        db.read((tx) =>
          tx.webhookInbox.listAfter({ ...everything, ...filter }, { at: received_at, id }, { limit: 2, offset }),
        )
      expect(await readOn(second)).toStrictEqual(rows.slice(2, 4))
      expect(await readOn(second, {}, 2)).toStrictEqual(rows.slice(4))
      expect(await readOn(second, { provider: "subscription" })).toEqual([])
      expect(await readOn(third, { status: "ignored", user_id: anId() })).toEqual([])
      await take({ received_at: minutes(9) })
      await db.transact((tx) => tx.webhookInbox.removeOld(minutes(2.5), 1))
      await db.transact((tx) => tx.webhookInbox.removeOld(minutes(2.5), 1))
      expect(await readOn(second)).toStrictEqual(rows.slice(2, 3))
      expect(await readOn({ received_at: minutes(2), id: third.id })).toEqual([])
    })

    it("removes what passes once it is old, the oldest first, and keeps the source of the fold [H2.3]", async () => {
      const old = { received_at: minutes(-2) }
      const kept = await Promise.all([
        take({ ...old, status: "received" }),
        take({ ...old, status: "processed" }),
        take({ ...old, status: "unresolved" }),
        take({ ...old, status: "failed" }),
        take({ received_at: minutes(0), status: "ignored" }),
      ])
      const gone = [
        await take({ received_at: minutes(-9), status: "ignored" }),
        await take({ received_at: minutes(-8), status: "processed", event_type: "TEST" }),
        await take({ received_at: minutes(-7), status: "unresolved", provider: "paywall" }),
      ]
      const oldest = () => db.read((tx) => tx.webhookInbox.oldestPassing())
      expect(await oldest()).toEqual(minutes(-9))
      const remove = (limit: number) => db.transact((tx) => tx.webhookInbox.removeOld(minutes(0), limit))
      expect(await remove(1)).toBe(1)
      expect(await found(gone[0]?.row.id ?? "")).toBeNull()
      expect(await oldest()).toEqual(minutes(-8))
      const other = beginOn(db)
      await other.step((tx) =>
        tx.webhookInbox.finish(gone[1]?.row.id ?? "", {
          ...{ status: "processed" as const, error: null, processed_at: minutes(0), user_ids: [], waits_for: [] },
        }),
      )
      expect(await remove(1)).toBe(1)
      expect(await found(gone[2]?.row.id ?? "")).toBeNull()
      await other.rollBack()
      expect(await remove(2)).toBe(1)
      expect(await remove(2)).toBe(0)
      expect(await oldest()).toEqual(minutes(0))
      for (const { row } of kept) expect(await found(row.id)).not.toBeNull()
      for (const { row } of gone) expect(await found(row.id)).toBeNull()
    })
  })
