import type { TenantDb } from "@hearth/core"
import { type DeadLetter, longestPauseMillis } from "@hearth/core/background"
import { Effect, Option } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { awkwardJson, awkwardText } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { anEvent } from "../events/builders.ts"
import { aUser } from "../users/builders.ts"

const noon = Date.UTC(2026, 0, 1, 12)
const at = (seconds: number) => new Date(noon + seconds * 1_000)

/** A dead letter of an entry; of an event where its id is given. */
export const aDeadLetter = (given: Partial<DeadLetter> = {}): DeadLetter => ({
  id: anId(),
  event_id: null,
  topic: given.event_id === undefined ? "one.topic" : null,
  payload: given.event_id === undefined ? { n: 1 } : null,
  app_user_id: null,
  reaction: "streaks",
  error: "Error: broken",
  status: "retrying",
  tries: 1,
  first_failed_at: at(0),
  next_try_at: at(1),
  ...given,
})

/** What a project promises about what could not be handled. */
export const deadLettersContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("dead letters", () => {
    let db: DatabaseUnderTest<TenantDb>
    let user: string
    beforeEach(async () => {
      db ??= await open()
      for (const { id } of (await page(null, 1_000)).rows) await db.read((tx) => tx.deadLetters.remove(id))
      const row = aUser()
      user = row.id
      await db.transact((tx) => Effect.orDie(tx.users.insert(row)))
    })

    const insert = async (...letters: ReadonlyArray<DeadLetter>) => {
      for (const letter of letters) await db.read((tx) => tx.deadLetters.insert(letter))
    }
    const find = async (id: string) => Option.getOrNull(await db.read((tx) => tx.deadLetters.find(id)))
    const page = (status: DeadLetter["status"] | null, limit = 50, offset = 0) =>
      db.read((tx) => tx.deadLetters.page(status, { limit, offset }))
    const anEventLetter = async (given: Partial<DeadLetter> = {}) => {
      const event = anEvent({ app_user_id: user })
      await db.read((tx) => tx.events.insert([event], { enqueue: false }))
      return aDeadLetter({ event_id: event.id, app_user_id: user, ...given })
    }
    const nextDue = async (seconds: number, topics: ReadonlyArray<string> = ["one.topic"]) =>
      Option.getOrNull(await db.read((tx) => tx.deadLetters.nextDue(at(seconds), topics)))?.id ?? null

    it("keeps every column", async () => {
      const letters = [
        await anEventLetter({ error: awkwardText, reaction: awkwardText, tries: 5, status: "dead", next_try_at: null }),
        aDeadLetter({ topic: awkwardText, payload: awkwardJson }),
      ]
      await insert(...letters)
      for (const letter of letters) expect(await find(letter.id)).toStrictEqual(letter)
      expect(await find(anId())).toBeNull()
    })

    it("has an event once, and dies of one that is not there", async () => {
      const letter = await anEventLetter()
      await insert(letter)
      const insertAgain = (given: Partial<DeadLetter>) =>
        db.attemptRead((tx) => tx.deadLetters.insert({ ...letter, id: anId(), ...given }))
      expect(died(await insertAgain({}))).toBe(true)
      expect(died(await insertAgain({ event_id: anId() }))).toBe(true)
      expect((await page(null)).total).toBe(1)
    })

    it("lists the newest first, of a status or of all, and counts them past the end", async () => {
      const letters = [
        aDeadLetter({ first_failed_at: at(2) }),
        aDeadLetter({ first_failed_at: at(3), status: "dead", next_try_at: null }),
        aDeadLetter({ first_failed_at: at(1) }),
      ]
      await insert(...letters)
      const ids = (await page(null)).rows.map(({ id }) => id)
      expect(ids).toEqual([letters[1]?.id, letters[0]?.id, letters[2]?.id])
      expect((await page("retrying")).rows.map(({ id }) => id)).toEqual([letters[0]?.id, letters[2]?.id])
      expect(await page("dead")).toEqual({ rows: [letters[1]], total: 1 })
      expect(await page(null, 1, 1)).toEqual({ rows: [letters[0]], total: 3 })
      expect(await page(null, 1, 9)).toEqual({ rows: [], total: 3 })
    })

    it("goes on after a place, whatever comes and goes meanwhile", async () => {
      const dead = { status: "dead", next_try_at: null } as const
      await insert(...[1, 2, 2, 2, 3].map((n) => aDeadLetter({ first_failed_at: at(n), ...(n === 1 ? dead : {}) })))
      const { rows } = await page(null)
      const [newest, second, third] = rows as [DeadLetter, DeadLetter, DeadLetter]
      const readOn = ({ first_failed_at, id }: DeadLetter, status: DeadLetter["status"] | null = null, offset = 0) =>
        db.read((tx) => tx.deadLetters.listAfter(status, { at: first_failed_at, id }, { limit: 2, offset }))
      expect(await readOn(newest)).toStrictEqual(rows.slice(1, 3))
      expect(await readOn(newest, null, 2)).toStrictEqual(rows.slice(3))
      expect(await readOn(second, "dead")).toStrictEqual(rows.slice(4))
      await insert(aDeadLetter({ first_failed_at: at(9) }))
      for (const { id } of [second, third]) await db.read((tx) => tx.deadLetters.remove(id))
      expect(await readOn(second)).toStrictEqual(rows.slice(3))
    })

    it("gives those whose time has come, in the order in which they failed", async () => {
      const [late, early, dead] = [
        aDeadLetter({ first_failed_at: at(2), next_try_at: at(10) }),
        aDeadLetter({ first_failed_at: at(1), next_try_at: at(20) }),
        aDeadLetter({ first_failed_at: at(0), status: "dead", next_try_at: null }),
      ]
      await insert(late, early, dead)
      expect([await nextDue(9), await nextDue(10), await nextDue(20)]).toEqual([null, late.id, early.id])
      expect(await db.read((tx) => tx.deadLetters.nextTryAt(["one.topic"]))).toEqual(at(10))
      await insert(await anEventLetter({ first_failed_at: at(3), next_try_at: at(30) }))
      expect(await nextDue(40, [])).not.toBe(early.id)
      expect(await db.read((tx) => tx.deadLetters.nextTryAt([]))).toEqual(at(30))
    })

    it("gives one that was put off for longer than any is, as by a clock that was ahead", async () => {
      const pause = longestPauseMillis / 1_000
      const letter = aDeadLetter({ topic: "far.topic", next_try_at: at(3 * 86_400) })
      await insert(letter)
      const farDue = (seconds: number) => nextDue(seconds, ["far.topic"])
      expect([await farDue(0), await farDue(3 * 86_400 - pause)]).toEqual([letter.id, null])
    })

    it("saves what came of a try, and nothing of one that is gone or was asked for meanwhile", async () => {
      const letter = aDeadLetter()
      await insert(letter)
      const changed = { reaction: "b", error: "other", status: "dead" as const, tries: 5, next_try_at: null }
      const save = (given: DeadLetter, tries: number) => db.read((tx) => tx.deadLetters.save(given, tries))
      expect(await save({ ...letter, ...changed, first_failed_at: at(99), payload: null }, letter.tries)).toBe(true)
      expect(await find(letter.id)).toStrictEqual({ ...letter, ...changed })
      expect(await save(aDeadLetter(), 1)).toBe(false)
      expect((await page(null)).total).toBe(1)
      await db.read((tx) => tx.deadLetters.retry({ id: letter.id }, at(60)))
      expect(await save({ ...letter, ...changed }, changed.tries)).toBe(false)
      expect(await find(letter.id)).toMatchObject({ status: "retrying", tries: 0, next_try_at: at(60) })
    })

    it("makes one due, or all of a reaction, or all, with all tries before them", async () => {
      const [a, b, c] = [
        aDeadLetter({ reaction: "a", status: "dead", tries: 5, next_try_at: null }),
        aDeadLetter({ reaction: "a", first_failed_at: at(1) }),
        aDeadLetter({ reaction: "b", first_failed_at: at(2), status: "dead", next_try_at: null }),
      ]
      await insert(a, b, c)
      const retry = (which: Parameters<TenantDb["deadLetters"]["retry"]>[0]) =>
        db.read((tx) => tx.deadLetters.retry(which, at(60)))
      const due = { status: "retrying", tries: 0, next_try_at: at(60) } as const
      expect(await retry({ id: c.id })).toBe(1)
      expect(await find(c.id)).toStrictEqual({ ...c, ...due })
      expect([
        await retry({ id: anId() }),
        await retry({ reaction: "nobody" }),
        await retry({ reaction: "a" }),
      ]).toEqual([0, 0, 2])
      expect([await find(a.id), await find(b.id)]).toStrictEqual([
        { ...a, ...due },
        { ...b, ...due },
      ])
      expect(await nextDue(60)).toBe(a.id)
      expect(await retry({ reaction: null })).toBe(3)
    })

    it("counts what was set aside for a reaction lately", async () => {
      await insert(
        aDeadLetter({ reaction: "a", first_failed_at: at(0) }),
        aDeadLetter({ reaction: "a", first_failed_at: at(10) }),
        aDeadLetter({ reaction: "b", first_failed_at: at(10) }),
      )
      const count = (reaction: string, since: number) => db.read((tx) => tx.deadLetters.countSince(reaction, at(since)))
      expect([await count("a", 0), await count("a", 1), await count("a", 11), await count("c", 0)]).toEqual([
        2, 1, 0, 0,
      ])
    })

    it("removes one, once", async () => {
      const letter = aDeadLetter()
      await insert(letter)
      const remove = () => db.read((tx) => tx.deadLetters.remove(letter.id))
      expect([await remove(), await remove()]).toEqual([true, false])
    })

    it("goes with its user", async () => {
      await insert(await anEventLetter(), aDeadLetter({ app_user_id: user }), aDeadLetter())
      await db.transact((tx) => tx.users.remove({ id: user }))
      expect((await page(null)).total).toBe(1)
    })
  })
