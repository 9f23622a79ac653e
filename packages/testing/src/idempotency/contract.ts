import { InvalidInput, type TenantDb } from "@hearth/core"
import { answerOnce, IdempotencyKeyReused, type IdempotentCall } from "@hearth/core/idempotency"
import { Effect, Schema } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, builtAt } from "../builders.ts"
import { awkwardJson, awkwardText, incompressibleText } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died, failureOf } from "../contracts/database-under-test.ts"
import { writeUser } from "../users/tables.ts"

const Answer = Schema.Struct({ number: Schema.Finite, at: Schema.DateFromString, json: Schema.Json })
type Answer = typeof Answer.Type
const answerTo = (number: number): Answer => ({ number, at: new Date(builtAt), json: awkwardJson })

/** What a project promises about calls with an idempotency key. */
export const idempotentAnswersContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("calls with an idempotency key", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const aCall = (given: Partial<IdempotentCall<Answer>> = {}): IdempotentCall<Answer> => ({
      ...{ operation: "tests.call", caller: null, key: anId(), input: { a: 1, b: [2] }, owner: null },
      ...{ answer: Answer, now: new Date(builtAt) },
      ...given,
    })
    const counted = (number: number, calls: Array<number>) =>
      Effect.sync(() => {
        calls.push(number)
        return answerTo(number)
      })
    const once = (call: IdempotentCall<Answer>, work: Effect.Effect<Answer, unknown> = Effect.succeed(answerTo(2))) =>
      db.transact((tx) => answerOnce(tx, call, work))
    const attempt = (call: IdempotentCall<Answer>, work: Effect.Effect<Answer, unknown>) =>
      db.attempt((tx) => answerOnce(tx, call, work))
    const reused = async (call: IdempotentCall<Answer>) =>
      failureOf(await attempt(call, Effect.die("not asked for"))) instanceof IdempotencyKeyReused

    it("are answered with the first answer, whatever the work would do now [E5]", async () => {
      const call = aCall({ key: awkwardText, input: awkwardJson })
      expect(await once(call, Effect.succeed(answerTo(1)))).toEqual(answerTo(1))
      expect(await once(call, Effect.die("not asked for"))).toEqual(answerTo(1))
      expect(await once({ ...call, input: structuredClone(awkwardJson) })).toEqual(answerTo(1))
    })

    it("have the same input in whatever order its keys are, and else another one [E5]", async () => {
      const call = aCall({ input: { a: 1, b: { c: null, d: [1, 2] } } })
      await once(call, Effect.succeed(answerTo(1)))
      expect(await once({ ...call, input: { b: { d: [1, 2], c: null }, a: 1 } })).toEqual(answerTo(1))
      const others = [{ a: 1 }, { a: 1, b: { d: [2, 1], c: null } }, { a: "1", b: { c: null, d: [1, 2] } }, [1], null]
      for (const input of others) expect(await reused({ ...call, input })).toBe(true)
    })

    it("have keys of the operation on the admin plane, of the user on the client plane [G4.2]", async () => {
      const [admin, one, two] = [aCall(), await db.transact(writeUser), await db.transact(writeUser)]
      await once(admin, Effect.succeed(answerTo(1)))
      expect(await once({ ...admin, operation: "tests.other" }, Effect.succeed(answerTo(2)))).toEqual(answerTo(2))
      const client = { ...admin, caller: one, owner: one }
      expect(await once(client, Effect.succeed(answerTo(3)))).toEqual(answerTo(3))
      expect(await once({ ...client, caller: two, owner: two }, Effect.succeed(answerTo(4)))).toEqual(answerTo(4))
      expect(await reused({ ...client, operation: "tests.other" })).toBe(true)
      expect(await once(admin)).toEqual(answerTo(1))
    })

    it("are done each time without a key", async () => {
      const calls: Array<number> = []
      for (const number of [1, 2]) await once(aCall({ key: null }), counted(number, calls))
      expect(calls).toEqual([1, 2])
    })

    it("are not kept where they are refused or break [G4.2]", async () => {
      const call = aCall()
      expect(failureOf(await attempt(call, Effect.fail(new InvalidInput())))).toBeInstanceOf(InvalidInput)
      expect(died(await attempt(call, Effect.die(new Error("breaks"))))).toBe(true)
      expect(await once({ ...call, input: { other: true } }, Effect.succeed(answerTo(3)))).toEqual(answerTo(3))
    })

    it("are done once, however many come at once, and the others wait for the answer [E5]", async () => {
      const [call, calls] = [aCall(), [] as Array<number>]
      const slowly = (number: number) => Effect.andThen(Effect.sleep("30 millis"), counted(number, calls))
      const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => once(call, slowly(number))))
      expect(calls).toHaveLength(1)
      expect(new Set(answers.map(({ number }) => number))).toEqual(new Set(calls))
    })

    it("pass the key on to one who waits where the first is refused", async () => {
      const [call, calls] = [aCall(), [] as Array<number>]
      const begun = Promise.withResolvers<void>()
      const slowly = Effect.andThen(Effect.sync(begun.resolve), Effect.sleep("30 millis"))
      const refused = attempt(call, Effect.andThen(slowly, Effect.fail(new InvalidInput())))
      // Any of several transactions that begin at once may be the first to claim the key.
      await begun.promise
      const others = Array.from({ length: 3 }, () => once(call, counted(1, calls)))
      expect(failureOf(await refused)).toBeInstanceOf(InvalidInput)
      expect(await Promise.all(others)).toEqual(Array(3).fill(answerTo(1)))
      expect(calls).toHaveLength(1)
    })

    it("are forgotten with the user whom they are about", async () => {
      const owner = await db.transact(writeUser)
      const call = aCall({ owner, caller: owner })
      await once(call, Effect.succeed(answerTo(1)))
      await db.transact((tx) => tx.users.remove({ id: owner }))
      expect(await once({ ...call, owner: null }, Effect.succeed(answerTo(2)))).toEqual(answerTo(2))
    })

    it("may have any key of 255 characters", async () => {
      const call = aCall({ key: incompressibleText(255) })
      expect(await once(call, Effect.succeed(answerTo(1)))).toEqual(answerTo(1))
      const wide = aCall({ key: "🦊".repeat(127), caller: anId() })
      expect(await once(wide, Effect.succeed(answerTo(1)))).toEqual(answerTo(1))
    })
  })
