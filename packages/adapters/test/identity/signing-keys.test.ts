import { answerWith, hangUp, issue, publishKeys, signingKey } from "@hearth/test-services/identity-provider"
import { describe, expect, it } from "vitest"
import { CLAIMS, KEY, oneProvider } from "./one-provider.ts"

const NEXT = signingKey("second")
const token = issue(KEY, CLAIMS)
const nextToken = issue(NEXT, CLAIMS)
const hostile = (count: number, mark = "") =>
  Array.from({ length: count }, (_, index) => issue(NEXT, CLAIMS, { kid: `made up ${mark}${index}` }))

describe("rotation", () => {
  it("fetches the keys once for many calls at once, and caches them", async () => {
    const { provider, verdict, accepted } = await oneProvider()
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => verdict(token)))
    expect(new Set(verdicts)).toEqual(new Set(["subject-1"]))
    await accepted(token)
    expect(provider.requests()).toBe(1)
  })

  it("finds a new key with one more fetch for many calls at once", async () => {
    const { provider, verdict, accepted } = await oneProvider()
    await accepted(token)
    provider.answer(publishKeys([KEY.jwk, NEXT.jwk]))
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => verdict(nextToken)))
    expect(new Set(verdicts)).toEqual(new Set(["subject-1"]))
    expect(provider.requests()).toBe(2)
    await accepted(token)
    await accepted(nextToken)
    expect(provider.requests()).toBe(2)
  })

  it("accepts a removed key until the cache expires", async () => {
    const { clock, provider, accepted, refused } = await oneProvider()
    await accepted(token)
    provider.answer(publishKeys([NEXT.jwk]))
    clock.advance(3_600_000 - 1)
    await accepted(token)
    clock.advance(1)
    await refused(token)
    await accepted(nextToken)
  })

  it("continues a fetch when the first of several callers is interrupted", async () => {
    const waiting = Promise.withResolvers<() => void>()
    const { provider, verdict } = await oneProvider((response) =>
      waiting.resolve(() => publishKeys([KEY.jwk])(response)),
    )
    const controller = new AbortController()
    const [first, second] = [verdict(token, controller.signal), verdict(token)]
    const release = await waiting.promise
    controller.abort()
    release()
    await first
    expect(await second).toBe("subject-1")
    expect(provider.requests()).toBe(1)
  })
})

describe("unknown key ids", () => {
  it("cause one fetch in 30 seconds, besides the first load", async () => {
    const { clock, provider, verdict } = await oneProvider()
    const flood = async (mark: string) => {
      const verdicts = await Promise.all(hostile(100, mark).map((text) => verdict(text)))
      expect(new Set(verdicts)).toEqual(new Set(["refused"]))
    }
    await flood("at first")
    expect(provider.requests()).toBe(2)
    clock.advance(30_000 - 1)
    await flood("soon")
    expect(provider.requests()).toBe(2)
    clock.advance(1)
    await flood("later")
    expect(provider.requests()).toBe(3)
  })

  it("do not delay the fetch when the cache expires", async () => {
    const { clock, provider, verdict, accepted } = await oneProvider()
    await accepted(token)
    clock.advance("1 hour")
    provider.answer(publishKeys([NEXT.jwk]))
    await Promise.all(hostile(10).map((text) => verdict(text)))
    await accepted(nextToken)
    expect(provider.requests()).toBe(3)
  })

  it("cause no more fetches when the clock is set back", async () => {
    const { clock, provider, refused } = await oneProvider()
    const [one = "", two = "", three = ""] = hostile(3)
    await refused(one)
    const before = provider.requests()
    clock.advance("-1 day")
    await refused(two)
    await refused(three)
    expect(provider.requests() - before).toBeLessThanOrEqual(2)
    clock.advance("30 seconds")
    const then = provider.requests()
    await refused(one)
    expect(provider.requests()).toBe(then + 1)
  })

  it("cause no fetch when the token is malformed", async () => {
    const { provider, refused } = await oneProvider()
    const [header = "", payload = "", signature = ""] = token.split(".")
    for (const none of ["", "a.b.c", `${header}.${payload}`, `${header}.W10.${signature}`, "a".repeat(20_000)]) {
      await refused(none)
    }
    await refused(issue(KEY, CLAIMS, { alg: "PS256" }))
    await refused(issue(KEY, CLAIMS, { crit: ["b64"] }))
    await refused(issue(KEY, CLAIMS, { kid: undefined }))
    expect(provider.requests()).toBe(0)
  })
})

describe("Cache-Control", () => {
  it.each([
    [undefined, 3_600],
    ["no-cache", 3_600],
    ["s-maxage=600", 3_600],
    ["max-age=soon", 3_600],
    ["max-age=600", 600],
    ["public, max-age=22544, must-revalidate, no-transform", 22_544],
    ['MAX-AGE = "900",public', 900],
    ["max-age=0", 300],
    ["max-age=299", 300],
    ["max-age=86401", 86_400],
    [`max-age=${"9".repeat(400)}`, 86_400],
  ])("%s: keeps the keys for so many seconds: %i", async (cacheControl, seconds) => {
    const headers = cacheControl === undefined ? {} : { "cache-control": cacheControl }
    const { clock, provider, accepted } = await oneProvider(publishKeys([KEY.jwk], headers))
    await accepted(token)
    clock.advance(seconds * 1000 - 1)
    await accepted(token)
    expect(provider.requests()).toBe(1)
    clock.advance(1)
    await accepted(token)
    expect(provider.requests()).toBe(2)
  })
})

describe("a provider that fails later", () => {
  it.each([
    ["hangs up", hangUp],
    ["answers 503", answerWith("{}", {}, 503)],
    ["answers garbage", answerWith("<html>")],
    ["has no keys any more", publishKeys([])],
  ])("and %s: the cached keys stay, with a fetch twice a minute", async (_, answer) => {
    const { clock, provider, accepted } = await oneProvider()
    await accepted(token)
    provider.answer(answer)
    clock.advance("25 hours")
    for (const requests of [2, 3, 4]) {
      for (let time = 0; time < 3; time += 1) await accepted(token)
      expect(provider.requests()).toBe(requests)
      clock.advance("30 seconds")
    }
    provider.answer(publishKeys([NEXT.jwk]))
    await accepted(nextToken)
    expect(provider.requests()).toBe(5)
  })

  it("is not asked again for an unknown key right after a failure", async () => {
    const { clock, provider, accepted, dies } = await oneProvider()
    await accepted(token)
    provider.answer(hangUp)
    clock.advance("1 hour")
    await dies(nextToken)
    expect(provider.requests()).toBe(2)
  })

  it("makes an unknown key a defect until it answers again", async () => {
    const { clock, provider, accepted, refused, dies } = await oneProvider()
    await accepted(token)
    provider.answer(hangUp)
    await dies(nextToken)
    await dies(nextToken)
    expect(provider.requests()).toBe(2)
    provider.answer(publishKeys([KEY.jwk]))
    clock.advance("30 seconds")
    await refused(nextToken)
    expect(provider.requests()).toBe(3)
  })
})
