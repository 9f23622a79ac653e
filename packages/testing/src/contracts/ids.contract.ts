import type { Clock, Ids } from "@hearth/core"
import { describe, expect, it } from "vitest"
import { manualClock } from "../memory/clock.ts"

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const START = "2026-03-01T12:00:00.000Z"

const millisOf = (uuid: string) => Number.parseInt(uuid.replace("-", "").slice(0, 12), 16)
const draw = <A>(times: number, one: () => A) => Array.from({ length: times }, one)
const expectAscending = (uuids: ReadonlyArray<string>) => {
  for (const [index, uuid] of uuids.entries()) {
    if (index > 0 && uuid <= (uuids[index - 1] as string)) expect.fail(`${uuid} after ${uuids[index - 1]}`)
  }
}

/** What every `Ids` promises. `make` gets the clock whose time is in the uuids. */
export const idsContract = (name: string, make: (clock: Clock) => Ids) =>
  describe(`ids: ${name}`, () => {
    it("makes uuids of version 7 with the time of the clock", () => {
      const ids = make(manualClock(START))
      for (const uuid of draw(200, ids.uuid)) expect(uuid).toMatch(UUID_V7)
      expect(millisOf(make(manualClock(START)).uuid())).toBe(Date.parse(START))
    })

    it("makes every uuid greater than the one before, also within a millisecond", () => {
      const ids = make(manualClock(START))
      expectAscending(draw(20_000, ids.uuid))
    })

    it("keeps the order when the clock is set back, and follows it again later", () => {
      const clock = manualClock(START)
      const ids = make(clock)
      const before = draw(10, ids.uuid)
      clock.set(new Date("2026-02-28T12:00:00.000Z"))
      const during = draw(5_000, ids.uuid)
      clock.set(new Date("2026-03-02T12:00:00.000Z"))
      const after = draw(10, ids.uuid)
      expectAscending([...before, ...during, ...after])
      expect(millisOf(after[0] as string)).toBe(Date.parse("2026-03-02T12:00:00.000Z"))
    })

    it("keeps the order while the clock moves", () => {
      const clock = manualClock(START)
      const ids = make(clock)
      expectAscending(
        draw(3_000, () => {
          clock.advance(1)
          return [ids.uuid(), ids.uuid()]
        }).flat(),
      )
    })

    it("draws base62 texts of the given length, all characters equally often", () => {
      const ids = make(manualClock(START))
      expect(ids.base62(32)).toMatch(/^[0-9A-Za-z]{32}$/)
      expect(ids.base62(1)).toHaveLength(1)
      expect(new Set(draw(1_000, () => ids.base62(16))).size).toBe(1_000)
      const text = ids.base62(62_000)
      expect(new Set(text).size).toBe(62)
      // A fair share is 8,000 with a deviation of 84; bytes taken modulo 62 would give 9,687.
      const first = text.replaceAll(/[^0-7]/g, "").length
      expect(first).toBeGreaterThan(7_400)
      expect(first).toBeLessThan(8_600)
    })

    it("draws secrets of 32 random bytes", () => {
      const ids = make(manualClock(START))
      const secrets = draw(1_000, ids.secret)
      for (const secret of secrets) expect(secret).toMatch(/^[\w-]{42}[AEIMQUYcgkosw048]$/)
      expect(new Set(secrets).size).toBe(1_000)
      const bytes = secrets.flatMap((secret) => [...Buffer.from(secret, "base64url")])
      expect(new Set(bytes).size).toBe(256)
      const ones = bytes.filter((byte) => byte >= 128).length
      // A fair half is 16,000 with a deviation of 89.
      expect(Math.abs(ones - 16_000)).toBeLessThan(600)
    })

    it("draws whole numbers below the bound, without favouring the small ones", () => {
      const ids = make(manualClock(START))
      expect(draw(20, () => ids.integer(1))).toEqual(draw(20, () => 0))
      expect(new Set(draw(500, () => ids.integer(5)))).toEqual(new Set([0, 1, 2, 3, 4]))
      // 48 bits taken modulo 3·2^46 would fall below 2^46 half of the time instead of a third.
      const small = draw(3_000, () => ids.integer(3 * 2 ** 46)).filter((drawn) => drawn < 2 ** 46).length
      expect(small).toBeGreaterThan(800)
      expect(small).toBeLessThan(1_200)
    })

    it("refuses invalid bounds and lengths", () => {
      const ids = make(manualClock(START))
      for (const wrong of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(() => ids.integer(wrong), `integer(${wrong})`).toThrow()
        expect(() => ids.base62(wrong), `base62(${wrong})`).toThrow()
      }
      expect(() => ids.integer(2 ** 48)).toThrow()
    })
  })
