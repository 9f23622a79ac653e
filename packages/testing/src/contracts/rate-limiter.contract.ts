import { randomUUID } from "node:crypto"
import type { RateClaim, RateDecision, RateLimit, RateLimiter, Reservation } from "@hearth/core"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"

/** A limiter, and a way to let time pass for it: a clock that is moved, or a wait. */
export interface TimedRateLimiter {
  readonly limiter: RateLimiter
  readonly pass: (seconds: number) => Promise<void>
}

const SHORT: RateLimit = { points: 3, seconds: 2 }
const LONG: RateLimit = { points: 5, seconds: 3_600 }

type Door = (key: string, limits: ReadonlyArray<RateLimit>) => Effect.Effect<unknown>

/** Forty claims of the same three keys, in turning orders: stores that locked in the order of the call would deadlock. */
const manyClaims = (key: string): ReadonlyArray<ReadonlyArray<RateClaim>> => {
  const names = [key, `${key} 1`, `${key} 2`]
  return Array.from({ length: 40 }, (_, index) =>
    [...names.slice(index % 3), ...names.slice(0, index % 3)].map((each) => ({ key: each, limit: LONG })),
  )
}

/** What every `RateLimiter` promises. Windows are short, since time is real for most of them. */
export const rateLimiterContract = (name: string, make: () => TimedRateLimiter | Promise<TimedRateLimiter>) =>
  // Some tests wait for seconds, and a machine may be busy.
  describe(`rate limiter: ${name}`, { timeout: 60_000 }, () => {
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
    const expectNearlyAnHour = (reset_seconds: number) => {
      expect(Number.isInteger(reset_seconds)).toBe(true)
      expect(reset_seconds).toBeGreaterThan(3_500)
      expect(reset_seconds).toBeLessThanOrEqual(3_600)
    }
    const doors = ({ consume, consumeEach, reserve }: RateLimiter): Readonly<Record<string, Door>> => ({
      consume: (key, limits) => consume(key, limits),
      consumeEach: (key, limits) => consumeEach(limits.map((limit) => ({ key, limit }))),
      reserve: (key, limits) => reserve(limits.map((limit) => ({ key, limit }))),
    })

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
      for (const { reset_seconds } of refused) expectNearlyAnHour(reset_seconds)
    })

    it("says when the window ends where it allows a call", async () => {
      const { limiter, key, consume } = await setUp()
      expectNearlyAnHour((await consume([LONG])).reset_seconds)
      expectNearlyAnHour((await Effect.runPromise(limiter.consumeEach([{ key, limit: LONG }]))).reset_seconds)
    })

    it("begins a window with the first point in it, and not again with others", async () => {
      const { limiter, key, consume, pass } = await setUp()
      const windows = Object.entries(doors(limiter)).map(([name, door]) => ({ name, door, of: `${key} ${name}` }))
      const take = async () => {
        for (const { door, of } of windows) await Effect.runPromise(door(of, [SHORT]))
      }
      const before = await consume([LONG])
      await take()
      await pass(1.1)
      await consume([LONG])
      await take()
      await pass(1.1)
      expect((await consume([LONG])).reset_seconds).toBeLessThanOrEqual(before.reset_seconds - 2)
      // A second point that came late has begun a window of its own, and then one point less is left.
      for (const { name, of } of windows) expect((await consume([SHORT], of)).remaining, name).toBeGreaterThan(0)
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

    it("counts several points of one call, or none of them", async () => {
      const { limiter, key } = await setUp()
      const consume = (points: number) => Effect.runPromise(limiter.consume(key, [LONG], points))
      expect(brief(await consume(3))).toEqual([true, 5, 2])
      expect(brief(await consume(3))).toEqual([false, 5, 2])
      expect(brief(await consume(2))).toEqual([true, 5, 0])
      expect(brief(await consume(6))).toEqual([false, 5, 0])
    })

    it("counts a call for several keys, or for none of them", async () => {
      const { limiter, key, times } = await setUp()
      const claims = [
        { key, limit: LONG },
        { key, limit: { points: 9, seconds: 7_200 } },
        { key: `${key} of another`, limit: { points: 2, seconds: 60 } },
      ]
      const decisions = []
      for (let call = 0; call < 3; call += 1) decisions.push(await Effect.runPromise(limiter.consumeEach(claims)))
      expect(decisions.map(brief)).toEqual([
        [true, 2, 1],
        [true, 2, 0],
        [false, 2, 0],
      ])
      expect(decisions[2]?.reset_seconds).toBeLessThanOrEqual(60)
      expect((await times(1, [LONG])).map(brief)).toEqual([[true, 5, 2]])
    })

    it("allows no more calls for several keys when many come at once", async () => {
      const { limiter, key } = await setUp()
      const calls = manyClaims(key).map((claims) => limiter.consumeEach(claims))
      const decisions = await Effect.runPromise(Effect.all(calls, { concurrency: "unbounded" }))
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5)
    })

    describe("attempts", () => {
      const take = (limiter: RateLimiter, key: string, limit = LONG, ...others: ReadonlyArray<string>) =>
        Effect.runPromise(limiter.reserve([key, ...others].map((each) => ({ key: each, limit }))))
      const settle = async (reservation: Reservation | undefined, isCounted: boolean) => {
        if (reservation?.allowed === true) await Effect.runPromise(reservation.settle(isCounted))
      }

      it("hold a point each until they end, and keep it or give it back", async () => {
        const { limiter, key } = await setUp()
        const held: Array<Reservation> = []
        for (let attempt = 0; attempt < 5; attempt += 1) held.push(await take(limiter, key))
        expect(held.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true])
        expect(await take(limiter, key)).toMatchObject({ allowed: false, may_be_freed: true })
        await settle(held[0], true)
        expect(await take(limiter, key)).toMatchObject({ allowed: false, may_be_freed: true })
        await settle(held[1], false)
        const another = await take(limiter, key)
        expect(another.allowed).toBe(true)
        for (const attempt of [...held.slice(2), another]) await settle(attempt, true)
        const refused = await take(limiter, key)
        expect(refused).toMatchObject({ allowed: false, may_be_freed: false })
        expectNearlyAnHour((refused as Reservation & { readonly allowed: false }).reset_seconds)
      })

      it("are counted with the calls of the same key", async () => {
        const { limiter, key, times } = await setUp()
        await times(4, [LONG])
        await settle(await take(limiter, key), true)
        expect((await times(1, [LONG])).map(brief)).toEqual([[false, 5, 0]])
      })

      it("take a point of every key, or of none", async () => {
        const { limiter, key, times } = await setUp()
        const other = `${key} of another`
        await times(5, [LONG])
        expect(await take(limiter, other, LONG, key)).toMatchObject({ allowed: false, may_be_freed: false })
        for (let attempt = 0; attempt < 5; attempt += 1) expect((await take(limiter, other)).allowed).toBe(true)
        expect((await take(limiter, other)).allowed).toBe(false)
      })

      it("say that they cannot be freed where one of the limits is used up by what has ended", async () => {
        const { limiter, key, times } = await setUp()
        const other = `${key} of another`
        await times(5, [LONG])
        for (let attempt = 0; attempt < 5; attempt += 1) await take(limiter, other)
        expect(await take(limiter, other)).toMatchObject({ may_be_freed: true })
        expect(await take(limiter, other, LONG, key)).toMatchObject({ may_be_freed: false })
      })

      it("hold no more than there are points when many begin at once", async () => {
        const { limiter, key } = await setUp()
        const attempts = manyClaims(key).map((claims) => limiter.reserve(claims))
        const outcomes = await Effect.runPromise(Effect.all(attempts, { concurrency: "unbounded" }))
        expect(outcomes.filter(({ allowed }) => allowed)).toHaveLength(5)
        await Promise.all(outcomes.map((outcome) => settle(outcome, false)))
        expect((await take(limiter, key)).allowed).toBe(true)
      })

      it("give nothing back to a window that began after them", async () => {
        const { limiter, key, times, pass } = await setUp()
        const early = await take(limiter, key, SHORT)
        await pass(2.1)
        await times(2, [SHORT])
        await settle(early, false)
        expect((await times(2, [SHORT])).map(brief)).toEqual([
          [true, 3, 0],
          [false, 3, 0],
        ])
      })
    })

    it("dies without a limit, and at limits that are not whole numbers from 1 on", async () => {
      const { limiter, key } = await setUp()
      const wrong = [
        { points: 0, seconds: 1 },
        { points: 1, seconds: 0 },
        { points: 1.5, seconds: 1 },
        { points: 1, seconds: 1.5 },
        { points: 1, seconds: Number.NaN },
        { points: 1, seconds: 2_200_000 },
      ]
      const senseless = [[], ...wrong.map((limit) => [LONG, limit])]
      for (const [name, door] of Object.entries(doors(limiter))) {
        for (const limits of senseless) {
          const exit = await Effect.runPromiseExit(door(key, limits))
          expect(Exit.hasDies(exit), `${name} ${JSON.stringify(limits)}`).toBe(true)
        }
      }
    })
  })
