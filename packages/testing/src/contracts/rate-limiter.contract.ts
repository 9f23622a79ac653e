import { randomUUID } from "node:crypto"
import type { RateDecision, RateLimit, RateLimiter } from "@hearth/core"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"

/** A limiter, and a way to let time pass for it: a clock that is moved, or a wait. */
export interface TimedRateLimiter {
  readonly limiter: RateLimiter
  readonly pass: (seconds: number) => Promise<void>
}

const SHORT: RateLimit = { points: 3, seconds: 2 }
const LONG: RateLimit = { points: 5, seconds: 3_600 }

/** What every `RateLimiter` promises. Windows are short, since time is real for most of them. */
export const rateLimiterContract = (name: string, make: () => TimedRateLimiter | Promise<TimedRateLimiter>) =>
  describe(`rate limiter: ${name}`, () => {
    const setUp = async () => {
      const { limiter, pass } = await make()
      const key = `key ${randomUUID()}`
      const consume = (limits: ReadonlyArray<RateLimit>, of = key) => Effect.runPromise(limiter.consume(of, limits))
      const times = async (count: number, limits: ReadonlyArray<RateLimit>) => {
        const decisions: Array<RateDecision> = []
        for (let call = 0; call < count; call += 1) decisions.push(await consume(limits))
        return decisions
      }
      return { limiter, pass, key, consume, times }
    }
    const brief = ({ allowed, limit, remaining }: RateDecision) => [allowed, limit, remaining]

    it("allows as many calls as there are points, and says how many are left", async () => {
      const { times } = await setUp()
      const decisions = await times(4, [LONG])
      expect(decisions.map(brief)).toEqual([
        [true, 5, 4],
        [true, 5, 3],
        [true, 5, 2],
        [true, 5, 1],
      ])
    })

    it("refuses further calls, and says for how long", async () => {
      const { times } = await setUp()
      const [last, ...refused] = (await times(8, [LONG])).slice(4)
      expect(brief(last as RateDecision)).toEqual([true, 5, 0])
      expect(refused.map(brief)).toEqual([
        [false, 5, 0],
        [false, 5, 0],
        [false, 5, 0],
      ])
      for (const { reset_seconds } of refused) {
        expect(Number.isInteger(reset_seconds)).toBe(true)
        expect(reset_seconds).toBeGreaterThan(3_500)
        expect(reset_seconds).toBeLessThanOrEqual(3_600)
      }
    })

    it("counts from zero when the window has ended", async () => {
      const { times, pass } = await setUp()
      const before = await times(5, [SHORT])
      expect(before.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false])
      for (const { reset_seconds } of before) expect([1, 2]).toContain(reset_seconds)
      await pass(2.1)
      expect((await times(1, [SHORT])).map(brief)).toEqual([[true, 3, 2]])
    })

    it("answers with the tightest of several windows, in any order", async () => {
      for (const limits of [
        [SHORT, LONG],
        [LONG, SHORT],
      ]) {
        const { times } = await setUp()
        expect((await times(4, limits)).map(brief)).toEqual([
          [true, 3, 2],
          [true, 3, 1],
          [true, 3, 0],
          [false, 3, 0],
        ])
      }
    })

    it("does not count calls in the long window that the short one refuses", async () => {
      const { times, pass } = await setUp()
      const first = await times(10, [LONG, SHORT])
      expect(first.filter(({ allowed }) => allowed)).toHaveLength(3)
      await pass(2.1)
      const second = await times(3, [LONG, SHORT])
      expect(second.map(brief)).toEqual([
        [true, 5, 1],
        [true, 5, 0],
        [false, 5, 0],
      ])
      expect(second[2]?.reset_seconds).toBeGreaterThan(3_000)
    })

    it("counts every key and every window separately", async () => {
      const { times, consume, key } = await setUp()
      await times(6, [LONG])
      for (const other of [`${key} `, key.toUpperCase(), `${key}:5/3600`, "", "\0", "é", "x".repeat(2_000)]) {
        expect((await consume([LONG], other + randomUUID())).remaining, other).toBe(4)
      }
      const long = "x".repeat(2_000) + randomUUID()
      await consume([LONG], `${long}a`)
      expect((await consume([LONG], `${long}b`)).remaining).toBe(4)
      expect((await consume([{ points: 5, seconds: 7_200 }])).remaining).toBe(4)
      expect((await consume([{ points: 6, seconds: 3_600 }])).remaining).toBe(5)
    })

    it("allows no more calls when many come at once", async () => {
      const { limiter, key } = await setUp()
      const calls = Array.from({ length: 40 }, () => limiter.consume(key, [LONG]))
      const decisions = await Effect.runPromise(Effect.all(calls, { concurrency: "unbounded" }))
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5)
    })

    it("refuses invalid limits", async () => {
      const { limiter, key } = await setUp()
      const wrong = [
        { points: 0, seconds: 1 },
        { points: 1, seconds: 0 },
        { points: 1.5, seconds: 1 },
        { points: 1, seconds: Number.NaN },
        { points: 1, seconds: 2_200_000 },
      ]
      const senseless = [[], ...wrong.map((limit) => [LONG, limit])]
      for (const limits of senseless) {
        expect(Exit.hasDies(await Effect.runPromiseExit(limiter.consume(key, limits))), JSON.stringify(limits)).toBe(
          true,
        )
      }
    })
  })
