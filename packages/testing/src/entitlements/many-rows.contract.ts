import type { TenantDb } from "@hearth/core"
import type { Entitlement, EntitlementSource } from "@hearth/core/entitlements"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardInstant, awkwardJson, awkwardText } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { writeUser } from "../users/tables.ts"
import { anEntitlement } from "./builders.ts"

const source = (row: Entitlement, given: Partial<EntitlementSource> = {}): EntitlementSource => ({
  ...{ ...row, id: anId(), source: "provider" },
  ...given,
})
const instant = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)

/** What a project promises about entitlements and their sources that are read and written many at once. */
export const manyEntitlementsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("many entitlements at once", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const user = () => db.transact((tx) => writeUser(tx))
    const byId = (rows: ReadonlyArray<{ readonly id: string }>) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const saveSources = (...rows: ReadonlyArray<EntitlementSource>) =>
      db.transact((tx) => tx.entitlementSources.save(rows))

    it("are written, read by their keys, written over and removed", async () => {
      const [ada, bob] = [await user(), await user()]
      const rows = [
        anEntitlement({ app_user_id: ada, entitlement_id: "pro", raw_data: awkwardJson, store: awkwardText }),
        anEntitlement({ app_user_id: ada, entitlement_id: awkwardText, expiration_date: awkwardInstant }),
        anEntitlement({ app_user_id: bob, entitlement_id: "pro" }),
      ]
      const [first, second, third] = rows as [Entitlement, Entitlement, Entitlement]
      await db.transact((tx) => tx.entitlements.save(rows))
      const list = (...keys: ReadonlyArray<Entitlement>) => db.read((tx) => tx.entitlements.listMany(keys))
      expect(byId(await list(first, second, second))).toEqual(byId([first, second]))
      expect(await list({ ...third, entitlement_id: awkwardText }, { ...first, app_user_id: anId() })).toEqual([])
      expect(await list()).toEqual([])
      const changed = { ...first, is_active: false, raw_data: {}, store: null }
      await db.transact((tx) => tx.entitlements.save([changed]))
      expect(await list(first)).toEqual([changed])
      await db.transact((tx) => tx.entitlements.removeMany([first.id, third.id, anId()]))
      expect(await list(first, second, third)).toEqual([second])
    })

    it("have the sources of each key", async () => {
      const row = anEntitlement({ app_user_id: await user() })
      const sources = (["admin", "provider", "reward"] as const).map((name) => source(row, { source: name }))
      await saveSources(...sources)
      expect(byId(await db.read((tx) => tx.entitlementSources.listMany([row])))).toEqual(byId(sources))
      await db.transact((tx) => tx.entitlementSources.removeMany(sources.slice(1).map(({ id }) => id)))
      expect(await db.read((tx) => tx.entitlementSources.listMany([row]))).toEqual(sources.slice(0, 1))
    })

    it("die where a user is missing", async () => {
      const row = anEntitlement({ app_user_id: anId() })
      expect(died(await db.attempt((tx) => tx.entitlements.save([row])))).toBe(true)
      expect(died(await db.attempt((tx) => tx.entitlementSources.save([source(row)])))).toBe(true)
    })

    it("tell what of the provider's has ended, what ended first first", async () => {
      const app_user_id = await user()
      const make = (millis: number | null, given: Partial<EntitlementSource> = {}) =>
        source(anEntitlement({ app_user_id, expiration_date: millis === null ? null : instant(millis) }), given)
      const [late, soon, others] = [
        make(2),
        make(1),
        [make(3), make(null), make(0, { is_active: false }), make(0, { source: "reward" })],
      ]
      await saveSources(late, soon, ...others)
      const ended = (millis: number, limit = 10) => db.read((tx) => tx.entitlementSources.ended(instant(millis), limit))
      const key = ({ entitlement_id }: EntitlementSource) => ({ app_user_id, entitlement_id })
      expect(await ended(0)).toEqual([])
      expect(await ended(2)).toEqual([key(soon), key(late)])
      expect(await ended(2, 1)).toEqual([key(soon)])
      expect(await db.read((tx) => tx.entitlementSources.nextEnd())).toEqual(instant(1))
      await db.transact((tx) =>
        Effect.asVoid(tx.entitlementSources.removeMany([late, soon, ...others].map(({ id }) => id))),
      )
      expect(await db.read((tx) => tx.entitlementSources.nextEnd())).toBeNull()
    })
  })
