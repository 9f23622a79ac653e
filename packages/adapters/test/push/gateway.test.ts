import tls from "node:tls"
import type { PushAccount, PushMessage, PushOutcome } from "@hearth/core/push"
import { certificate } from "@hearth/test-services/mail-server"
import {
  apnsAnswer,
  apnsSilence,
  fcmBody,
  fcmSilence,
  startApnsServer,
  startFcmServer,
} from "@hearth/test-services/push"
import { anApnsAccount, manualClock } from "@hearth/testing"
import { aPushMessage } from "@hearth/testing/contracts"
import { Effect, Fiber } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { keepPushAccounts } from "../../src/push/accounts.ts"
import { developmentGateway } from "../../src/push/index.ts"
import { sendBatch } from "../../src/push/send-batch.ts"
import { apnsAccount, fcmAccount, openTestGateway, shortTiming, testGateway } from "./harness.ts"

const many = (count: number, changes: Partial<PushMessage> = {}) =>
  Array.from({ length: count }, () => aPushMessage(changes))
const kinds = (outcomes: ReadonlyArray<PushOutcome>) => [...new Set(outcomes.map(({ kind }) => kind))].sort()

describe("the gateway", () => {
  it("does not let a provider that is slow for one project hold up another", async () => {
    const server = await startApnsServer()
    onTestFinished(server.stop)
    server.react("silent", apnsSilence)
    const { send } = testGateway({ push_a: server.url }, { timing: shortTiming })
    const slow = send(apnsAccount({ project_id: "slow" }), many(200, { token: "silent" }))
    const quick = send(apnsAccount({ project_id: "quick" }), many(100))
    expect(kinds(await Promise.race([slow, quick]))).toEqual(["sent"])
    expect(kinds(await slow)).toEqual(["unknown"])
  })

  it("answers a batch in time: what was begun is unknown, what was not is retry", async () => {
    const server = await startFcmServer()
    onTestFinished(server.stop)
    server.react("silent", fcmSilence)
    const timing = { ...shortTiming, answerMillis: 5_000, beginMillis: 400, batchMillis: 800 }
    const { gateway, close } = openTestGateway({ push_b: server.url }, { timing })
    const begun = performance.now()
    const outcomes = await Effect.runPromise(gateway.send(fcmAccount(server.tokenUri), many(600, { token: "silent" })))
    expect(performance.now() - begun).toBeLessThan(timing.answerMillis)
    expect(outcomes).toHaveLength(600)
    // So many go out together; a slow machine begins fewer in the time.
    const begunCount = outcomes.filter(({ kind }) => kind === "unknown").length
    expect(begunCount).toBeGreaterThan(0)
    expect(begunCount).toBeLessThanOrEqual(256)
    expect(outcomes).toEqual(
      outcomes.map((_, index) =>
        index < begunCount
          ? { kind: "unknown", reason: "Timeout" }
          : { kind: "retry", reason: "NotBegun", after_seconds: null },
      ),
    )
    await server.stop().catch(() => {})
    await close()
  })

  it("begins no more pushes once its caller is interrupted", async () => {
    const server = await startFcmServer()
    onTestFinished(server.stop)
    const { gateway, close } = openTestGateway({ push_b: server.url })
    onTestFinished(close)
    const messages = many(20_000)
    const sending = Effect.runFork(gateway.send(fcmAccount(server.tokenUri), messages))
    await expect.poll(() => server.calls.length).toBeGreaterThan(10)
    await Effect.runPromise(Fiber.interrupt(sending))
    const called = server.calls.length
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(server.calls.length).toBeLessThanOrEqual(called + 256)
    expect(server.calls.length).toBeLessThan(20_000)
  })

  it("waits for what is under way when it is closed, and leaves no connection", async () => {
    const apns = await startApnsServer()
    const fcm = await startFcmServer()
    onTestFinished(apns.stop)
    onTestFinished(fcm.stop)
    apns.react("slow", (stream, call) => void setTimeout(() => apnsAnswer(200)(stream, call), 100))
    fcm.react("slow", (response) => void setTimeout(() => fcmBody(200, "{}")(response), 100))
    const { gateway, close } = openTestGateway({ push_a: apns.url, push_b: fcm.url })
    const accounts: ReadonlyArray<PushAccount> = [apnsAccount(), fcmAccount(fcm.tokenUri)]
    const sending = accounts.map((account) => Effect.runPromise(gateway.send(account, many(3, { token: "slow" }))))
    await expect.poll(() => apns.calls.length + fcm.calls.length).toBe(6)
    await close()
    expect((await Promise.all(sending)).map(kinds)).toEqual([["sent"], ["sent"]])
    await expect.poll(() => apns.connections().open).toBe(0)
  })

  it("finishes what is under way with old credentials when they change", async () => {
    const server = await startApnsServer()
    onTestFinished(server.stop)
    server.react("slow", (stream, call) => void setTimeout(() => apnsAnswer(200)(stream, call), 100))
    const { send } = testGateway({ push_a: server.url })
    const before = send(apnsAccount(), many(1, { token: "slow" }))
    await expect.poll(() => server.calls.length).toBe(1)
    expect(kinds(await send(apnsAccount({ version: "2" }), many(1)))).toEqual(["sent"])
    expect(kinds(await before)).toEqual(["sent"])
  })

  it("speaks TLS, and to nobody whose certificate is not good", async () => {
    const server = await startApnsServer({ secure: true })
    onTestFinished(server.stop)
    const { send } = testGateway({ push_a: server.url })
    expect(await send(apnsAccount(), [aPushMessage()])).toMatchObject([
      { kind: "retry", reason: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    ])
    expect(server.calls).toEqual([])
    const trusted = tls.getCACertificates("default")
    onTestFinished(() => tls.setDefaultCACertificates(trusted))
    tls.setDefaultCACertificates([...trusted, certificate.cert])
    const other = testGateway({ push_a: server.url })
    expect(await other.send(apnsAccount(), many(100))).toMatchObject(many(100).map(() => ({ kind: "sent" })))
  })

  it("takes what is no HTTP/2 for a server that is not there", async () => {
    const server = await startFcmServer()
    onTestFinished(server.stop)
    const { send } = testGateway({ push_a: server.url })
    expect(kinds(await send(apnsAccount(), many(3)))).toEqual(["retry"])
  })
})

describe("accounts", () => {
  const client = (closed: Array<string>, name: string) => ({
    send: async () => [],
    close: async () => void closed.push(name),
  })

  it("are kept by their version, and the least used go when there are too many", async () => {
    const closed: Array<string> = []
    const made: Array<string> = []
    const accounts = keepPushAccounts(({ project_id, version }) => {
      made.push(`${project_id}${version}`)
      return client(closed, `${project_id}${version}`)
    }, 2)
    const find = (project_id: string, version = "1") => accounts.find(anApnsAccount({ project_id, version }))
    const first = find("a")
    expect(find("a")).toBe(first)
    find("b")
    find("a")
    find("c")
    expect([made, closed]).toEqual([["a1", "b1", "c1"], ["b1"]])
    find("a", "2")
    expect([made, closed]).toEqual([
      ["a1", "b1", "c1", "a2"],
      ["b1", "a1"],
    ])
    await accounts.close()
    expect(closed.toSorted()).toEqual(["a1", "a2", "b1", "c1"])
  })
})

describe("a batch", () => {
  const plan = { width: 10, timing: shortTiming }
  const never = new AbortController().signal

  it("has no more under way than it may", async () => {
    let open = 0
    let most = 0
    const sendOne = async (): Promise<PushOutcome> => {
      open += 1
      most = Math.max(most, open)
      await new Promise(setImmediate)
      open -= 1
      return { kind: "sent", provider_message_id: null }
    }
    await sendBatch(many(100), { ...plan, sendOne }, never)
    expect(most).toBe(10)
  })

  it("is given up when nothing is answered any more: what was not begun is retry", async () => {
    const sendOne = async (): Promise<PushOutcome> => ({ kind: "unknown", reason: "Timeout" })
    const outcomes = await sendBatch(many(100), { ...plan, sendOne }, never)
    const unknown = outcomes.filter(({ kind }) => kind === "unknown").length
    expect(unknown).toBeGreaterThanOrEqual(20)
    expect(unknown).toBeLessThan(40)
    expect(outcomes.at(-1)).toEqual({ kind: "retry", reason: "ProviderSilent", after_seconds: 30 })
  })

  it("goes on while some are answered", async () => {
    let turn = 0
    const sendOne = async (): Promise<PushOutcome> => {
      turn += 1
      return turn % 2 === 0 ? { kind: "unknown", reason: "Timeout" } : { kind: "sent", provider_message_id: null }
    }
    const outcomes = await sendBatch(many(200), { ...plan, sendOne }, never)
    expect(kinds(outcomes)).toEqual(["sent", "unknown"])
  })

  it("takes a fault of ours for an unknown outcome, and goes on", async () => {
    const messages = many(3)
    const sendOne = async ({ delivery_id }: PushMessage): Promise<PushOutcome> => {
      if (delivery_id === messages[1]?.delivery_id) throw new Error("CANARY")
      return { kind: "sent", provider_message_id: null }
    }
    expect(await sendBatch(messages, { ...plan, sendOne }, never)).toMatchObject([
      { kind: "sent" },
      { kind: "unknown", reason: "InternalError" },
      { kind: "sent" },
    ])
  })
})

describe("the development gateway [H4.2]", () => {
  it("keeps the newest 1,000, the newest first, with what the provider would have been sent", async () => {
    const clock = manualClock()
    const { accept, list } = developmentGateway(clock)
    for (const count of [700, 700, 700, 700]) await Effect.runPromise(accept("a-project", "push_b", many(count)))
    const last = aPushMessage({ data: { a: 1 }, options: { badge: 1 } })
    const [outcome] = await Effect.runPromise(accept("b-project", "push_a", [last]))
    expect(outcome).toEqual({ kind: "sent", provider_message_id: `development-${last.delivery_id}` })
    expect(list()).toHaveLength(1_000)
    expect(list()[0]).toEqual({
      ...{ project_id: "b-project", provider: "push_a", at: clock.now() },
      ...last,
      payload: {
        aps: { alert: { title: last.title, body: last.body }, badge: 1 },
        data: { a: 1 },
        delivery_id: last.delivery_id,
      },
    })
    expect(list()[1]).toMatchObject({ provider: "push_b", payload: { android: { priority: "HIGH" } } })
  })
})
