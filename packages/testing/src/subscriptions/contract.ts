import type { TenantDb } from "@hearth/core"
import { type FoldedEvent, makeUserKey, type SubscriptionEventWrite } from "@hearth/core/subscriptions"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardJson, awkwardText } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { writeUser } from "../users/tables.ts"
import { anInboxRow } from "../webhooks/builders.ts"
import { aFoldedEvent } from "./builders.ts"

/** What a project promises about the provider events that are kept for the fold. */
export const subscriptionEventsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("subscription events", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const write = (event: FoldedEvent, ...keys: ReadonlyArray<string>): SubscriptionEventWrite => ({
      ...{ event, keys, raw: { id: event.id } },
    })
    const entry = () =>
      db.transact((tx) =>
        Effect.gen(function* () {
          const row = anInboxRow()
          yield* tx.webhookInbox.take(row)
          return row.id
        }),
      )
    const save = (...writes: ReadonlyArray<SubscriptionEventWrite>) =>
      db.transact((tx) => tx.subscriptionEvents.save(writes))
    const event = async (given: Partial<FoldedEvent> = {}) => aFoldedEvent({ entry_id: await entry(), ...given })
    const find = (id: string) => db.read((tx) => Effect.map(tx.subscriptionEvents.find(id), Option.getOrNull))
    const connected = async (keys: ReadonlyArray<string>, known: ReadonlyArray<string> = [], limit = 10) =>
      (await db.read((tx) => tx.subscriptionEvents.connected(keys, known, limit)))
        .map(({ entry_id }) => entry_id)
        .toSorted()
    const ids = (...events: ReadonlyArray<FoldedEvent>) => events.map(({ entry_id }) => entry_id).toSorted()

    it("are found as they were written, and written over", async () => {
      const [first, second] = [
        await event({ product_id: awkwardText, entitlement_ids: [awkwardText], price: -9.99 }),
        await event({ sources: ["provider/a"], expiration_at: null }),
      ]
      await save(write(first, "a"), { ...write(second, "a"), raw: awkwardJson })
      expect([await find(first.entry_id), await find(second.entry_id)]).toEqual([first, second])
      expect(await find(anId())).toBeNull()
      const changed = { ...second, owner: "user/x" }
      await save({ ...write(changed, "b"), raw: null })
      expect(await find(second.entry_id)).toEqual(changed)
      const raw = await db.read((tx) => tx.subscriptionEvents.listRaw([first.entry_id, second.entry_id, anId()]))
      expect(raw).toEqual(
        new Map([
          [first.entry_id, { id: first.id }],
          [second.entry_id, awkwardJson],
        ]),
      )
    })

    it("are connected by their present keys, but for those known, so many at most", async () => {
      const key = makeUserKey(anId())
      const [a, b, c, other] = [await event(), await event(), await event(), await event()]
      await save(write(a, key, `${key}/t`), write(b, key), write(c, `${key}/t`, awkwardText), write(other, "x"))
      expect(await connected([key])).toEqual(ids(a, b))
      expect(await connected([key, `${key}/t`, "y"])).toEqual(ids(a, b, c))
      expect(await connected([awkwardText])).toEqual(ids(c))
      expect(await connected([key, `${key}/t`], [a.entry_id])).toEqual(ids(b, c))
      expect(await connected([key, `${key}/t`], [], 2)).toHaveLength(2)
      expect(await connected([])).toEqual([])
      await save({ ...write(a, "z"), raw: null })
      expect(await connected([key, `${key}/t`])).toEqual(ids(b, c))
    })

    it("need an entry, and go with it", async () => {
      expect(died(await db.attempt((tx) => tx.subscriptionEvents.save([write(aFoldedEvent(), "a")])))).toBe(true)
      const userId = await db.transact((tx) => writeUser(tx))
      const owned = await event()
      await save(write(owned, makeUserKey(userId)))
      await db.transact((tx) => tx.subscriptionEvents.share([{ inbox_id: owned.entry_id, app_user_id: userId }]))
      await db.transact((tx) => tx.webhookInbox.forgetUser(userId, 10))
      expect(await find(owned.entry_id)).toBeNull()
      expect(await connected([makeUserKey(userId)])).toEqual([])
    })

    it("concern further users, once, behind those whom the entry names", async () => {
      const [ada, bob] = [await db.transact((tx) => writeUser(tx)), await db.transact((tx) => writeUser(tx))]
      const shared = await entry()
      const processed_at = new Date("2026-03-01T00:00:00.000Z")
      const outcome = { status: "processed" as const, error: null, processed_at, waits_for: [] }
      await db.transact((tx) => tx.webhookInbox.finish(shared, { ...outcome, user_ids: [ada] }))
      const link = { inbox_id: shared, app_user_id: bob }
      await db.transact((tx) => tx.subscriptionEvents.share([link, link, { ...link, inbox_id: anId() }]))
      await db.transact((tx) => tx.subscriptionEvents.share([link]))
      expect(await db.read((tx) => tx.webhookInbox.usersOf([shared]))).toEqual(new Map([[shared, [ada, bob]]]))
      await db.transact((tx) => tx.webhookInbox.forgetUser(ada, 10))
      expect(await db.read((tx) => tx.webhookInbox.usersOf([shared]))).toEqual(new Map([[shared, [bob]]]))
    })
  })
