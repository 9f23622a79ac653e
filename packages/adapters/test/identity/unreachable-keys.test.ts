import {
  type Answer,
  answerWith,
  hangUp,
  issue,
  openProvider,
  publishKeys,
  signingKey,
} from "@hearth/test-services/identity-provider"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import type { LogFacts } from "../../src/system/index.ts"
import { CLAIMS, KEY, oneProvider } from "./one-provider.ts"

const token = issue(KEY, CLAIMS)
const keys = JSON.stringify({ keys: [KEY.jwk] })
const QUICK = { timeoutMillis: 500 }

/** Sends a byte every 20 ms, and never the last one. */
const trickle: Answer = (response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write(" "), 20)
  response.on("close", () => clearInterval(timer))
}

/** Sends as fast as it is read, without end. */
const flood: Answer = (response) => {
  response.writeHead(200)
  const more = () => {
    while (!response.destroyed && response.write(" ".repeat(65_536))) {}
  }
  response.on("drain", more)
  more()
}

const ANSWERS: ReadonlyArray<readonly [string, Answer]> = [
  ["hangs up", hangUp],
  ["never answers", () => {}],
  ["answers byte by byte", trickle],
  ["answers without end", flood],
  [
    "hangs up half way",
    (response) => response.writeHead(200, { "content-length": "9999" }).write(keys, () => response.destroy()),
  ],
  ...[201, 204, 304, 400, 404, 429, 500, 503].map(
    (status) => [`answers ${status}`, answerWith(keys, {}, status)] as const,
  ),
  ["answers nothing", answerWith("")],
  ["answers a page", answerWith("<!doctype html><title>Sign in to the network</title>")],
  ["answers half of it", answerWith(keys.slice(0, -2))],
  ...["null", "7", "[]", "{}", '{"keys":null}', '{"keys":{}}', '{"keys":[]}', '{"keys":[null,7,{}]}'].map(
    (json) => [`answers ${json}`, answerWith(json)] as const,
  ),
  ["has weak keys only", publishKeys([signingKey("weak", 1024).jwk])],
  ["answers 256 KB and a byte", answerWith(keys + " ".repeat(256 * 1024 + 1 - keys.length))],
]

describe("a provider that", () => {
  it.each(ANSWERS)("%s: causes a defect, until it answers with keys", async (_, answer) => {
    const { clock, provider, accepted, dies } = await oneProvider(answer, QUICK)
    await dies(token)
    provider.answer(publishKeys([KEY.jwk]))
    clock.advance("1 second")
    await accepted(token)
  })

  it("redirects is not followed", async () => {
    const target = await openProvider(publishKeys([KEY.jwk]))
    for (const status of [301, 302, 303, 307, 308]) {
      const { dies } = await oneProvider(answerWith(keys, { location: target.jwksUrl }, status))
      await dies(token)
    }
    expect(target.requests()).toBe(0)
  })

  it("answers 256 KB is read", async () => {
    const { accepted } = await oneProvider(answerWith(keys + " ".repeat(256 * 1024 - keys.length)))
    await accepted(token)
  })

  it("is down is asked once a second for many calls", async () => {
    const { clock, provider, verdict } = await oneProvider(hangUp)
    for (const requests of [1, 2, 3]) {
      const verdicts = await Promise.all(Array.from({ length: 100 }, () => verdict(token)))
      expect(new Set(verdicts)).toEqual(new Set(["defect"]))
      clock.advance(999)
      expect(await verdict(token)).toBe("defect")
      expect(provider.requests()).toBe(requests)
      clock.advance(1)
    }
  })

  it("is slow delays callers no longer than the timeout", async () => {
    const { verdict } = await oneProvider(() => {}, QUICK)
    const start = performance.now()
    await Promise.all(Array.from({ length: 50 }, () => verdict(token)))
    expect(performance.now() - start).toBeLessThan(6_000)
  })

  it("is slow has 3 seconds by default", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout")
    onTestFinished(() => timeout.mockRestore())
    const { accepted } = await oneProvider()
    await accepted(token)
    expect(timeout.mock.calls).toEqual([[3_000]])
  })

  it("cannot be reached is written to the log, without the token", async () => {
    const lines: Array<readonly [string, string, LogFacts | undefined]> = []
    const { dies } = await oneProvider(hangUp, { log: (level, message, facts) => lines.push([level, message, facts]) })
    await dies(token)
    await dies(token)
    expect(lines).toEqual([
      [
        "warn",
        "Signing keys could not be fetched.",
        { provider: "idp_a", cause: expect.stringMatching(/^TypeError: fetch failed: ./) },
      ],
    ])
    expect(JSON.stringify(lines)).not.toContain(token)
  })
})

it("uses the given fetch, and only for the keys of the token's provider", async () => {
  const asked: Array<unknown> = []
  const fetch = async (url: unknown) => {
    asked.push(url)
    return new Response(keys)
  }
  const { provider, accepted } = await oneProvider(hangUp, { fetch: fetch as typeof globalThis.fetch })
  await accepted(token)
  expect(asked).toEqual([provider.jwksUrl])
  expect(provider.requests()).toBe(0)
})
