import { afterEach, describe, expect, it } from "vitest"
import { closeAll, openSocket, post, serve, statuses } from "./sockets.ts"

/** A whole answer: its status, its headers by name in lower case, and its body as JSON. */
const readAnswer = (text: string) => {
  const [head = "", body = ""] = text.split("\r\n\r\n")
  const [first, ...lines] = head.split("\r\n")
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(": ", 2) as [string, string]))
  return { status: Number(first?.split(" ")[1]), headers, body: JSON.parse(body) }
}

afterEach(closeAll)

describe("hostile connections", () => {
  it.each([
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n", "{}"],
    [
      "a length and chunks",
      "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
      "0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ["a strange coding", "Transfer-Encoding: xchunked\r\n", "2\r\n{}\r\n0\r\n\r\n"],
    ["a folded header", "X-A: b\r\n Content-Length: 2\r\n", "{}"],
    ["a space before the colon", "Content-Length : 2\r\n", "{}"],
    ["a bare newline", "X-A: b\nX-B: c\r\nContent-Length: 2\r\n", "{}"],
    ["a negative length", "Content-Length: -1\r\n", ""],
    ["NUL in a header", "X-A: \0\r\n", ""],
    ["headers without end", `X-A: ${"a".repeat(100_000)}\r\n`, ""],
  ])("%s: refused, without a second request, and the server goes on", async (_, headers, body) => {
    const { port, url, core } = await serve()
    const { socket, closed, received } = await openSocket(port)
    socket.write(post("/v1/client/notes", headers, body))
    await closed
    expect(statuses(received())).toHaveLength(1)
    expect(statuses(received())[0]).toBeGreaterThanOrEqual(400)
    expect(statuses(received())[0]).toBeLessThan(500)
    expect(core.calls).toEqual([])
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
  })

  const usual = "GET /health/live HTTP/1.1\r\nHost: x\r\n"
  it.each([
    ["an unknown method", "FOO /health/live HTTP/1.1\r\nHost: x\r\n\r\n", 400, "INVALID_INPUT"],
    ["no Host", "GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "INVALID_INPUT"],
    ["two Hosts", `${usual}Host: y\r\nConnection: close\r\n\r\n`, 400, "INVALID_INPUT"],
    [
      "a Host that is none",
      "GET /health/live HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
      400,
      "INVALID_INPUT",
    ],
    [
      "a Host whose port is none",
      "GET /health/live HTTP/1.1\r\nHost: x:99999\r\nConnection: close\r\n\r\n",
      400,
      "INVALID_INPUT",
    ],
    [
      "a Host that is too large a number",
      "GET /l/news HTTP/1.1\r\nHost: 9007199254740993\r\nConnection: close\r\n\r\n",
      400,
      "INVALID_INPUT",
    ],
    ["no path", "GET http://[::1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400, "INVALID_INPUT"],
    ["another scheme", "GET ftp://x/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400, "INVALID_INPUT"],
    [
      "a backslash in a path",
      "GET /x\\..\\health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      400,
      "INVALID_INPUT",
    ],
    ["NUL in a header", `${usual}X-A: \0\r\n\r\n`, 400, "INVALID_INPUT"],
    [
      "a wrong size of a chunk",
      post("/v1/client/notes", "Transfer-Encoding: chunked\r\n", "zz\r\n"),
      400,
      "INVALID_INPUT",
    ],
    ["a call for a proxy", "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "INVALID_INPUT"],
    ["an expectation", `${usual}Connection: close\r\nExpect: 200-ok\r\n\r\n`, 417, "EXPECTATION_FAILED"],
    ["large headers", `${usual}X-A: ${"a".repeat(100_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
    ["half a body", post("/v1/client/notes", "Content-Length: 9\r\n", "{"), 408, "REQUEST_TIMEOUT"],
    ["half a head", "GET /health/live HTTP/1.1\r\nHost: x\r\nX-A", 408, "REQUEST_TIMEOUT"],
  ])("%s is answered like every refusal", async (_, sent, status, code) => {
    const { port, core } = await serve({ slowMillis: { head: 300, request: 600, upload: 60_000 } })
    const { socket, closed, received } = await openSocket(port)
    socket.write(sent)
    await closed
    const answer = readAnswer(received())
    expect(answer).toMatchObject({ status, body: { error: { code, message: expect.stringMatching(/\.$/) } } })
    const id: string = answer.body.error.request_id
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers).toMatchObject({ "x-request-id": id, "content-type": "application/json; charset=utf-8" })
    expect(core.calls).toEqual([])
  })

  it("a reset in the middle of what is refused harms nobody", async () => {
    const { port, url } = await serve()
    for (let turn = 0; turn < 60; turn += 1) {
      const { socket } = await openSocket(port)
      socket.write(turn % 2 === 0 ? "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n" : "FOO / HTTP/1.1\r\n\r\n")
      if (turn % 3 === 0) setImmediate(() => socket.resetAndDestroy())
      else if (turn % 3 === 1) socket.write("x".repeat(100_000), () => socket.resetAndDestroy())
      else setTimeout(() => socket.resetAndDestroy(), 2)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
  })

  it("no Host: its connection does not hold up the end of the service", async () => {
    const { port, close } = await serve({ drainMillis: 10_000 })
    const { socket, until } = await openSocket(port)
    socket.write("GET /health/live HTTP/1.1\r\n\r\n")
    await until(/"INVALID_INPUT"/)
    const began = performance.now()
    await close()
    expect(performance.now() - began).toBeLessThan(6_000)
  })

  it("a refusal without the app keeps the id of its request", async () => {
    const { port } = await serve({ slowMillis: { head: 300, request: 600, upload: 60_000 } })
    for (const headers of ["Expect: 200-ok\r\n", "Content-Length: 9\r\n"]) {
      const { socket, closed, received } = await openSocket(port)
      socket.write(post("/v1/client/notes", `X-Request-Id: mine\r\nConnection: close\r\n${headers}`))
      await closed
      expect(readAnswer(received()).headers).toMatchObject({
        "x-request-id": "mine",
        "access-control-allow-origin": "*",
      })
    }
  })

  it("what is no request is not answered in the place of the one before it", async () => {
    const { port, core, log } = await serve()
    const { socket, closed, received } = await openSocket(port)
    socket.write(`${post("/v1/client/trouble/slow", "Content-Length: 0\r\n")}FOO / HTTP/1.1\r\n\r\n`)
    await closed
    expect(statuses(received())).toEqual([])
    await expect.poll(() => log.finished).toBe(1)
    expect(core.calls).toEqual([])
  })

  it("what operators ask for has one path, which a proxy can keep from the outside", async () => {
    const { url } = await serve()
    for (const path of ["/metrics", "/health/live", "/health/ready"]) {
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200])
      for (const other of [`${path}/`, `${path}//`, `/${path}`])
        expect([other, (await fetch(`${url}${other}`)).status]).toEqual([other, 404])
    }
  })

  it("a connection may have 64 requests without answers; it ends with the next one", async () => {
    const { port, url } = await serve()
    const { socket, closed, received } = await openSocket(port)
    socket.write(post("/v1/client/trouble/slow", "Content-Length: 0\r\n").repeat(200))
    await closed
    const got = statuses(received())
    expect([got.length, new Set(got.slice(0, 64)), got[64]]).toEqual([65, new Set([200]), 429])
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
  })

  it("what is refused before its body was read leaves nothing behind on its connection", async () => {
    const { port } = await serve()
    const { socket, received } = await openSocket(port)
    const warnings: Array<string> = []
    const warn = ({ message }: Error) => warnings.push(message)
    process.on("warning", warn)
    const body = "x".repeat(70_000)
    for (let count = 1; count <= 12; count += 1) {
      socket.write(post("/v1/nothing", `Content-Length: ${body.length}\r\n`, body))
      await expect.poll(() => statuses(received())).toHaveLength(count)
    }
    process.off("warning", warn)
    expect(warnings).toEqual([])
  })

  it("strange targets are answered with 4xx", async () => {
    const { port, url } = await serve()
    for (const target of [
      "*",
      "http://evil.example/v1/client/notes",
      "//evil.example/v1",
      "evil",
      "/%",
      "/v1/client/notes/%00",
      "http://[::1/",
    ]) {
      const { socket, until } = await openSocket(port)
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      const [status = 0] = statuses(await until(/^HTTP\/1\.1 \d{3}/))
      expect([target, status >= 400 && status < 500]).toEqual([target, true])
    }
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
  })
})
