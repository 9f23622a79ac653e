import { type TenantDb, TenantUnavailable } from "@hearth/core"
import { Cause, Effect, Option } from "effect"
import { describe, expect, it } from "vitest"
import { drainOutbox } from "../background/outbox-fixtures.ts"
import { anId } from "../builders.ts"
import { anEvent } from "../events/builders.ts"
import { aSegment } from "../segments/builders.ts"
import { aUser } from "../users/builders.ts"
import { incompressibleText } from "./awkward-values.ts"
import { died, failureOf, type TenantsHarness, tenantDatabase } from "./database-under-test.ts"

/** What the databases of projects promise about one another. */
export const isolationContract = (harness: () => TenantsHarness) =>
  describe("isolation", () => {
    const database = (id: string) => tenantDatabase(harness().tenants, id)
    const aProjectWith = async (user = aUser()) => {
      const id = await harness().project()
      const db = database(id)
      await db.transact((tx) => Effect.orDie(tx.users.insert(user)))
      return { id, db, user }
    }
    const unavailable = async (id: string) => {
      let ran = false
      const work = (tx: TenantDb) =>
        Effect.map(tx.users.find({}), () => {
          ran = true
        })
      expect(failureOf(await database(id).attempt(work))).toBeInstanceOf(TenantUnavailable)
      expect(failureOf(await database(id).attemptRead(work))).toBeInstanceOf(TenantUnavailable)
      expect(ran).toBe(false)
    }
    const create = (id: string) => Effect.runPromiseExit(harness().tenants.create(id))
    const drop = (id: string) => Effect.runPromiseExit(harness().tenants.drop(id))

    it("keeps rows of the same ids in two projects apart", async () => {
      const user = aUser({ email: "same@example.com", external_id: "same", display_name: "One" })
      const [one, two] = [await aProjectWith(user), await aProjectWith({ ...user, display_name: "Two" })]
      const event = anEvent({ app_user_id: user.id, external_id: "same" })
      const inserted = { inserted: [event.id] }
      expect(await one.db.read((tx) => tx.events.insert([event], { enqueue: true }))).toEqual(inserted)
      expect(await two.db.read((tx) => tx.outbox.waiting())).toEqual({ entries: 0, oldest: null })
      expect(await two.db.read((tx) => tx.events.insert([event], { enqueue: true }))).toEqual(inserted)
      const name = (from: typeof one) =>
        from.db.read((tx) =>
          Effect.map(tx.users.find({ email: "same@example.com" }), (found) => Option.getOrThrow(found).display_name),
        )
      expect([await name(one), await name(two)]).toEqual(["One", "Two"])
      await one.db.transact((tx) => tx.users.remove({ id: user.id }))
      expect(await name(two)).toBe("Two")
      expect(await two.db.transact(drainOutbox)).toHaveLength(1)
    })

    it("does not let projects wait for one another", async () => {
      const [one, two] = [await aProjectWith(), await aProjectWith()]
      const seen = Promise.withResolvers<void>()
      const running = one.db.transact((tx) =>
        Effect.andThen(
          tx.users.remove({}),
          Effect.promise(() => seen.promise),
        ),
      )
      expect(await two.db.transact((tx) => tx.users.remove({}))).toBe(1)
      seen.resolve()
      await running
      expect(await one.db.read((tx) => tx.users.list({}, []))).toEqual([])
    })

    it.each([
      ["text that no store takes", "NUL \u0000"],
      ["text that is too long for an index", incompressibleText(2_800)],
    ])("blames the data for %s", async (_, external_id) => {
      const { db } = await aProjectWith()
      const exit = await db.attempt((tx) => tx.users.insert(aUser({ external_id })))
      const defects = exit._tag === "Failure" ? exit.cause.reasons.filter(Cause.isDieReason) : []
      expect(defects.map(({ defect }) => harness().tenants.faultOf(defect))).toEqual(["fault"])
    })

    it.each([
      ["an id of nobody", anId],
      ["what is no id", () => "no-project"],
      ["an id with something behind it", () => `${anId()}x`],
    ])("is unavailable where there is no project: %s", async (_, id) => {
      await unavailable(id())
    })

    it("finds a project by its id in capitals, too", async () => {
      const { id, user } = await aProjectWith()
      expect(await database(id.toUpperCase()).read((tx) => tx.users.list({}, []))).toStrictEqual([user])
    })

    it("is unavailable once a project is dropped, while others stay available", async () => {
      const [gone, kept] = [await aProjectWith(), await aProjectWith()]
      expect((await drop(gone.id))._tag).toBe("Success")
      await unavailable(gone.id)
      expect(await kept.db.read((tx) => tx.users.list({}, []))).toStrictEqual([kept.user])
      expect((await drop(gone.id))._tag).toBe("Success")
      expect((await drop(anId()))._tag).toBe("Success")
    })

    it("creates an empty database, also after an earlier one was dropped", async () => {
      const { db, id } = await aProjectWith()
      await drop(id)
      expect((await create(id))._tag).toBe("Success")
      expect(await db.read((tx) => tx.users.list({}, []))).toEqual([])
      expect(await db.read((tx) => tx.segments.list({}, []))).toEqual([])
      await db.transact((tx) => tx.segments.insert(aSegment()))
      expect(await db.read((tx) => tx.segments.list({}, []))).toHaveLength(1)
      await drop(id)
    })

    it("refuses to create a database twice, and keeps the first", async () => {
      const { db, id, user } = await aProjectWith()
      expect(died(await create(id))).toBe(true)
      expect(await db.read((tx) => tx.users.list({}, []))).toStrictEqual([user])
    })

    it("creates one database when several calls try at the same time", async () => {
      const id = await harness().project()
      await drop(id)
      const exits = await Promise.all([create(id), create(id), create(id)])
      expect(exits.filter((exit) => exit._tag === "Success")).toHaveLength(1)
      expect(await database(id).read((tx) => tx.users.list({}, []))).toEqual([])
      await drop(id)
    })
  })
