import { randomUUID } from "node:crypto"
import { CannotListen } from "@hearth/worker"
import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { listen } from "../../src/http/listen.ts"
import { as, clientKey, projectId, sampleApp } from "./sample-app.ts"
import { closeAll, openSocket, post, serve, statuses } from "./sockets.ts"

afterEach(closeAll)

describe("over a socket", () => {
  it("routes answer as they do without one", async () => {
    const { url, core, limiter } = await serve()
    const made = await fetch(`${url}/v1/admin/projects/${projectId}/notes`, {
      method: "POST",
      headers: { ...as.owner, "content-type": "application/json" },
      body: JSON.stringify({ title: "é💙" }),
    })
    expect([made.status, await made.json()]).toMatchObject([201, { data: { title: "a note" } }])
    expect(core.calls).toMatchObject([{ title: "é💙" }])
    await fetch(`${url}/v1/auth/notes/login`, {
      method: "POST",
      body: '{"title":"t"}',
      headers: { "content-type": "application/json", "x-forwarded-for": "6.6.6.6" },
    })
    expect([...limiter.keys]).toEqual(["POST /auth/notes/login 127.0.0.1"])
    const head = await fetch(`${url}/v1/client/export`, { method: "HEAD", headers: as.user })
    expect([head.status, await head.text()]).toEqual([200, ""])
    const file = await fetch(`${url}/v1/client/export`, { headers: as.user })
    expect(await file.text()).toBe("id,title\n")
  })

  it("a repeated credential is no credential", async () => {
    const { port } = await serve()
    const { socket, until } = await openSocket(port)
    socket.write(
      `GET /v1/client/export HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${clientKey}\r\nX-Api-Key: ${clientKey}\r\n\r\n`,
    )
    await until(/"UNAUTHORIZED"/)
    const bearer = "Authorization: Bearer session-token\r\n"
    socket.write(`GET /v1/client/export HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${clientKey}\r\n${bearer}${bearer}\r\n`)
    await until(/"INVALID_TOKEN"/)
    socket.write("GET /v1/nothing HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\nX-Request-Id: b\r\n\r\n")
    expect(await until(/"NOT_FOUND"/)).not.toContain('"request_id":"a')
  })
})

describe("bodies that come in pieces of a byte", () => {
  it("take the memory that they would take in one piece", async () => {
    const { port } = await serve()
    const before = process.memoryUsage().heapUsed
    let most = 0
    const watching = setInterval(() => {
      most = Math.max(most, process.memoryUsage().heapUsed - before)
    }, 20)
    const sending = Array.from({ length: 4 }, async () => {
      const { socket, until } = await openSocket(port)
      socket.write(post("/v1/client/notes", "Transfer-Encoding: chunked\r\n"))
      for (let part = 0; part < 20; part += 1) socket.write("1\r\n \r\n".repeat(10_000))
      socket.write('d\r\n{"title":"t"}\r\n0\r\n\r\n')
      return statuses(await until(/"data"|"error"/))
    })
    expect(await Promise.all(sending)).toEqual([[200], [200], [200], [200]])
    clearInterval(watching)
    expect(most).toBeLessThan(80 * 2 ** 20)
  })
})

describe("a body that is too large", () => {
  it("is refused by its length, without being waited for", async () => {
    const { port } = await serve()
    const { socket, until } = await openSocket(port)
    socket.write(post("/v1/client/notes", "Content-Length: 5000000000\r\n", "["))
    expect(statuses(await until(/"PAYLOAD_TOO_LARGE"/))).toEqual([413])
  })

  it("is refused as soon as its chunks are too many, and the connection ends", async () => {
    const { port } = await serve()
    const { socket, until, closed } = await openSocket(port)
    socket.write(post("/v1/client/notes", "Transfer-Encoding: chunked\r\n"))
    const chunk = `${(65_536).toString(16)}\r\n${" ".repeat(65_536)}\r\n`
    const sending = setInterval(() => socket.write(chunk), 1)
    expect(statuses(await until(/"PAYLOAD_TOO_LARGE"/))).toEqual([413])
    await closed
    clearInterval(sending)
  })

  it("is refused to a client that sends all of it first", async () => {
    const { url } = await serve()
    const body = new Uint8Array(20 * 1024 * 1024).fill(0x20)
    const response = await fetch(`${url}/v1/client/notes`, { method: "POST", headers: as.key, body })
    expect(response.status).toBe(413)
  })

  it("is refused to a client that sends chunk after chunk", async () => {
    const { url } = await serve()
    let sent = 0
    const body = new ReadableStream({
      pull: (controller) => (sent++ < 320 ? controller.enqueue(new Uint8Array(65_536).fill(0x20)) : controller.close()),
    })
    const init = { method: "POST", headers: { ...as.key, "content-type": "application/json" }, body, duplex: "half" }
    const response = await fetch(`${url}/v1/client/notes`, init as RequestInit)
    expect(response.status).toBe(413)
  })

  it("does not end the connection when it is small and not read", async () => {
    const { port } = await serve()
    const { socket, until, received } = await openSocket(port)
    const call = `POST /v1/client/notes HTTP/1.1\r\nHost: x\r\nContent-Length: 40000\r\n\r\n${"x".repeat(40_000)}`
    socket.write(call)
    await until(/"made-1"/)
    socket.write(call)
    await until(/"made-2"/)
    expect(statuses(received())).toEqual([401, 401])
  })
})

describe("a slow client", () => {
  const slowMillis = { head: 300, request: 600, upload: 60_000 }

  it.each([
    ["says nothing", ""],
    ["sends half a head", "GET /health/live HTTP/1.1\r\nHost: x\r\nX-A"],
    ["sends half a body", post("/v1/client/notes", "Content-Length: 100\r\n", '{"a":')],
    ["sends half a body in chunks", post("/v1/client/notes", "Transfer-Encoding: chunked\r\n", '5\r\n{"a":\r\n')],
  ])("that %s is cut off, with 408 or none, and has done nothing", async (_, sent) => {
    const { port, url, core } = await serve({ slowMillis })
    const { socket, closed, received } = await openSocket(port)
    socket.write(sent)
    await closed
    expect(statuses(received()).every((status) => status === 408)).toBe(true)
    expect(core.calls).toEqual([])
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
  })

  it("that sends byte after byte is cut off all the same", async () => {
    const { port, core } = await serve({ slowMillis })
    const { socket, closed, received } = await openSocket(port)
    socket.write(post("/v1/client/notes", "Content-Length: 1000\r\n", "{"))
    const sending = setInterval(() => socket.write(" "), 20)
    await closed
    clearInterval(sending)
    expect(statuses(received()).every((status) => status === 408)).toBe(true)
    expect(core.calls).toEqual([])
  })

  it("that is only slow is answered", async () => {
    const { port, core } = await serve({ slowMillis: { head: 5_000, request: 10_000, upload: 60_000 } })
    const { socket, until } = await openSocket(port)
    for (const part of post("/v1/client/notes", "Content-Length: 11\r\n", '{"title":1}').match(/[\s\S]{1,40}/g) ?? []) {
      socket.write(part)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await until(/HTTP\/1\.1 \d{3}/)
    expect(statuses(await until(/\}$/))[0]).toBeLessThan(500)
    expect(core.calls.length).toBeLessThan(2)
  })
})

describe("a body that was not read", () => {
  const inner = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
  const refused = (size: number) => {
    const body = inner.repeat(Math.ceil(size / inner.length)).slice(0, size)
    return `POST /v1/client/notes HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n${body}`
  }

  it.each([1_000, 60_000, 70_000, 300_000])("of %i bytes is not taken for the next request", async (size) => {
    const { port } = await serve()
    const { socket, closed, until, received } = await openSocket(port)
    socket.write(refused(size))
    socket.write("GET /v1/client/export HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    await until(/HTTP\/1\.1 401/)
    await closed
    // The second one is answered, or the connection has ended before it: never anything in between.
    expect(["401", "401,401"]).toContain(statuses(received()).join())
  })

  it("that is announced and never sent does not keep its connection", async () => {
    const { port, url } = await serve()
    const { socket, closed, received } = await openSocket(port)
    socket.write("POST /v1/client/notes HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
    await closed
    expect(statuses(received())).toEqual([401])
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
  })
})

describe("a client that hangs up", () => {
  it("interrupts its read", async () => {
    const { port, log } = await serve()
    const { socket } = await openSocket(port)
    socket.write(
      `GET /v1/client/trouble/slow HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${clientKey}\r\nAuthorization: Bearer session-token\r\n\r\n`,
    )
    setTimeout(() => socket.destroy(), 20)
    await expect.poll(() => log.lines[0]?.facts["status"]).toBe(499)
    expect([log.interrupted, log.finished]).toEqual([1, 0])
  })

  it("does not interrupt its write", async () => {
    const { port, log } = await serve()
    const { socket } = await openSocket(port)
    socket.write(post("/v1/client/trouble/slow", "Content-Length: 0\r\n"))
    setTimeout(() => socket.destroy(), 20)
    await expect.poll(() => log.lines[0]?.facts["status"]).toBe(200)
    expect([log.interrupted, log.finished]).toEqual([0, 1])
  })

  it("cancels its download", async () => {
    const { url, log } = await serve()
    const response = await fetch(`${url}/v1/client/export?endless=true`, { headers: as.user })
    const reader = response.body?.getReader()
    await reader?.read()
    expect(log.cancelled).toBe(0)
    await reader?.cancel()
    await expect.poll(() => log.cancelled).toBe(1)
  })

  it("before its body is read has done nothing", async () => {
    const asked = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    const known = sampleApp().access
    const access = {
      ...known,
      projectOfKey: (key: string) => {
        asked.resolve()
        return Effect.andThen(
          Effect.promise(() => gone.promise),
          known.projectOfKey(key),
        )
      },
    }
    const { port, core, log } = await serve({}, sampleApp({ access }))
    const { socket, closed } = await openSocket(port)
    socket.write(post("/v1/client/notes", "Content-Length: 100\r\n", '{"a":'))
    await asked.promise
    socket.destroy()
    await closed
    setTimeout(gone.resolve, 20)
    await expect.poll(() => log.lines[0]?.facts["status"]).toBe(400)
    expect(core.calls).toEqual([])
  })

  it("in the middle of a body has done nothing", async () => {
    const { port, core, log } = await serve()
    const { socket } = await openSocket(port)
    socket.write(post("/v1/client/notes", "Content-Length: 100\r\n", '{"a":'))
    setTimeout(() => socket.destroy(), 20)
    await expect.poll(() => log.lines[0]?.facts["status"]).toBe(400)
    expect(core.calls).toEqual([])
  })
})

describe("listening", () => {
  it("on a taken port fails with one sentence", async () => {
    const { port } = await serve()
    const second = listen(sampleApp().app, { port, host: "127.0.0.1", makeRequestId: randomUUID })
    await expect(second).rejects.toBeInstanceOf(CannotListen)
    await expect(second).rejects.toThrow(`Cannot listen on 127.0.0.1:${port}: another process listens there.`)
  })

  it("refuses what is too much at once with 503, but not operators, and goes on when some is done", async () => {
    let refused = 0
    const load = {
      limits: { inFlight: 2, lagMillis: Number.NEGATIVE_INFINITY },
      makeRequestId: () => "made-here",
      onRefused: () => {
        refused += 1
      },
    }
    const { url } = await serve({ load })
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${url}${path}`, { headers: { ...as.user, ...headers } })
    const slow = [ask("/v1/client/trouble/slow"), ask("/v1/client/trouble/slow")]
    await expect.poll(async () => (await ask("/v1/client/trouble/slow")).status).toBe(503)
    const answer = await ask("/v1/client/trouble/slow", { "x-request-id": "mine" })
    const shown = ["retry-after", "x-request-id", "access-control-allow-origin", "content-type"]
    expect(shown.map((name) => answer.headers.get(name))).toEqual(["1", "mine", "*", "application/json; charset=utf-8"])
    expect(await answer.json()).toEqual({
      error: { code: "SERVICE_UNAVAILABLE", message: expect.any(String), request_id: "mine" },
    })
    expect((await ask("/health/live")).status).toBe(200)
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200])
    expect(refused).toBeGreaterThanOrEqual(2)
    await expect.poll(async () => (await ask("/v1/client/trouble/slow")).status).toBe(200)
  })

  it("ends within a second or so with idle connections, which may be that young", async () => {
    const { url, close } = await serve({ drainMillis: 10_000 })
    await Promise.all([1, 2, 3].map(() => fetch(`${url}/health/live`).then((response) => response.text())))
    const started = performance.now()
    await close()
    expect(performance.now() - started).toBeLessThan(6_000)
    await expect(fetch(`${url}/health/live`)).rejects.toThrow()
  })

  it("ends after the answers under way", async () => {
    const { url, close, log } = await serve({ drainMillis: 10_000 })
    const answer = fetch(`${url}/v1/client/trouble/slow`, { headers: as.user })
    await new Promise((resolve) => setTimeout(resolve, 30))
    await close()
    expect([(await answer).status, log.finished]).toEqual([200, 1])
  })

  it("ends after the drain time for a client that never finishes", async () => {
    const { port, close } = await serve({ drainMillis: 50 })
    const { socket, closed } = await openSocket(port)
    socket.write(post("/v1/client/notes", "Content-Length: 100\r\n", "{"))
    await new Promise((resolve) => setTimeout(resolve, 20))
    await close()
    await closed
  })

  it("can be ended twice", async () => {
    const { close } = await serve()
    await Promise.all([close(), close()])
  })
})
