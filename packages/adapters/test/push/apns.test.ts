import type { PushOutcome } from "@hearth/core/push"
import {
  type ApnsReaction,
  apnsAnswer,
  apnsBody,
  apnsCut,
  apnsGoAwayAfter,
  apnsGoAwayBefore,
  apnsHangUp,
  apnsRefuseStream,
  apnsReset,
  apnsSilence,
  startApnsServer,
} from "@hearth/test-services/push"
import { aPushMessage } from "@hearth/testing/contracts"
import { describe, expect, it, onTestFinished } from "vitest"
import { pushTiming } from "../../src/push/timing.ts"
import { startTcpProxy } from "../postgres/tcp-proxy.ts"
import { apnsAccount, shortTiming, testGateway } from "./harness.ts"

const serve = async (options?: Parameters<typeof startApnsServer>[0], timing = pushTiming) => {
  const server = await startApnsServer(options)
  onTestFinished(server.stop)
  return { server, ...testGateway({ push_a: server.url }, { timing }) }
}

const registered = 1_700_000_000_000
const dead = (reason: string, since: Date | null = null): PushOutcome => ({ kind: "dead_token", reason, since })
const retry = (reason: string, after_seconds: number | null = null): PushOutcome => ({
  kind: "retry",
  reason,
  after_seconds,
})
const as = (kind: "rejected" | "unknown" | "bad_payload" | "misconfigured", reason: string): PushOutcome => ({
  kind,
  reason,
})

const canary = "CANARY secret of the provider"

const TABLE: ReadonlyArray<readonly [string, ApnsReaction, PushOutcome]> = [
  [
    "410 Unregistered",
    apnsAnswer(410, "Unregistered", { timestamp: registered }),
    dead("Unregistered", new Date(registered)),
  ],
  ["410 Unregistered without a time", apnsAnswer(410, "Unregistered"), dead("Unregistered")],
  ["410 with a time that is none", apnsBody(410, '{"reason":"Unregistered","timestamp":1e30}'), dead("Unregistered")],
  ["410 ExpiredToken", apnsAnswer(410, "ExpiredToken"), dead("ExpiredToken")],
  ["410 and nothing else", apnsBody(410, ""), dead("HTTP_410")],
  ["400 BadDeviceToken", apnsAnswer(400, "BadDeviceToken"), dead("BadDeviceToken")],
  ["400 DeviceTokenNotForTopic", apnsAnswer(400, "DeviceTokenNotForTopic"), dead("DeviceTokenNotForTopic")],
  ["403 BadCertificate", apnsAnswer(403, "BadCertificate"), as("misconfigured", "BadCertificate")],
  [
    "403 BadCertificateEnvironment",
    apnsAnswer(403, "BadCertificateEnvironment"),
    as("misconfigured", "BadCertificateEnvironment"),
  ],
  ["403 Forbidden", apnsAnswer(403, "Forbidden"), as("misconfigured", "Forbidden")],
  ["403 and HTML", apnsBody(403, `<html>${canary}</html>`), as("misconfigured", "HTTP_403")],
  ["400 TopicDisallowed", apnsAnswer(400, "TopicDisallowed"), as("misconfigured", "TopicDisallowed")],
  ["400 BadCollapseId", apnsAnswer(400, "BadCollapseId"), as("bad_payload", "BadCollapseId")],
  ["400 BadExpirationDate", apnsAnswer(400, "BadExpirationDate"), as("bad_payload", "BadExpirationDate")],
  ["400 BadMessageId", apnsAnswer(400, "BadMessageId"), as("bad_payload", "BadMessageId")],
  ["400 BadPriority", apnsAnswer(400, "BadPriority"), as("bad_payload", "BadPriority")],
  ["400 InvalidPushType", apnsAnswer(400, "InvalidPushType"), as("bad_payload", "InvalidPushType")],
  ["400 PayloadEmpty", apnsAnswer(400, "PayloadEmpty"), as("bad_payload", "PayloadEmpty")],
  ["413 PayloadTooLarge", apnsAnswer(413, "PayloadTooLarge"), as("bad_payload", "PayloadTooLarge")],
  ["413 and nothing else", apnsBody(413, ""), as("bad_payload", "HTTP_413")],
  ["400 with a reason that is new", apnsAnswer(400, "SomethingNew"), as("rejected", "SomethingNew")],
  ["400 with a reason that is none", apnsBody(400, JSON.stringify({ reason: canary })), as("rejected", "HTTP_400")],
  ["400 and garbage", apnsBody(400, "\u0000{[["), as("rejected", "HTTP_400")],
  ["404 BadPath", apnsAnswer(404, "BadPath"), as("rejected", "BadPath")],
  ["429 TooManyRequests", apnsAnswer(429, "TooManyRequests"), retry("TooManyRequests")],
  [
    "429 with Retry-After",
    apnsAnswer(429, "TooManyRequests", { headers: { "retry-after": "30" } }),
    retry("TooManyRequests", 30),
  ],
  [
    "429 TooManyProviderTokenUpdates",
    apnsAnswer(429, "TooManyProviderTokenUpdates"),
    retry("TooManyProviderTokenUpdates"),
  ],
  ["500 InternalServerError", apnsAnswer(500, "InternalServerError"), retry("InternalServerError")],
  ["503 Shutdown", apnsAnswer(503, "Shutdown"), retry("Shutdown")],
  [
    "503 with Retry-After",
    apnsAnswer(503, "ServiceUnavailable", { headers: { "retry-after": "9" } }),
    retry("ServiceUnavailable", 9),
  ],
  ["503 and HTML", apnsBody(503, "<html>"), retry("HTTP_503")],
  ["504, whose gateway knows nothing", apnsBody(504, ""), as("unknown", "HTTP_504")],
  ["a redirect", apnsBody(302, ""), as("unknown", "HTTP_302")],
  ["a refused stream", apnsRefuseStream, retry("RefusedStream")],
  ["a reset without an answer", apnsReset(), as("unknown", "ERR_HTTP2_STREAM_ERROR")],
  ["no answer", apnsSilence, as("unknown", "Timeout")],
  ["a connection that is cut", apnsHangUp, as("unknown", "ConnectionLost")],
  ["an answer that is cut off after a clear status", apnsCut(410), dead("HTTP_410")],
  [
    "an accepted push whose stream is reset then",
    apnsCut(200),
    { kind: "sent", provider_message_id: expect.any(String) },
  ],
  ["an answer without an end", apnsBody(400, `{"reason":"${"x".repeat(200_000)}"}`), as("rejected", "HTTP_400")],
]

describe("answers of APNs [H4.2]", () => {
  it.each(TABLE)("%s", async (_, reaction, outcome) => {
    const { server, send, signals } = await serve({}, reaction === apnsSilence ? shortTiming : pushTiming)
    server.react("a-device", reaction)
    const message = aPushMessage({ token: "a-device" })
    const outcomes = await send(apnsAccount(), [message])
    expect(outcomes).toEqual([outcome])
    expect(server.countCalls(message.delivery_id)).toBe(1)
    expect(JSON.stringify([outcomes, signals])).not.toContain("CANARY")
  })

  it("reads the headers and the payload that Apple's documents ask for", async () => {
    const { server, send } = await serve()
    const options = { collapse_id: "ü🦊", ttl_seconds: 60, sound: "ping" }
    const message = aPushMessage({ token: "a b/../c?", options, data: { n: 1 } })
    const begun = Math.floor(Date.now() / 1000)
    expect(await send(apnsAccount(), [message])).toEqual([{ kind: "sent", provider_message_id: message.delivery_id }])
    const [call] = server.calls
    if (call === undefined) throw new Error("Nothing has come.")
    const { token, headers, payload } = call
    expect(token).toBe("a b/../c?")
    expect(headers).toMatchObject({
      "apns-id": message.delivery_id,
      "apns-topic": "com.example.app",
      "apns-push-type": "alert",
      "apns-priority": "10",
      "apns-collapse-id": Buffer.from("ü🦊").toString("latin1"),
    })
    expect(Number(headers["apns-expiration"]) - begun - 60).toBeLessThanOrEqual(2)
    expect(payload).toEqual({
      aps: { alert: { title: message.title, body: message.body }, sound: "ping" },
      data: { n: 1 },
      delivery_id: message.delivery_id,
    })
  })

  it.each(["..", ".", "%2e%2e", "a/../../x", "tok\u0000en", "a\r\nb: c", "語", "#?"])(
    "keeps the token %j within its segment of the path",
    async (token) => {
      const { server, send } = await serve()
      expect(await send(apnsAccount(), [aPushMessage({ token })])).toMatchObject([{ kind: "sent" }])
      expect(server.calls.map((call) => call.token)).toEqual([token])
    },
  )

  it("spends no connection on what no server would take", async () => {
    const { server, send } = await serve()
    const outcomes = await send(apnsAccount(), [
      aPushMessage({ token: "x".repeat(4_096) }),
      aPushMessage({ options: { collapse_id: "🦊".repeat(17) } }),
      aPushMessage({ options: { collapse_id: "a\r\nb" } }),
    ])
    expect(outcomes).toEqual([
      dead("BadDeviceToken"),
      as("bad_payload", "BadCollapseId"),
      as("bad_payload", "BadCollapseId"),
    ])
    expect(await send(apnsAccount({ topic: "a\r\nb", version: "2" }), [aPushMessage()])).toEqual([
      as("misconfigured", "BadTopic"),
    ])
    expect(server.connections().made).toBe(0)
  })

  it("says to operators that tokens belong to another topic", async () => {
    const { server, send, signals } = await serve()
    server.react("a", apnsAnswer(400, "DeviceTokenNotForTopic"))
    server.react("b", apnsAnswer(400, "DeviceTokenNotForTopic"))
    await send(apnsAccount(), [aPushMessage({ token: "a" }), aPushMessage({ token: "b" }), aPushMessage()])
    expect(signals.emitted).toEqual([
      { name: "push_tokens_mismatch", project_id: "a-project", provider: "push_a", tokens: 2 },
    ])
  })
})

describe("connections of APNs", () => {
  it("is one for many pushes, and those are under way at once", async () => {
    const { server, send } = await serve()
    await send(
      apnsAccount(),
      Array.from({ length: 300 }, () => aPushMessage()),
    )
    await send(
      apnsAccount(),
      Array.from({ length: 300 }, () => aPushMessage()),
    )
    expect(server.connections()).toEqual({ made: 1, open: 1 })
  })

  it("has no more streams than the server allows", async () => {
    let open = 0
    let most = 0
    const { server, send } = await serve({ maxStreams: 3 })
    const messages = Array.from({ length: 30 }, (_, index) => aPushMessage({ token: `device-${index}` }))
    for (const { token } of messages) {
      server.react(token, (stream, call) => {
        open += 1
        most = Math.max(most, open)
        setTimeout(() => {
          open -= 1
          apnsAnswer(200)(stream, call)
        }, 5)
      })
    }
    const outcomes = await send(apnsAccount(), messages)
    expect(outcomes.filter(({ kind }) => kind === "sent")).toHaveLength(30)
    expect(most).toBe(3)
  })

  it.each([
    ["for no fault", 0],
    ["for a fault of the server", 2],
  ])("ends with a GOAWAY %s: what was not processed is retry, and nothing waits for it", async (_, code) => {
    // The gateway is closed after the test, in time only where the first connection is not waited for.
    const { server, send } = await serve({}, { ...pushTiming, answerMillis: 300_000 })
    server.react("refused", apnsGoAwayBefore(code))
    await send(apnsAccount(), [aPushMessage()])
    expect(await send(apnsAccount(), [aPushMessage({ token: "refused" })])).toEqual([retry("RefusedStream")])
    expect(await send(apnsAccount(), [aPushMessage()])).toMatchObject([{ kind: "sent" }])
    expect(server.connections().made).toBe(2)
  })

  it("ends with a GOAWAY: what was processed is answered, and the next uses a new one", async () => {
    const { server, send } = await serve()
    server.react("last", apnsGoAwayAfter)
    expect(await send(apnsAccount(), [aPushMessage({ token: "last" })])).toMatchObject([{ kind: "sent" }])
    expect(await send(apnsAccount(), [aPushMessage()])).toMatchObject([{ kind: "sent" }])
    expect(server.connections().made).toBe(2)
  })

  it("sends what waited over the next connection when a GOAWAY comes in the middle of a batch", async () => {
    const { server, send } = await serve({ maxStreams: 5 })
    const messages = Array.from({ length: 50 }, (_, index) => aPushMessage({ token: `device-${index}` }))
    server.react("device-20", apnsGoAwayAfter)
    const outcomes = await send(apnsAccount(), messages)
    expect(outcomes.filter(({ kind }) => kind === "unknown")).toEqual([])
    expect(outcomes.filter(({ kind }) => kind === "sent").length).toBeGreaterThanOrEqual(45)
    // What is retry was certainly not processed.
    for (const [index, { delivery_id, token }] of messages.entries()) {
      const wasProcessed = server.calls.some((call) => call.token === token)
      expect([server.countCalls(delivery_id) <= 1, outcomes[index]?.kind === "sent"]).toEqual([true, wasProcessed])
    }
    expect(server.connections().made).toBe(2)
  })

  it("is another one after 500 and 503", async () => {
    const { server, send } = await serve()
    server.react("broken", apnsAnswer(503, "ServiceUnavailable"), apnsAnswer(200))
    const message = aPushMessage({ token: "broken" })
    expect((await send(apnsAccount(), [message]))[0]?.kind).toBe("retry")
    expect((await send(apnsAccount(), [message]))[0]?.kind).toBe("sent")
    expect(server.calls.map(({ connection }) => connection)).toEqual([1, 2])
  })

  it("is not made many times a second", async () => {
    const { server, send } = await serve()
    server.react("broken", apnsAnswer(503, "ServiceUnavailable"))
    const begun = performance.now()
    for (let turn = 0; turn < 4; turn += 1) await send(apnsAccount(), [aPushMessage({ token: "broken" })])
    expect(server.connections().made / (performance.now() - begun)).toBeLessThan(4 / 700)
  })

  it("is refused: retry, at once for the whole batch", async () => {
    const { send } = testGateway({ push_a: "http://127.0.0.1:1" })
    const outcomes = await send(
      apnsAccount(),
      Array.from({ length: 1_200 }, () => aPushMessage()),
    )
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify(retry("ECONNREFUSED"))]),
    )
  })

  it("is closed when nobody uses it, and made again", async () => {
    const server = await startApnsServer()
    onTestFinished(server.stop)
    const { send } = testGateway({ push_a: server.url }, { timing: { ...shortTiming, idleMillis: 60 } })
    await send(apnsAccount(), [aPushMessage()])
    await expect.poll(() => server.connections().open).toBe(0)
    expect(await send(apnsAccount(), [aPushMessage()])).toMatchObject([{ kind: "sent" }])
    expect(server.connections().made).toBe(2)
  })

  it("is asked whether it still is one after a quiet time, before a push is entrusted to it", async () => {
    const server = await startApnsServer()
    onTestFinished(server.stop)
    const proxy = await startTcpProxy(server.url)
    onTestFinished(proxy.close)
    const timing = { ...shortTiming, quietMillis: 50, pingMillis: 400 }
    const { send } = testGateway({ push_a: proxy.url }, { timing })
    await send(apnsAccount(), [aPushMessage()])
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(await send(apnsAccount(), [aPushMessage()])).toMatchObject([{ kind: "sent" }])
    expect(server.connections().made).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 60))
    proxy.silence(true)
    expect(await send(apnsAccount(), [aPushMessage()])).toMatchObject([{ kind: "sent" }])
    expect(server.connections().made).toBe(2)
    expect(server.calls).toHaveLength(3)
  })

  it("is left alone once it has not answered at all", async () => {
    const { server, send } = await serve({}, shortTiming)
    server.react("silent", apnsSilence)
    expect(await send(apnsAccount(), [aPushMessage({ token: "silent" })])).toEqual([as("unknown", "Timeout")])
    expect(await send(apnsAccount(), [aPushMessage()])).toMatchObject([{ kind: "sent" }])
    expect(server.calls.map(({ connection }) => connection)).toEqual([1, 2])
  })

  it("does not wait for a slow device before it sends to others", async () => {
    const { server, send } = await serve({}, shortTiming)
    server.react("slow", apnsSilence)
    const slow = send(apnsAccount(), [aPushMessage({ token: "slow" })])
    const quick = send(apnsAccount(), [aPushMessage()])
    expect(await Promise.race([slow, quick])).toMatchObject([{ kind: "sent" }])
    expect(await slow).toMatchObject([{ kind: "unknown" }])
  })
})
