import { randomUUID } from "node:crypto"
import { Agent, request } from "node:http"
import { connect, type Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import { type Listener, listen } from "../../src/http/listen.ts"
import { clientKey, sampleApp } from "./sample-app.ts"

const open: Array<Listener> = []
const sockets: Array<Socket> = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(open.splice(0).map(({ close }) => close()))
})

const serve = async (drainMillis = 10_000) => {
  const stopping = new AbortController()
  const sample = sampleApp({ stopping: stopping.signal })
  const onLate = () => stopping.abort()
  const listener = await listen(sample.app, {
    port: 0,
    host: "127.0.0.1",
    makeRequestId: randomUUID,
    drainMillis,
    onLate,
  })
  open.push(listener)
  return { ...sample, ...listener, port: Number(new URL(listener.url).port) }
}

/** A raw connection: everything that has come so far, and whether it has ended. */
const openSocket = async (port: number) => {
  const socket = connect(port, "127.0.0.1")
  sockets.push(socket)
  let received = ""
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1")
  })
  socket.on("error", () => {})
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(received)))
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()))
  return { socket, closed, received: () => received }
}

const get = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${clientKey}\r\nAuthorization: Bearer session-token\r\n\r\n`
const live = get("/health/live")
const slow = get("/v1/client/trouble/slow")
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

describe("a listener that is closed", () => {
  it("answers a new connection whose first bytes were on the way", async () => {
    const { port, close } = await serve()
    const { socket, closed } = await openSocket(port)
    const closing = close()
    await wait(300)
    socket.write(live)
    expect(statuses(await closed)).toEqual([200])
    await closing
  })

  it("answers a connection that has just had an answer and sends again, and says that it is the last one", async () => {
    const { port, close } = await serve()
    const { socket, closed, received } = await openSocket(port)
    socket.write(live)
    await expect.poll(() => statuses(received())).toEqual([200])
    expect(received()).not.toMatch(/connection: close/i)
    const closing = close()
    await wait(100)
    socket.write(live)
    const text = await closed
    expect(statuses(text)).toEqual([200, 200])
    expect(text.match(/connection: close/gi)).toHaveLength(1)
    await closing
  })

  it("answers what is under way, and says that it is the last answer", async () => {
    const { port, close, log } = await serve()
    const { socket, closed } = await openSocket(port)
    socket.write(slow)
    await wait(20)
    const closing = close()
    const text = await closed
    expect(statuses(text)).toEqual([200])
    expect(text).toMatch(/connection: close/i)
    expect(log.finished).toBe(1)
    await closing
  })

  it("answers every request of a connection that sent several at once", async () => {
    const { port, close } = await serve()
    const { socket, closed } = await openSocket(port)
    socket.write(`${slow}${slow}${live}`)
    await wait(20)
    const closing = close()
    expect(statuses(await closed)).toEqual([200, 200, 200])
    await closing
  })

  it("answers all that many clients send on connections that they keep", async () => {
    const { url, close } = await serve()
    const agent = new Agent({ keepAlive: true, maxSockets: 50 })
    const outcomes = new Map<string, number>()
    let stopped = false
    const call = () =>
      new Promise<string>((resolve) => {
        const sent = request(`${url}/health/live`, { agent })
        sent.on("response", (response) => {
          response.on("end", () => resolve(String(response.statusCode)))
          response.resume()
        })
        // A new connection that is reset was never taken; one that was kept has lost a request.
        sent.on("error", (error: NodeJS.ErrnoException) =>
          resolve(error.code === "ECONNREFUSED" || !sent.reusedSocket ? "refused" : String(error.code)),
        )
        sent.end()
      })
    const loop = async () => {
      while (!stopped) {
        const outcome = await call()
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        if (outcome === "refused") return
      }
    }
    const loops = Array.from({ length: 50 }, loop)
    await expect.poll(() => outcomes.get("200") ?? 0).toBeGreaterThan(500)
    await close()
    await Promise.all(loops)
    stopped = true
    agent.destroy()
    expect([...outcomes.keys()].sort()).toEqual(["200", "refused"])
  })

  it("answers all who have connected, although a turn of the event loop takes one of them and is long", async () => {
    const { port, close } = await serve()
    let isBusy = true
    const delay = () => {
      const end = performance.now() + 15
      while (performance.now() < end) {}
      if (isBusy) setImmediate(delay)
    }
    setImmediate(delay)
    const clients = await Promise.all(Array.from({ length: 15 }, () => openSocket(port)))
    for (const { socket } of clients) socket.write(live)
    const closing = close()
    const answers = await Promise.all(clients.map(({ closed }) => closed))
    isBusy = false
    expect(answers.map(statuses)).toEqual(Array(15).fill([200]))
    await closing
  })

  it("cuts a silent connection as soon as it is a second old, and not before", async () => {
    const { port, close } = await serve()
    const old = await openSocket(port)
    await wait(1_050)
    const young = await openSocket(port)
    const started = performance.now()
    const closing = close()
    expect(await Promise.race([old.closed.then(() => "old"), young.closed.then(() => "young")])).toBe("old")
    await young.closed
    expect(performance.now() - started).toBeGreaterThan(900)
    await closing
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it("takes no new connection", async () => {
    const { url, port, close } = await serve()
    const under = await openSocket(port)
    under.socket.write("GET /health/live HTTP/1.1\r\n")
    const closing = close()
    await wait(300)
    await expect(fetch(`${url}/health/live`)).rejects.toThrow()
    under.socket.write("Host: x\r\n\r\n")
    expect(statuses(await under.closed)).toEqual([200])
    await closing
  })

  it("answers 503 to what takes longer than it waits", async () => {
    const { port, close } = await serve(30)
    const { socket, closed } = await openSocket(port)
    const stalled = await openSocket(port)
    socket.write(get("/v1/client/trouble/endless"))
    stalled.socket.write(
      `POST /v1/client/notes HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${clientKey}\r\nContent-Length: 100\r\n\r\n{`,
    )
    await wait(200)
    const closing = close()
    for (const text of [await closed, await stalled.closed]) {
      expect(statuses(text)).toEqual([503])
      expect(text).toMatch(/retry-after: \d/i)
      expect(text).toContain('"code":"SERVICE_UNAVAILABLE"')
    }
    await closing
  })
})
