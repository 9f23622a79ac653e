import { randomUUID } from "node:crypto"
import { connect, type Socket } from "node:net"
import { InvalidToken } from "@hearth/core"
import { Effect, Stream } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type Listener, listen } from "../../src/http/listen.ts"
import { textFile } from "../../src/http/response/answers.ts"
import { defineRoutes } from "../../src/http/routing/route.ts"
import { as, ask, clientKey, sampleAccess, sampleApp } from "./sample-app.ts"
import type { SampleCore } from "./sample-routes.ts"

const open: Array<Listener> = []
const sockets: Array<Socket> = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(open.splice(0).map(({ close }) => close()))
})

const type = "application/x-ndjson; charset=utf-8"
const chunk = `${"é".repeat(32_767)}\n`
const route = defineRoutes<SampleCore>()

/** Serves one file of `chunks` chunks, and counts those that are made. With a `failure`, the file fails after the last one. */
const serve = async (chunks: number, failure: unknown = null, access: Partial<typeof sampleAccess> = {}) => {
  const made = { chunks: 0, ended: 0 }
  const text = Stream.unfold(0, (at: number) =>
    Effect.suspend(() => {
      if (at >= chunks) return failure === null ? Effect.undefined : Effect.fail(failure)
      made.chunks += 1
      return Effect.as(Effect.yieldNow, [chunk, at + 1] as const)
    }),
  ).pipe(
    Stream.ensuring(
      Effect.sync(() => {
        made.ended += 1
      }),
    ),
  )
  const file = route("GET", "/client/text", {
    id: "texts.send",
    summary: "Sends a text",
    description: "Piece by piece.",
    access: "client",
    returns: textFile(type),
    run: () => Effect.succeed({ content_type: type, filename: "a text.ndjson", text }),
  })
  const sample = sampleApp({
    groups: [{ title: "Texts", description: "Texts.", routes: [file] }],
    access: { ...sampleAccess, ...access },
  })
  const listener = await listen(sample.app, { port: 0, host: "127.0.0.1", makeRequestId: randomUUID, drainMillis: 100 })
  open.push(listener)
  return { ...sample, made, url: `${listener.url}/v1/client/text`, port: Number(new URL(listener.url).port) }
}

/** Lets the server do whatever it would do: it answers several requests, each of which goes through its event loop. */
const letItWork = async (url: string) => {
  for (let time = 0; time < 30; time += 1) await (await fetch(new URL("/health/live", url))).text()
}

const openSocket = async (port: number) => {
  const socket = connect(port, "127.0.0.1")
  sockets.push(socket)
  socket.on("error", () => {})
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()))
  const bearer = "Authorization: Bearer session-token"
  socket.write(`GET /v1/client/text HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${clientKey}\r\n${bearer}\r\n\r\n`)
  return socket
}

describe("a text file", () => {
  it("arrives whole, with its type and name", async () => {
    const { url, made } = await serve(40)
    const response = await fetch(url, { headers: as.user })
    expect(await response.text()).toBe(chunk.repeat(40))
    expect(response.headers.get("content-type")).toBe(type)
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="a_text.ndjson"')
    await expect.poll(() => made.ended).toBe(1)
  })

  it("is not made for HEAD", async () => {
    const { url, made, log } = await serve(40)
    const response = await fetch(url, { method: "HEAD", headers: as.user })
    expect([response.status, await response.text(), response.headers.get("content-type")]).toEqual([200, "", type])
    await letItWork(url)
    expect(made.chunks).toBe(0)
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([])
  })

  it("is made no faster than it is read", async () => {
    const { port, url, made } = await serve(20_000)
    const socket = await openSocket(port)
    let received = 0
    socket.on("data", (data) => {
      received += data.length
      if (received > 1_000_000) socket.pause()
    })
    await expect.poll(() => received).toBeGreaterThan(1_000_000)
    /** Whether nothing is made while the server answers others. */
    const rests = async () => {
      const before = made.chunks
      await letItWork(url)
      return made.chunks === before
    }
    await expect.poll(rests).toBe(true)
    const before = made.chunks
    // The buffers of both sockets hold a few megabytes.
    expect(before).toBeLessThan(400)
    socket.removeAllListeners("data").resume()
    await expect.poll(() => made.chunks).toBeGreaterThan(before)
  })

  it("is made no further when the client hangs up, without an error in the log", async () => {
    const { port, url, made, log } = await serve(1_000_000)
    const socket = await openSocket(port)
    await new Promise<void>((resolve) => socket.once("data", () => resolve()))
    expect(made.ended).toBe(0)
    socket.destroy()
    await expect.poll(() => made.ended).toBe(1)
    const before = made.chunks
    await letItWork(url)
    expect(made.chunks).toBe(before)
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([])
  })

  it("is read no further by whose session has ended meanwhile, and on by whose token has expired", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    try {
      let [isExpired, isRevoked] = [false, false]
      const { app, made, log } = await serve(1_000_000, null, {
        session: (...given) => (isExpired ? Effect.fail(new InvalidToken()) : sampleAccess.session(...given)),
        liveSession: (caller) => (isRevoked ? Effect.fail(new InvalidToken()) : Effect.succeed(caller)),
      })
      const response = await ask(app, "GET", "/v1/client/text", { headers: as.user })
      const reader = response.body?.getReader()
      await reader?.read()
      isExpired = true
      vi.setSystemTime(Date.now() + 2_000)
      expect((await reader?.read())?.done).toBe(false)
      isRevoked = true
      vi.setSystemTime(Date.now() + 2_000)
      await expect(reader?.read()).rejects.toThrow()
      await expect.poll(() => made.ended).toBe(1)
      const [line, ...others] = log.lines.filter(({ message }) => message === "download broke off")
      expect(line).toMatchObject({ level: "info", facts: { code: "INVALID_TOKEN", path: "/v1/client/text" } })
      expect([line?.facts["cause"], others]).toEqual([undefined, []])
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ["an error", new Error("canary-9d2e")],
    ["something else", "canary-9d2e"],
  ])("that fails with %s on the way is cut off, and the log says so", async (_, failure) => {
    const { url, log } = await serve(5, failure)
    const response = await fetch(url, { headers: as.user })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    await expect.poll(() => log.lines.filter(({ level }) => level === "error")).toHaveLength(1)
    const line = log.lines.find(({ level }) => level === "error")
    expect(line).toMatchObject({
      message: "download broke off",
      facts: { request_id: response.headers.get("x-request-id"), method: "GET", path: "/v1/client/text" },
    })
    expect(String(line?.facts["cause"])).toContain("canary-9d2e")
    expect((await fetch(url, { headers: as.user })).status).toBe(200)
  })

  it("is cut off without a socket, too", async () => {
    const { app } = await serve(3, new Error("canary"))
    const response = await ask(app, "GET", "/v1/client/text", { headers: as.user })
    await expect(response.text()).rejects.toThrow("canary")
  })
})
