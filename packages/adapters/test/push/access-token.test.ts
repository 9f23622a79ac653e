import { fcmBody, fcmHangUp, fcmSilence, serviceAccountKey, startFcmServer } from "@hearth/test-services/push"
import { manualClock } from "@hearth/testing"
import { aPushMessage } from "@hearth/testing/contracts"
import { describe, expect, it, onTestFinished } from "vitest"
import { pushTiming } from "../../src/push/timing.ts"
import { fcmAccount, shortTiming, testGateway } from "./harness.ts"

const minute = 60_000

const serve = async (timing = pushTiming) => {
  const clock = manualClock()
  const server = await startFcmServer({ now: clock.now })
  onTestFinished(server.stop)
  const { send, signals } = testGateway({ push_b: server.url }, { clock, timing })
  const pass = (minutes: number) => clock.set(new Date(clock.now().getTime() + minutes * minute))
  const push = (messages = [aPushMessage()]) => send(fcmAccount(server.tokenUri), messages)
  return { server, send, signals, pass, push }
}

describe("the access token of FCM", () => {
  it("is exchanged once, kept until shortly before it expires, and exchanged anew", async () => {
    const { server, pass, push } = await serve()
    await Promise.all([push(), push(Array.from({ length: 300 }, () => aPushMessage())), push()])
    pass(57)
    await push()
    expect(server.exchanges()).toBe(1)
    pass(2)
    expect(await push()).toMatchObject([{ kind: "sent" }])
    expect(server.exchanges()).toBe(2)
  })

  it("is renewed once when it is refused, and the pushes are sent with the new one", async () => {
    const { server, push } = await serve()
    await push()
    server.revokeTokens()
    const outcomes = await push(Array.from({ length: 100 }, () => aPushMessage()))
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["sent"]))
    expect(server.exchanges()).toBe(2)
  })

  it("that is refused when it is new: misconfigured, and no more exchanges for the batch", async () => {
    const { server, push } = await serve()
    server.reactToExchange(fcmBody(200, '{"access_token":"of-somebody-else","expires_in":3600}'))
    const outcomes = await push(Array.from({ length: 500 }, () => aPushMessage()))
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set(['{"kind":"misconfigured","reason":"UNAUTHENTICATED"}']),
    )
    expect(server.exchanges()).toBeLessThanOrEqual(2 * 256)
  })

  it.each([
    [
      "400 invalid_grant",
      fcmBody(400, '{"error":"invalid_grant","error_description":"CANARY"}'),
      "misconfigured",
      "invalid_grant",
    ],
    ["401 invalid_client", fcmBody(401, '{"error":"invalid_client"}'), "misconfigured", "invalid_client"],
    ["404 and HTML", fcmBody(404, "<html>CANARY</html>"), "misconfigured", "HTTP_404"],
    ["a redirect", fcmBody(302, "", { location: "https://eve.example" }), "misconfigured", "HTTP_302"],
    ["429", fcmBody(429, "", { "retry-after": "3" }), "retry", "HTTP_429"],
    ["500", fcmBody(500, "CANARY"), "retry", "HTTP_500"],
    ["503", fcmBody(503, '{"error":"temporarily_unavailable"}'), "retry", "temporarily_unavailable"],
    ["200 and garbage", fcmBody(200, "{CANARY"), "retry", "BadTokenAnswer"],
    [
      "200 with a token that is no header",
      fcmBody(200, '{"access_token":"a\\r\\nb: CANARY"}'),
      "retry",
      "BadTokenAnswer",
    ],
    ["200 without an end", fcmBody(200, "x".repeat(200_000)), "retry", "BadTokenAnswer"],
    ["no answer", fcmSilence, "retry", "TokenTimeout"],
    ["a connection that is cut", fcmHangUp, "retry", "UND_ERR_SOCKET"],
  ] as const)("cannot be exchanged: %s", async (_, reaction, kind, reason) => {
    const { server, push, signals } = await serve(reaction === fcmSilence ? shortTiming : pushTiming)
    server.reactToExchange(reaction)
    const messages = Array.from({ length: 300 }, () => aPushMessage())
    const outcomes = await push(messages)
    expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set([kind]))
    expect(outcomes[0]).toMatchObject({ reason })
    expect(server.exchanges()).toBe(1)
    expect(server.calls).toEqual([])
    expect(JSON.stringify([outcomes, signals.emitted])).not.toContain("CANARY")
    expect(signals.of("push_misconfigured")).toHaveLength(kind === "misconfigured" ? 1 : 0)
  })

  it("is asked for again a second after a failure", async () => {
    const { server, push, pass } = await serve()
    server.reactToExchange(fcmBody(503, ""))
    expect(await push()).toMatchObject([{ kind: "retry" }])
    server.reactToExchange(null)
    expect(await push()).toMatchObject([{ kind: "retry" }])
    pass(0.1)
    expect(await push()).toMatchObject([{ kind: "sent" }])
  })

  it("is not asked for with a key that is none, or at an address that is neither Google's nor ours [H4.2]", async () => {
    const { server, send } = await serve()
    const noKey = fcmAccount(server.tokenUri, { private_key: "CANARY" })
    expect(await send(noKey, [aPushMessage()])).toEqual([{ kind: "misconfigured", reason: "InvalidPrivateKey" }])
    for (const [index, tokenUri] of [
      "http://127.0.0.1:9/token",
      "https://eve.example/googleapis.com",
      "https://notgoogle.com",
      "x",
    ].entries()) {
      const account = fcmAccount(tokenUri, { version: `${index + 2}` })
      expect(await send(account, [aPushMessage()])).toEqual([{ kind: "misconfigured", reason: "BadTokenUri" }])
    }
    expect(server.exchanges()).toBe(0)
  })

  it("is of one account: the other is not told it", async () => {
    const { server, send } = await serve()
    await send(fcmAccount(server.tokenUri), [aPushMessage()])
    const stranger = serviceAccountKey("stranger@example.com").privateKey
    const other = fcmAccount(server.tokenUri, { project_id: "b-project", private_key: stranger })
    expect(await send(other, [aPushMessage()])).toEqual([{ kind: "misconfigured", reason: "invalid_grant" }])
    expect(server.calls).toHaveLength(1)
  })
})
