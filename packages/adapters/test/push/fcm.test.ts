import type { PushOutcome } from "@hearth/core/push"
import {
  type FcmReaction,
  fcmBody,
  fcmCut,
  fcmError,
  fcmHangUp,
  fcmSilence,
  startFcmServer,
} from "@hearth/test-services/push"
import { aPushMessage } from "@hearth/testing/contracts"
import { describe, expect, it, onTestFinished } from "vitest"
import { pushTiming } from "../../src/push/timing.ts"
import { fcmAccount, shortTiming, testGateway } from "./harness.ts"

const serve = async (timing = pushTiming) => {
  const server = await startFcmServer()
  onTestFinished(server.stop)
  const { send, signals } = testGateway({ push_b: server.url }, { timing })
  return {
    server,
    signals,
    send: (messages: Parameters<typeof send>[1]) => send(fcmAccount(server.tokenUri), messages),
  }
}

const retry = (reason: string, after_seconds: number | null = null): PushOutcome => ({
  kind: "retry",
  reason,
  after_seconds,
})
const dead = (reason: string): PushOutcome => ({ kind: "dead_token", reason, since: null })
const as = (kind: "rejected" | "unknown" | "bad_payload" | "misconfigured", reason: string): PushOutcome => ({
  kind,
  reason,
})

const canary = "CANARY secret of the provider"
const own = (code: number, status: string, errorCode = status, headers = {}) =>
  fcmError(code, status, { errorCode, headers })

const TABLE: ReadonlyArray<readonly [string, FcmReaction, PushOutcome]> = [
  ["404 UNREGISTERED", own(404, "NOT_FOUND", "UNREGISTERED"), dead("UNREGISTERED")],
  ["404 of the API alone", fcmError(404, "NOT_FOUND"), dead("NOT_FOUND")],
  ["404 and HTML", fcmBody(404, `<html>${canary}`), as("rejected", "HTTP_404")],
  ["403 SENDER_ID_MISMATCH", own(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"), dead("SENDER_ID_MISMATCH")],
  ["403 of the API alone", fcmError(403, "PERMISSION_DENIED"), as("misconfigured", "PERMISSION_DENIED")],
  ["403 and HTML", fcmBody(403, "<html>"), as("misconfigured", "HTTP_403")],
  [
    "401 THIRD_PARTY_AUTH_ERROR",
    own(401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"),
    as("misconfigured", "THIRD_PARTY_AUTH_ERROR"),
  ],
  [
    "400 with fields of the payload",
    fcmError(400, "INVALID_ARGUMENT", { errorCode: "INVALID_ARGUMENT", fields: ["message.android.ttl"] }),
    as("bad_payload", "INVALID_ARGUMENT"),
  ],
  ["400 of the API alone", fcmError(400, "INVALID_ARGUMENT"), as("rejected", "INVALID_ARGUMENT")],
  ["400 and garbage", fcmBody(400, "\u0000{"), as("rejected", "HTTP_400")],
  ["429 QUOTA_EXCEEDED", own(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), retry("QUOTA_EXCEEDED", 60)],
  [
    "429 with Retry-After",
    own(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", { "retry-after": "5" }),
    retry("QUOTA_EXCEEDED", 5),
  ],
  ["429 with a date", fcmBody(429, "", { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }), retry("HTTP_429", 0)],
  ["429 with a time that is none", fcmBody(429, "", { "retry-after": "soon" }), retry("HTTP_429", 60)],
  ["429 with a time without an end", fcmBody(429, "", { "retry-after": "999999999" }), retry("HTTP_429", 86_400)],
  ["500 INTERNAL", own(500, "INTERNAL"), retry("INTERNAL")],
  ["503 UNAVAILABLE", own(503, "UNAVAILABLE", "UNAVAILABLE", { "retry-after": "11" }), retry("UNAVAILABLE", 11)],
  ["502 and HTML", fcmBody(502, "<html>"), retry("HTTP_502")],
  ["504, whose gateway knows nothing", fcmBody(504, ""), as("unknown", "HTTP_504")],
  ["a redirect", fcmBody(307, "", { location: "https://eve.example/" }), as("unknown", "HTTP_307")],
  ["a code that is none", fcmBody(400, JSON.stringify({ error: { status: canary } })), as("rejected", "HTTP_400")],
  [
    "details of other shapes",
    fcmBody(400, '{"error":{"details":[null,1,{"@type":"x"}],"status":"INVALID_ARGUMENT"}}'),
    as("rejected", "INVALID_ARGUMENT"),
  ],
  ["no answer", fcmSilence, as("unknown", "Timeout")],
  ["a connection that is cut", fcmHangUp, as("unknown", "UND_ERR_SOCKET")],
  ["an answer that is cut off", fcmCut(503), retry("HTTP_503")],
  ["an accepted push whose answer is cut off", fcmCut(200), { kind: "sent", provider_message_id: null }],
  ["an accepted push with garbage", fcmBody(200, "\u0000"), { kind: "sent", provider_message_id: null }],
  ["an answer without an end", fcmBody(400, `{"a":"${"x".repeat(300_000)}"}`), as("rejected", "HTTP_400")],
]

describe("answers of FCM [H4.2]", () => {
  it.each(TABLE)("%s", async (_, reaction, outcome) => {
    const { server, send, signals } = await serve(reaction === fcmSilence ? shortTiming : pushTiming)
    server.react("a-device", reaction)
    const message = aPushMessage({ token: "a-device" })
    const outcomes = await send([message])
    expect(outcomes).toEqual([outcome])
    expect(server.countCalls(message.delivery_id)).toBe(1)
    expect(JSON.stringify([outcomes, signals])).not.toContain("CANARY")
  })

  it.each([
    ["FCM's own code", { errorCode: "INVALID_ARGUMENT" }],
    ["the field of the token", { fields: ["message.token"] }],
    ["both", { errorCode: "INVALID_ARGUMENT", fields: ["message.token"] }],
  ])("a token that is malformed by %s is dead only if others were sent", async (_, options) => {
    const { server, send } = await serve()
    server.react("malformed", fcmError(400, "INVALID_ARGUMENT", options))
    const malformed = () => aPushMessage({ token: "malformed" })
    expect(await send([malformed(), malformed()])).toEqual([
      as("rejected", "INVALID_ARGUMENT"),
      as("rejected", "INVALID_ARGUMENT"),
    ])
    expect(await send([malformed(), aPushMessage()])).toMatchObject([dead("INVALID_ARGUMENT"), { kind: "sent" }])
  })

  it("says to operators that tokens belong to another sender", async () => {
    const { server, send, signals } = await serve()
    server.react("foreign", own(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"))
    await send([aPushMessage({ token: "foreign" }), aPushMessage()])
    expect(signals.emitted).toEqual([
      { name: "push_tokens_mismatch", project_id: "a-project", provider: "push_b", tokens: 1 },
    ])
  })

  it("sends the message that FCM's documents ask for, and answers its name", async () => {
    const { server, send } = await serve()
    const message = aPushMessage({ data: { count: 5, deep: { a: 1 } } })
    expect(await send([message])).toEqual([{ kind: "sent", provider_message_id: "projects/example-app/messages/1" }])
    expect(server.calls[0]?.message).toMatchObject({
      token: message.token,
      notification: { title: message.title, body: message.body },
      data: { count: "5", deep: '{"a":1}' },
    })
    expect(server.calls[0]?.message.data).not.toHaveProperty("delivery_id")
  })
})

describe("connections of FCM", () => {
  it("are few, and kept", async () => {
    const { server, send } = await serve()
    for (let turn = 0; turn < 4; turn += 1) {
      await send(Array.from({ length: 500 }, () => aPushMessage()))
    }
    // 32 at once, and one for the exchange.
    expect(server.connections()).toBeLessThanOrEqual(40)
  })

  it("are refused: retry", async () => {
    const server = await startFcmServer()
    const { send } = testGateway({ push_b: server.url })
    const account = fcmAccount(server.tokenUri)
    await send(account, [aPushMessage()])
    await server.stop()
    const outcomes = await send(
      account,
      Array.from({ length: 300 }, () => aPushMessage()),
    )
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify(retry("ECONNREFUSED"))]),
    )
    // The exchange of tokens is refused in the same way.
    const renewed = { ...account, version: "2" }
    expect(await send(renewed, [aPushMessage()])).toEqual([retry("ECONNREFUSED")])
  })

  it("that answer nothing do not hold up the others", async () => {
    const { server, send } = await serve(shortTiming)
    server.react("silent", fcmSilence)
    const messages = Array.from({ length: 100 }, (_, index) =>
      aPushMessage(index % 10 === 0 ? { token: "silent" } : {}),
    )
    const begun = performance.now()
    const outcomes = await send(messages)
    expect(outcomes.filter(({ kind }) => kind === "unknown")).toHaveLength(10)
    expect(outcomes.filter(({ kind }) => kind === "sent")).toHaveLength(90)
    expect(performance.now() - begun).toBeLessThan(8 * shortTiming.answerMillis)
  })

  it("that are all taken by pushes without an answer: what was never sent is retry", async () => {
    const { server, send } = await serve(shortTiming)
    server.react("silent", fcmSilence)
    const outcomes = await send(Array.from({ length: 200 }, () => aPushMessage({ token: "silent" })))
    const unknown = outcomes.filter(({ kind }) => kind === "unknown").length
    expect(unknown).toBe(server.calls.length)
    expect(outcomes.filter(({ kind }) => kind === "retry")).toHaveLength(200 - unknown)
  })
})
