import { apnsAnswer, apnsKey, apnsTeam, startApnsServer } from "@hearth/test-services/push"
import { manualClock } from "@hearth/testing"
import { aPushMessage } from "@hearth/testing/contracts"
import { decodeJwt } from "jose"
import { describe, expect, it, onTestFinished } from "vitest"
import { apnsAccount, testGateway } from "./harness.ts"

const minute = 60_000

const serve = async () => {
  const clock = manualClock()
  const server = await startApnsServer({ now: clock.now })
  onTestFinished(server.stop)
  const { send, signals } = testGateway({ push_a: server.url }, { clock })
  const pass = (minutes: number) => clock.set(new Date(clock.now().getTime() + minutes * minute))
  const push = async (messages = [aPushMessage()]) => (await send(apnsAccount(), messages)).map(({ kind }) => kind)
  return { clock, server, send, signals, pass, push }
}

describe("the provider token of APNs", () => {
  it("names key and team, and when it was signed", async () => {
    const { clock, server, push } = await serve()
    await push()
    const [bearer = ""] = server.bearers
    expect(decodeJwt(bearer.replace("bearer ", ""))).toEqual({
      iss: apnsTeam.team_id,
      iat: Math.floor(clock.now().getTime() / 1000),
    })
  })

  it("is signed once for 50 minutes, and then anew", async () => {
    const { server, pass, push } = await serve()
    await Promise.all([push(), push(), push()])
    pass(49)
    await push()
    expect(server.bearers.size).toBe(1)
    pass(2)
    expect(await push()).toEqual(["sent"])
    expect(server.bearers.size).toBe(2)
    pass(51)
    expect(await push()).toEqual(["sent"])
    expect(server.bearers.size).toBe(3)
  })

  it("is signed anew after the clock was set back", async () => {
    const { server, pass, push } = await serve()
    await push()
    pass(-120)
    expect(await push()).toEqual(["sent"])
    expect(server.bearers.size).toBe(2)
  })

  it.each(["ExpiredProviderToken", "InvalidProviderToken", "MissingProviderToken"])(
    "is renewed once when it is refused as %s, and the push is sent with the new one",
    async (reason) => {
      const { server, push } = await serve()
      server.react("device", apnsAnswer(403, reason), apnsAnswer(200))
      const message = aPushMessage({ token: "device" })
      expect(await push([message])).toEqual(["sent"])
      expect([server.countCalls(message.delivery_id), server.bearers.size]).toEqual([2, 2])
    },
  )

  it("is renewed once for a whole batch", async () => {
    const { server, push } = await serve()
    const messages = Array.from({ length: 50 }, (_, index) => aPushMessage({ token: `device-${index}` }))
    for (const { token } of messages) server.react(token, apnsAnswer(403, "ExpiredProviderToken"), apnsAnswer(200))
    expect(new Set(await push(messages))).toEqual(new Set(["sent"]))
    expect(server.bearers.size).toBe(2)
  })

  it("is not signed again within 20 minutes: the account is misconfigured", async () => {
    const { server, push, pass, signals, send } = await serve()
    server.refuseBearers({ status: 403, reason: "InvalidProviderToken" })
    const first = await send(apnsAccount(), [aPushMessage()])
    expect(first).toEqual([{ kind: "misconfigured", reason: "InvalidProviderToken" }])
    expect(server.bearers.size).toBe(2)
    pass(19)
    expect(await push()).toEqual(["misconfigured"])
    expect(server.bearers.size).toBe(2)
    pass(2)
    expect(await push()).toEqual(["misconfigured"])
    expect(server.bearers.size).toBe(3)
    expect(signals.of("push_misconfigured")).toHaveLength(3)
  })

  it("is not asked for every push of a batch once the account was refused", async () => {
    const { server, push } = await serve()
    server.refuseBearers({ status: 403, reason: "InvalidProviderToken" })
    const messages = Array.from({ length: 2_000 }, () => aPushMessage())
    expect(new Set(await push(messages))).toEqual(new Set(["misconfigured"]))
    const calls = messages.reduce((sum, { delivery_id }) => sum + server.countCalls(delivery_id), 0)
    expect(calls).toBeLessThanOrEqual(1_000)
  })

  it("is kept when Apple wants fewer of them", async () => {
    const { server, push } = await serve()
    server.react("device", apnsAnswer(429, "TooManyProviderTokenUpdates"), apnsAnswer(200))
    const message = aPushMessage({ token: "device" })
    expect([await push([message]), await push([message])]).toEqual([["retry"], ["sent"]])
    expect(server.bearers.size).toBe(1)
  })

  it.each([
    ["no key", "none"],
    ["a key of another kind", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
  ])("cannot be signed with %s: misconfigured, without a call", async (_, private_key) => {
    const { server, send } = await serve()
    const outcomes = await send(apnsAccount({ private_key }), [aPushMessage(), aPushMessage()])
    expect(outcomes).toEqual(outcomes.map(() => ({ kind: "misconfigured", reason: "InvalidPrivateKey" })))
    expect(server.connections().made).toBe(0)
    expect(JSON.stringify(outcomes)).not.toContain("AAAA")
  })

  it("is signed with the new key when the credentials change", async () => {
    const { server, send } = await serve()
    expect(await send(apnsAccount({ key_id: "OTHER00001" }), [aPushMessage()])).toMatchObject([
      { kind: "misconfigured" },
    ])
    expect(await send(apnsAccount({ version: "2" }), [aPushMessage()])).toMatchObject([{ kind: "sent" }])
    expect(server.connections().made).toBe(2)
    await expect.poll(() => server.connections().open).toBe(1)
    expect(apnsKey("OTHER00001").privateKey).not.toBe(apnsKey(apnsTeam.key_id).privateKey)
  })
})

describe("the environments of APNs", () => {
  const both = async () => {
    const [production, sandbox] = [await startApnsServer(), await startApnsServer()]
    onTestFinished(production.stop)
    onTestFinished(sandbox.stop)
    const apns = { production: production.url, sandbox: sandbox.url }
    const { send } = testGateway({}, { apns })
    return { production, sandbox, send }
  }

  it.each(["production", "sandbox"] as const)("are told by the credentials: %s", async (environment) => {
    const servers = await both()
    await servers.send(apnsAccount({ environment }), [aPushMessage()])
    expect([servers.production.calls.length, servers.sandbox.calls.length]).toEqual(
      environment === "production" ? [1, 0] : [0, 1],
    )
  })

  it("a device that both do not know is dead; one that the other knows has got its push", async () => {
    const { production, sandbox, send } = await both()
    for (const token of ["nobody's", "a tester's", "odd", "busy"])
      production.react(token, apnsAnswer(400, "BadDeviceToken"))
    sandbox.react("nobody's", apnsAnswer(400, "BadDeviceToken"))
    sandbox.react("odd", apnsAnswer(403, "Forbidden"))
    sandbox.react("busy", apnsAnswer(429, "TooManyRequests"))
    const tokens = ["nobody's", "a tester's", "odd", "busy", "known"]
    const outcomes = await send(
      apnsAccount(),
      tokens.map((token) => aPushMessage({ token })),
    )
    expect(outcomes).toMatchObject([
      { kind: "dead_token", reason: "BadDeviceToken", since: null },
      { kind: "sent" },
      { kind: "rejected", reason: "BadDeviceToken" },
      { kind: "retry", reason: "TooManyRequests" },
      { kind: "sent" },
    ])
    expect(sandbox.calls.map(({ token }) => token).toSorted()).toEqual(["a tester's", "busy", "nobody's", "odd"])
  })
})
