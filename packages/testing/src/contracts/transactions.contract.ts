import type { Table } from "@hearth/core"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { type DatabaseUnderTest, died, failureOf } from "./database-under-test.ts"

/** A table to try transactions on, with a unique key and no parents. */
export interface TransactionsCase<Db, Row extends { readonly id: string; readonly updated_at: Date }> {
  readonly table: (db: Db) => Table<Row>
  /** A row without conflicts, except through `given`. */
  readonly row: (given?: Partial<Row>) => Row
  readonly unique: keyof Row & string
  /** Runs a statement that dies. */
  readonly break: (db: Db) => Effect.Effect<unknown>
}

/** What the transactions of projects and of the control plane promise. */
export const transactionsContract = <Db, Row extends { readonly id: string; readonly updated_at: Date }>(
  open: () => Promise<DatabaseUnderTest<Db>>,
  subject: TransactionsCase<Db, Row>,
) =>
  describe("transactions", () => {
    const { row, table } = subject
    let db: DatabaseUnderTest<Db>
    beforeAll(async () => {
      db = await open()
    })

    const has = (tx: Db, { id }: Row) => Effect.map(table(tx).find({ id } as Partial<Row>), Option.isSome)
    const isThere = (one: Row) => db.read((tx) => has(tx, one))
    const works = async () => {
      const one = row()
      await db.transact((tx) => table(tx).insert(one))
      expect(await isThere(one)).toBe(true)
    }
    const wait = (promise: Promise<unknown>) => Effect.promise(() => promise)

    it("commits work that succeeds, and answers its result", async () => {
      const [first, second] = [row(), row()]
      const answer = await db.transact((tx) =>
        Effect.gen(function* () {
          yield* table(tx).insert(first)
          expect(yield* has(tx, first)).toBe(true)
          yield* table(tx).insert(second)
          return "done" as const
        }),
      )
      expect(answer).toBe("done")
      expect([await isThere(first), await isThere(second)]).toEqual([true, true])
    })

    it("hides its writes from others until the commit", async () => {
      const one = row()
      const [written, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const running = db.transact((tx) =>
        Effect.gen(function* () {
          yield* table(tx).insert(one)
          written.resolve()
          yield* wait(looked.promise)
        }),
      )
      await written.promise
      expect(await isThere(one)).toBe(false)
      looked.resolve()
      await running
      expect(await isThere(one)).toBe(true)
    })

    it("rolls back when the work fails, and fails with the same failure", async () => {
      const [kept, one] = [row(), row()]
      await db.transact((tx) => table(tx).insert(kept))
      const exit = await db.attempt((tx) =>
        table(tx)
          .insert(one)
          .pipe(
            Effect.andThen(table(tx).remove({ id: kept.id } as Partial<Row>)),
            Effect.andThen(Effect.fail("changed my mind" as const)),
          ),
      )
      expect(failureOf(exit)).toBe("changed my mind")
      expect([await isThere(kept), await isThere(one)]).toEqual([true, false])
      await works()
    })

    it("rolls back when the work dies", async () => {
      const one = row()
      const exit = await db.attempt((tx) => Effect.andThen(table(tx).insert(one), Effect.die(new Error("broken"))))
      expect(died(exit)).toBe(true)
      expect(await isThere(one)).toBe(false)
      await works()
    })

    it("rolls back when the work is interrupted", async () => {
      const one = row()
      const written = Promise.withResolvers<void>()
      const abort = new AbortController()
      const running = db.attempt(
        (tx) =>
          Effect.gen(function* () {
            yield* table(tx).insert(one)
            written.resolve()
            return yield* Effect.never
          }),
        abort.signal,
      )
      await written.promise
      abort.abort()
      expect((await running)._tag).toBe("Failure")
      expect(await isThere(one)).toBe(false)
      await works()
    })

    it("is ended by a Duplicate, also when the work catches it", async () => {
      const [taken, before, after] = [row(), row(), row()]
      await db.transact((tx) => table(tx).insert(taken))
      const twin = row({ [subject.unique]: taken[subject.unique] } as Partial<Row>)
      const quiet = await db.attempt((tx) =>
        Effect.andThen(table(tx).insert(before), Effect.ignore(table(tx).insert(twin))),
      )
      expect(died(quiet)).toBe(true)
      const goingOn = await db.attempt((tx) =>
        Effect.ignore(table(tx).insert(twin)).pipe(Effect.andThen(table(tx).insert(after))),
      )
      expect(died(goingOn)).toBe(true)
      expect([await isThere(before), await isThere(after)]).toEqual([false, false])
      await works()
    })

    it("is ended by a defect of a statement, also when the work catches it", async () => {
      const one = row()
      const exit = await db.attempt((tx) =>
        Effect.andThen(
          table(tx).insert(one),
          Effect.catchDefect(subject.break(tx), () => Effect.void),
        ),
      )
      expect(died(exit)).toBe(true)
      expect(await isThere(one)).toBe(false)
      await works()
    })

    it("dies when its database is used after it has ended, and changes nothing", async () => {
      const kept: Array<Db> = []
      const keep = (tx: Db) => Effect.sync(() => kept.push(tx))
      await db.transact((tx) => Effect.andThen(table(tx).find({}), keep(tx)))
      await db.attempt((tx) => Effect.andThen(keep(tx), Effect.fail("changed my mind")))
      const one = row()
      for (const tx of kept) expect(died(await Effect.runPromiseExit(table(tx).insert(one)))).toBe(true)
      expect(kept).toHaveLength(2)
      expect(await isThere(one)).toBe(false)
      await works()
    })

    it("commits each statement outside of a transaction", async () => {
      const one = row()
      const exit = await db.attemptRead((tx) => Effect.andThen(table(tx).insert(one), Effect.fail("later")))
      expect(failureOf(exit)).toBe("later")
      expect(await isThere(one)).toBe(true)
      const [first, second] = [row(), row()]
      const afterDuplicate = await db.attemptRead((tx) =>
        table(tx)
          .insert(first)
          .pipe(Effect.andThen(Effect.ignore(table(tx).insert(first))), Effect.andThen(table(tx).insert(second))),
      )
      expect(afterDuplicate._tag).toBe("Success")
      expect([await isThere(first), await isThere(second)]).toEqual([true, true])
    })

    it("runs many at once", async () => {
      const rows = Array.from({ length: 20 }, () => row())
      await Promise.all(
        rows.map((one, turn) =>
          db.attempt((tx) => Effect.andThen(table(tx).insert(one), turn % 4 === 3 ? Effect.fail("no") : Effect.void)),
        ),
      )
      const there = await Promise.all(rows.map(isThere))
      expect(there).toEqual(rows.map((_, turn) => turn % 4 !== 3))
    })
  })
