import { randomUUID } from "node:crypto"
import { connect, type Socket } from "node:net"
import type { Writable } from "node:stream"
import { RateLimitExceeded } from "@hearth/core"
import { type LiveDb, makeLive, StreamsFull, type UserItem } from "@hearth/core/live"
import { Effect } from "effect"
import { afterEach, expect, it } from "vitest"
import { type Listener, listen } from "../../src/http/listen.ts"
import { makeEventStream } from "../../src/http/response/event-stream.ts"
import { defineRoutes } from "../../src/http/routing/route.ts"
import { type Listening, listenTo } from "../harness/event-stream.ts"
import { as, projectId, sampleApp } from "../http/sample-app.ts"

const batchBytes = 2 * 1024 * 1024
const now = new Date("2026-11-22T12:00:00.000Z")

/** Streams of a project in which there is another large batch for its user each time that `flow` is called. */
const makeFlow = () => {
  let made = 0
  let read = 0
  let wake = () => {}
  const anItem = (): UserItem => ({
    kind: "achievement",
    user_id: "user",
    xid: "1",
    item: {
      ...{ id: projectId, achievement_id: projectId, key: "long", name: "Long", icon_url: null, xp_reward: read },
      ...{ description: "x".repeat(batchBytes), unlocked_at: now },
    },
  })
  const taken = { snapshot: "1:1:", running_millis: 0 } as const
  const reading: Pick<LiveDb["live"], "take" | "ofUsers"> = {
    take: () => Effect.succeed(taken as never),
    ofUsers: () =>
      Effect.sync(() => {
        if (read === made) return { ...taken, items: [] } as never
        read += 1
        return { ...taken, items: [anItem()] } as never
      }),
  }
  const live = makeLive({
    clock: { now: () => now },
    news: {
      watch: (_, wakeUp) => {
        wake = wakeUp
        return () => {}
      },
    },
    revocations: { announce: () => Effect.void, subscribe: () => {}, isHearing: () => true },
    tenants: { read: (_: string, use: (db: unknown) => unknown) => use({ live: reading }) } as never,
  })
  const flow = () => {
    made += 1
    wake()
  }
  return { live, flow }
}

type Live = ReturnType<typeof makeFlow>["live"]

/** Serves the streams, and notes where each is written to, and how many bytes have waited there at most. */
const serve = async (live: Live) => {
  const answers: Array<{ readonly answer: Writable; most: number }> = []
  const usual = makeEventStream(20)
  const noted: typeof usual = {
    ...usual,
    write: (...given) => {
      const { piped, ...written } = usual.write(...given)
      if (piped === undefined) throw new Error("A stream is piped.")
      const pipe = (answer: Writable) => {
        const seen = { answer, most: 0 }
        answers.push(seen)
        const write = answer.write.bind(answer) as (piece: string) => boolean
        answer.write = (piece: string) => {
          const isTaken = write(piece)
          seen.most = Math.max(seen.most, answer.writableLength)
          return isTaken
        }
        piped.body.pipe(answer)
      }
      return { ...written, piped: { ...piped, body: { ...piped.body, pipe } } }
    },
  }
  const route = defineRoutes<{ readonly live: Live }>()("GET", "/client/stream", {
    ...{ id: "client.stream", summary: "Streams", description: "It streams, for tests.", access: "client" },
    errors: [RateLimitExceeded, StreamsFull],
    returns: noted,
    run: ({ core, caller }) => core.live.ofUser(caller.project_id, caller),
  })
  const groups = [{ title: "Streams", description: "Streams.", routes: [route] }]
  const { app } = sampleApp({ groups, core: { live } } as never)
  return {
    answers,
    ...(await listen(app, { port: 0, host: "127.0.0.1", makeRequestId: randomUUID, drainMillis: 100 })),
  }
}

let listener: Listener | undefined
let healthy: Listening | undefined
let stalled: Socket | undefined

afterEach(async () => {
  stalled?.destroy()
  healthy?.close()
  await listener?.close()
})

const openStalled = async (port: number) => {
  const socket = connect(port, "127.0.0.1")
  socket.on("error", () => {})
  const headers = Object.entries(as.user).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET /v1/client/stream HTTP/1.1\r\nhost: x\r\n${headers.join("")}\r\n`)
  await new Promise<void>((resolve) => socket.once("readable", resolve))
  return socket
}

it("a reader who takes nothing is cut off with little waiting for it, and others go on", async () => {
  const { live, flow } = makeFlow()
  const server = await serve(live)
  listener = server
  stalled = await openStalled(Number(new URL(server.url).port))
  healthy = await listenTo(`${server.url}/v1/client/stream`, as.user)
  await healthy.named("open")
  const [waiting] = server.answers
  // As fast as the other one reads, however slow the machine is.
  const flowOn = async (reader: Listening) => {
    const { length } = reader.events
    flow()
    await reader.waitFor(() => reader.events.length > length)
  }
  for (let turn = 0; turn < 30 && waiting?.answer.destroyed !== true; turn += 1) await flowOn(healthy)
  await expect.poll(() => waiting?.answer.destroyed).toBe(true)
  // One batch, which was larger than what may wait, and what frames it.
  expect(waiting?.most).toBeGreaterThan(batchBytes)
  expect(waiting?.most).toBeLessThan(1.1 * batchBytes)
  await expect.poll(() => live.count()).toBe(1)
  await flowOn(healthy)
  const counts = healthy.events.slice(1).map(({ data }) => data["xp_reward"])
  expect(counts).toEqual(counts.map((_, index) => index + 1))
})
