import type { RowLock, TenantDb } from "@hearth/core"
import type { UserRow } from "@hearth/core/users"
import { Cause, Effect, Exit, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { anEvent } from "../events/builders.ts"
import { aUser } from "../users/builders.ts"
import { type DatabaseUnderTest, died, failureOf, type TenantsHarness, tenantDatabase } from "./database-under-test.ts"
import { beginOn, isWaiting } from "./interleaving.harness.ts"

type Tx = Pick<TenantDb, "events" | "outbox" | "users">

const modes: ReadonlyArray<RowLock> = ["key share", "share", "no key update", "update"]

// PostgreSQL's table of row locks: whether the second waits for the first.
const waits: Readonly<Record<RowLock, ReadonlyArray<RowLock>>> = {
  "key share": ["update"],
  share: ["no key update", "update"],
  "no key update": ["share", "no key update", "update"],
  update: modes,
}

const pairs = modes.flatMap((first) => modes.map((second) => [first, second, waits[first].includes(second)] as const))

const lock = (id: string, mode?: RowLock) => (db: Tx) => db.users.lock(id, mode)
const rename =
  ({ id }: UserRow, display_name: string) =>
  (db: Tx) =>
    Effect.orDie(db.users.update(id, { display_name }))
const changeKey =
  ({ id }: UserRow) =>
  (db: Tx) =>
    Effect.orDie(db.users.update(id, { email: `${anId()}@example.com` }))
const remove =
  ({ id }: UserRow) =>
  (db: Tx) =>
    db.users.remove({ id })
const write =
  ({ id }: UserRow) =>
  (db: Tx) =>
    db.events.insert([anEvent({ app_user_id: id })], { enqueue: false })

const changes: ReadonlyArray<readonly [string, RowLock, (row: UserRow) => (db: Tx) => Effect.Effect<unknown>]> = [
  ["a change", "no key update", (row) => rename(row, "new")],
  ["a change of a unique key", "update", changeKey],
  ["a removal", "update", remove],
  ["a row that refers to it", "key share", write],
]

/** What transactions promise that overlap: who waits for whom, and what is seen after it. */
export const interleavingContract = (harness: () => TenantsHarness) =>
  describe("interleaved transactions", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = tenantDatabase(harness().tenants, await harness().project())
    })
    const begin = () => beginOn(db)
    const user = async (given: Partial<UserRow> = {}) => {
      const row = aUser(given)
      await db.transact((tx) => Effect.orDie(tx.users.insert(row)))
      return row
    }
    const nameOf = (found: Exit.Exit<Option.Option<UserRow>, unknown>) =>
      Exit.isSuccess(found) ? (Option.getOrNull(found.value)?.display_name ?? null) : "failed"
    const stored = ({ id }: UserRow) => db.read((tx) => Effect.map(tx.users.find({ id }), Option.getOrNull))

    it.each(pairs)("%s and then %s of one row: waits is %s", async (first, second, expected) => {
      const [{ id }, one, two] = [await user(), begin(), begin()]
      await one.step(lock(id, first))
      const later = two.step(lock(id, second))
      expect(await isWaiting(later, expected)).toBe(expected)
      await one.commit()
      expect(Exit.isSuccess(await later)).toBe(true)
      expect(Exit.isSuccess(await two.commit())).toBe(true)
    })

    it.each(changes)("%s locks as %s, before and after", async (_, mode, change) => {
      for (const other of modes) {
        const [row, one, two] = [await user(), begin(), begin()]
        await one.step(change(row))
        const later = two.step(lock(row.id, other))
        const isLater = waits[mode].includes(other)
        expect([other, await isWaiting(later, isLater)]).toEqual([other, isLater])
        await one.rollBack()
        await later
        const third = begin()
        const after = third.step(change(row))
        const isAfter = waits[other].includes(mode)
        expect([other, await isWaiting(after, isAfter)]).toEqual([other, isAfter])
        await two.rollBack()
        await after
        await third.rollBack()
      }
    })

    it("a lock waits for a change, and answers the row as it is then", async () => {
      const [row, one, two] = [await user({ display_name: "old" }), begin(), begin()]
      await one.step(rename(row, "new"))
      const later = two.step(lock(row.id))
      expect(await isWaiting(later)).toBe(true)
      await one.commit()
      expect(nameOf(await later)).toBe("new")
      await two.commit()
    })

    it.each(["commit", "rollBack"] as const)(
      "a removal that was waited for leaves nothing to lock: %s",
      async (end) => {
        const [row, one, two] = [await user({ display_name: "old" }), begin(), begin()]
        await one.step(remove(row))
        const later = two.step(lock(row.id))
        expect(await isWaiting(later)).toBe(true)
        await one[end]()
        expect(nameOf(await later)).toBe(end === "commit" ? null : "old")
        await two.commit()
      },
    )

    it("whoever waits looks again at the condition", async () => {
      const display_name = anId()
      const [row, one, two] = [await user({ display_name }), begin(), begin()]
      await one.step(rename(row, "another"))
      const later = two.step((tx) => tx.users.remove({ display_name }))
      expect(await isWaiting(later)).toBe(true)
      await one.commit()
      expect(await later).toEqual(Exit.succeed(0))
      await two.commit()
      expect((await stored(row))?.display_name).toBe("another")
    })

    it("a statement that waits for one of its rows answers for all of them", async () => {
      const display_name = anId()
      const rows = [await user({ display_name }), await user({ display_name }), await user({ display_name })]
      const [one, two] = [begin(), begin()]
      await one.step(lock(rows[1]?.id ?? ""))
      const later = two.step((tx) => tx.users.remove({ display_name }))
      expect(await isWaiting(later)).toBe(true)
      await one.commit()
      expect(await later).toEqual(Exit.succeed(3))
      await two.commit()
    })

    it("a read never waits, and sees what is committed when it runs", async () => {
      const [row, one, two] = [await user({ display_name: "old" }), begin(), begin()]
      const read = () => two.step((tx) => tx.users.find({ id: row.id }))
      await one.step(rename(row, "new"))
      expect(nameOf(await read())).toBe("old")
      expect(nameOf(await one.step((tx) => tx.users.find({ id: row.id })))).toBe("new")
      await one.commit()
      expect(nameOf(await read())).toBe("new")
      await two.commit()
    })

    it.each(["commit", "rollBack"] as const)("a unique key that another has taken is waited for: %s", async (end) => {
      const [first, one, two] = [aUser(), begin(), begin()]
      const second = aUser({ anonymous_id: first.anonymous_id })
      await one.step((tx) => tx.users.insert(first))
      const later = two.step((tx) => tx.users.insert(second))
      expect(await isWaiting(later)).toBe(true)
      await one[end]()
      expect(failureOf(await later)).toEqual(end === "commit" ? expect.objectContaining({ _tag: "Duplicate" }) : null)
      await two.commit()
      expect([await stored(first), await stored(second)].map((row) => row === null)).toEqual(
        end === "commit" ? [false, true] : [true, false],
      )
    })

    it("an event waits for the removal of its user, and finds none", async () => {
      const [row, one, two] = [await user(), begin(), begin()]
      await one.step(remove(row))
      const later = two.step(write(row))
      expect(await isWaiting(later)).toBe(true)
      await one.commit()
      expect(await later).toEqual(Exit.succeed({ unknown_users: [0] }))
      await two.commit()
    })

    it.each(["commit", "rollBack", "interrupt"] as const)(
      "the hold is given to one after the other: %s",
      async (end) => {
        const [one, two] = [begin(), begin()]
        await one.step((tx) => tx.outbox.hold())
        expect(await one.step((tx) => tx.outbox.hold())).toEqual(Exit.succeed(undefined))
        const later = two.step((tx) => tx.outbox.hold())
        expect(await isWaiting(later)).toBe(true)
        await one[end]()
        expect(Exit.isSuccess(await later)).toBe(true)
        await two.commit()
      },
    )

    it("a step that dies gives up all locks", async () => {
      const [row, one, two] = [await user(), begin(), begin()]
      await one.step(lock(row.id, "update"))
      await one.step((tx) => Effect.exit(tx.users.find({ email: "NUL \u0000" })))
      expect(died(await one.commit())).toBe(true)
      expect(Exit.isSuccess(await two.step(lock(row.id, "update")))).toBe(true)
      await two.commit()
    })

    it("whoever is interrupted while waiting locks nothing", async () => {
      const [row, one, two, three] = [await user(), begin(), begin(), begin()]
      await one.step(lock(row.id))
      expect(await isWaiting(two.step(lock(row.id)))).toBe(true)
      const [interrupted] = [two.interrupt(), await one.commit()]
      expect((await interrupted)._tag).toBe("Failure")
      expect(Exit.isSuccess(await three.step(lock(row.id)))).toBe(true)
      await three.commit()
    })

    it("of two that wait for each other one goes on; the other is run again, or dies of a fault that passes", async () => {
      const [first, second] = [await user(), await user()]
      const both = Promise.withResolvers<void>()
      let arrived = 0
      const cross = (mine: UserRow, other: UserRow, name: string) => (tx: Tx) =>
        Effect.gen(function* () {
          yield* lock(mine.id)(tx)
          arrived += 1
          if (arrived === 2) both.resolve()
          // One that is run again finds both resolved.
          yield* Effect.promise(() => both.promise)
          yield* rename(mine, name)(tx)
          yield* rename(other, name)(tx)
        })
      const exits = await Promise.all([
        db.attempt(cross(first, second, "one")),
        db.attempt(cross(second, first, "two")),
      ])
      const { faultOf } = harness().tenants
      const failed = exits.filter(Exit.isFailure).map(({ cause }) => cause.reasons.filter(Cause.isDieReason))
      expect(failed.length).toBeLessThan(2)
      for (const defects of failed) expect(defects.map(({ defect }) => faultOf(defect))).toEqual(["passing"])
      // Nothing is half done.
      const [name, ...others] = [(await stored(first))?.display_name, (await stored(second))?.display_name]
      expect(["one", "two"]).toContain(name)
      expect(others).toEqual([name])
    })

    it("loses no change of many that overlap", async () => {
      const row = await user({ display_name: "0" })
      const increment = (tx: Tx) =>
        Effect.gen(function* () {
          const { display_name } = Option.getOrThrow(yield* tx.users.lock(row.id))
          yield* rename(row, String(Number(display_name) + 1))(tx)
        })
      await Promise.all(Array.from({ length: 20 }, () => db.transact(increment)))
      expect((await stored(row))?.display_name).toBe("20")
    })
  })
