import type { JsonObject, TenantDb } from "@hearth/core"
import { propertiesBytes, type UserRow } from "@hearth/core/users"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardJson } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aUser } from "./builders.ts"

const at = new Date("2026-06-01T00:00:00.123Z")

/** What a project promises about operations on many users at once. */
export const userBatchesContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("batches of users", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const user = async (properties: JsonObject = {}) => {
      const row = aUser({ properties })
      await db.transact((tx) => Effect.orDie(tx.users.insert(row)))
      return row
    }
    const stored = (id: string) => db.read((tx) => Effect.map(tx.users.find({ id }), Option.getOrThrow))
    const lockMany = (ids: ReadonlyArray<string>) => db.transact((tx) => tx.users.lockMany(ids))
    const merge = (ids: ReadonlyArray<string>, changes: JsonObject) =>
      db.transact((tx) => Effect.andThen(tx.users.lockMany(ids), tx.users.mergeProperties(ids, changes, at)))

    it("locks those that exist, each once", async () => {
      const [one, two] = [await user(), await user()]
      const ids = await lockMany([two.id, anId(), one.id.toUpperCase(), two.id])
      expect([...ids].sort()).toEqual([one.id, two.id])
      expect(await lockMany([])).toEqual([])
      expect(died(await db.attempt((tx) => tx.users.lockMany(["17"])))).toBe(true)
    })

    it("serialises changes under the lock", async () => {
      const [one, two] = [await user({ count: 0 }), await user({ count: 0 })]
      const increment = (ids: ReadonlyArray<string>) => (tx: TenantDb) =>
        Effect.gen(function* () {
          yield* tx.users.lockMany(ids)
          const known = yield* tx.users.propertiesOf(ids)
          const count = Number(known.get(one.id)?.["count"]) + 1
          yield* tx.users.mergeProperties(ids, { count }, at)
        })
      const orders = [
        [one.id, two.id],
        [two.id, one.id],
      ]
      await Promise.all(Array.from({ length: 12 }, (_, turn) => db.transact(increment(orders[turn % 2] ?? []))))
      expect([(await stored(one.id)).properties, (await stored(two.id)).properties]).toEqual([
        { count: 12 },
        { count: 12 },
      ])
    })

    it("merges properties at the top level, into these users only", async () => {
      const [one, two, other] = [
        await user({ plan: "free", address: { city: "Bonn", zip: "53111" } }),
        await user(),
        await user({ plan: "free" }),
      ]
      await merge([one.id, two.id, anId(), one.id], { address: { city: "Ulm" }, age: null })
      const changed = (row: UserRow, properties: JsonObject) => ({ ...row, properties, updated_at: at })
      expect(await stored(one.id)).toStrictEqual(changed(one, { age: null, plan: "free", address: { city: "Ulm" } }))
      expect(await stored(two.id)).toStrictEqual(changed(two, { age: null, address: { city: "Ulm" } }))
      expect(await stored(other.id)).toStrictEqual(other)
      await merge([], { a: 1 })
    })

    it("merges any JSON unchanged", async () => {
      const { id } = await user({ first: 1 })
      await merge([id], awkwardJson)
      const { properties } = await stored(id)
      expect(Object.keys(properties)).toContain("__proto__")
      expect(JSON.parse(JSON.stringify(properties))).toEqual(JSON.parse(JSON.stringify({ ...awkwardJson, first: 1 })))
      await merge([id], JSON.parse('{"__proto__":{"again":true}}'))
      const own = Object.getOwnPropertyDescriptor((await stored(id)).properties, "__proto__")
      expect(own?.value).toEqual({ again: true })
    })

    it("answers the properties of those that exist", async () => {
      const [one, two] = [await user(awkwardJson), await user({ b: 2 })]
      const known = await db.read((tx) => tx.users.propertiesOf([two.id, anId(), one.id, two.id]))
      expect([...known.keys()].sort()).toEqual([one.id, two.id])
      expect(JSON.stringify(known.get(two.id))).toBe('{"b":2}')
      expect(known.get(one.id)).toEqual((await stored(one.id)).properties)
      expect(await db.read((tx) => tx.users.propertiesOf([]))).toEqual(new Map())
    })

    describe("that may exceed a size", () => {
      const mayExceed = (ids: ReadonlyArray<string>, changes: JsonObject, bytes: number) =>
        db.read((tx) => tx.users.mayExceed(ids, changes, bytes))

      it.each([
        ["any JSON", awkwardJson, { more: 'é🦊\u0001\n"\\' }],
        ["numbers with exponents", { a: 1e308, b: 5e-324, c: -1.5e300, d: 1e21 }, { e: 1e-7, f: 0.1, g: -0 }],
        ["letters of several bytes", { a: "é🦊".repeat(100) }, { b: 1 }],
        ["nothing but brackets", { a: [[], [[]], {}] }, { b: { c: {} } }],
        ["what is replaced", { a: "x".repeat(500) }, { a: "y" }],
      ] as ReadonlyArray<readonly [string, JsonObject, JsonObject]>)(
        "has every user who would: %s",
        async (_, properties, changes) => {
          const { id } = await user(properties)
          const bytes = propertiesBytes(Object.fromEntries([...Object.entries(properties), ...Object.entries(changes)]))
          expect(await mayExceed([id], changes, bytes - 1)).toEqual([id])
        },
      )

      it("has no user far below it, and only the given users", async () => {
        const [small, large, other] = [
          await user({ a: "x" }),
          await user({ a: "x".repeat(2_000) }),
          await user({ a: "x".repeat(2_000) }),
        ]
        expect(await mayExceed([small.id, large.id, anId()], { b: 1 }, 1_000)).toEqual([large.id])
        expect(await mayExceed([large.id], { a: "" }, 1_000)).toEqual([])
        expect(await mayExceed([other.id, other.id], {}, 1_000)).toEqual([other.id])
        expect(await mayExceed([], {}, 0)).toEqual([])
      })
    })
  })
