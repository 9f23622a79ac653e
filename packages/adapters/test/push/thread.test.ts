import type { PushMessage } from "@hearth/core/push"
import { apnsAnswer, startApnsServer, startFcmServer } from "@hearth/test-services/push"
import { aPushMessage } from "@hearth/testing/contracts"
import { Effect, Fiber } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { appleAddresses } from "../../src/push/apns/apns-client.ts"
import { makeSenderInThread } from "../../src/push/thread/sender-in-thread.ts"
import { pushTiming } from "../../src/push/timing.ts"
import { apnsAccount, fcmAccount, openTestGateway } from "./harness.ts"

const many = (count: number, changes: Partial<PushMessage> = {}) =>
  Array.from({ length: count }, () => aPushMessage(changes))
const never = new AbortController().signal
const settings = { apns: appleAddresses, pushBUrl: null, timing: pushTiming }

/** A sender whose threads run this code instead of ours. */
const senderOf = (code: string) => {
  const lost: Array<string> = []
  const sender = makeSenderInThread(
    settings,
    (reason) => lost.push(reason),
    new URL(`data:text/javascript,${encodeURIComponent(code)}`),
  )
  onTestFinished(sender.close)
  return { lost, send: () => sender.send(apnsAccount(), many(2), never) }
}

describe("a thread that sends pushes", () => {
  it("begins no more pushes once its caller is interrupted", async () => {
    const server = await startFcmServer()
    onTestFinished(server.stop)
    const { gateway, close } = openTestGateway({ push_b: server.url }, { inThread: true })
    onTestFinished(close)
    const sending = Effect.runFork(gateway.send(fcmAccount(server.tokenUri), many(20_000)))
    await expect.poll(() => server.calls.length).toBeGreaterThan(10)
    await Effect.runPromise(Fiber.interrupt(sending))
    await expect
      .poll(async () => {
        const before = server.calls.length
        await new Promise((resolve) => setTimeout(resolve, 200))
        return server.calls.length - before
      })
      .toBe(0)
    expect(server.calls.length).toBeLessThan(20_000)
  })

  it("lets what is under way finish when it is closed, leaves no connection, and sends nothing after that", async () => {
    const server = await startApnsServer()
    onTestFinished(server.stop)
    server.react("slow", (stream, call) => void setTimeout(() => apnsAnswer(200)(stream, call), 200))
    const { gateway, close } = openTestGateway({ push_a: server.url }, { inThread: true })
    const send = (messages: ReadonlyArray<PushMessage>) => Effect.runPromise(gateway.send(apnsAccount(), messages))
    const sending = send(many(3, { token: "slow" }))
    await expect.poll(() => server.calls.length).toBe(3)
    await close()
    expect((await sending).map(({ kind }) => kind)).toEqual(["sent", "sent", "sent"])
    await expect.poll(() => server.connections().open).toBe(0)
    expect(await send(many(1))).toEqual([{ kind: "retry", reason: "NotBegun", after_seconds: null }])
    expect(server.calls).toHaveLength(3)
  })

  it("leaves what was under way unknown when it ends by itself, and the next push starts another", async () => {
    const { lost, send } = senderOf(`
      import { parentPort } from "node:worker_threads"
      parentPort.postMessage({ kind: "ready" })
      parentPort.on("message", (asked) => {
        if (asked.kind === "close") return process.exit()
        throw new Error("a fault")
      })`)
    const unknown = { kind: "unknown", reason: "ThreadLost" }
    expect(await Promise.all([send(), send()])).toEqual([
      [unknown, unknown],
      [unknown, unknown],
    ])
    expect(await send()).toEqual([unknown, unknown])
    expect(lost).toEqual(["Error: a fault", "Error: a fault"])
  })

  it("has the environment of the process: certificates that are trusted beside the usual ones are named there", async () => {
    process.env["HEARTH_TEST_THREAD"] = "seen"
    onTestFinished(() => void delete process.env["HEARTH_TEST_THREAD"])
    const { send } = senderOf(`
      import { parentPort } from "node:worker_threads"
      parentPort.on("message", ({ kind, batch }) => {
        const outcomes = [{ kind: "rejected", reason: process.env.HEARTH_TEST_THREAD }]
        parentPort.postMessage(kind === "close" ? { kind: "closed" } : { kind: "sent", batch, outcomes })
      })`)
    expect(await send()).toEqual([{ kind: "rejected", reason: "seen" }])
  })

  it("has sent nothing where it could not start", async () => {
    const { lost, send } = senderOf(`throw new Error("no memory")`)
    const retry = { kind: "retry", reason: "NotBegun", after_seconds: null }
    expect(await send()).toEqual([retry, retry])
    expect(lost).toEqual(["Error: no memory"])
  })
})
