import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"
import { isAlive } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const signup = "POST /v1/auth/developer/signup HTTP/1.1\r\nhost: hearth.test\r\ncontent-type: application/json\r\n"

/** Bytes that are sent at once after connecting; nothing follows. */
const malformedRequests: ReadonlyArray<readonly [string, string | Uint8Array]> = [
  ["nothing", ""],
  ["random bytes", randomBytes(4_096)],
  ["a TLS greeting", Buffer.from("1603010200010001fc0303", "hex")],
  ["half a request line", "GET /v1/adm"],
  ["half a head", "GET /docs HTTP/1.1\r\nhost: hearth.test\r\nx-a"],
  ["a head of a megabyte", `GET /docs HTTP/1.1\r\nhost: hearth.test\r\nx-a: ${"a".repeat(1_000_000)}\r\n\r\n`],
  ["ten thousand headers", `GET /docs HTTP/1.1\r\nhost: hearth.test\r\n${"a: b\r\n".repeat(10_000)}\r\n`],
  ["a path of 100 KB", `GET /${"a".repeat(100_000)} HTTP/1.1\r\nhost: hearth.test\r\n\r\n`],
  ["no host", "GET /docs HTTP/1.1\r\n\r\n"],
  ["NUL in a header", "GET /docs HTTP/1.1\r\nhost: hearth.test\r\nx-a: \u0000\r\n\r\n"],
  ["an unknown method", "BREW /docs HTTP/1.1\r\nhost: hearth.test\r\n\r\n"],
  ["an absolute address", "GET http://127.0.0.1:1/docs HTTP/1.1\r\nhost: hearth.test\r\n\r\n"],
  ["a tunnel", "CONNECT 127.0.0.1:1 HTTP/1.1\r\nhost: hearth.test\r\n\r\n"],
  ["an upgrade", "GET /docs HTTP/1.1\r\nhost: hearth.test\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"],
  ["half a body", `${signup}content-length: 100\r\n\r\n{"email"`],
  ["a length of two kinds", `${signup}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`],
  ["two lengths", `${signup}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
  ["a negative length", `${signup}content-length: -1\r\n\r\n{}`],
  ["a chunk without end", `${signup}transfer-encoding: chunked\r\n\r\nffffff\r\n{`],
  ["a chunk of an impossible size", `${signup}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}`],
  ["a body that is announced and never sent", `${signup}expect: 100-continue\r\ncontent-length: 1000000000\r\n\r\n`],
]

// The last test is about what all others have left.
describe("malformed requests on raw sockets", { shuffle: false }, () => {
  const harness = makeHarness()
  let server: TestServer

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
  })
  afterAll(harness.clear)

  const open = async () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    socket.on("error", () => {})
    await once(socket, "connect")
    return socket
  }

  const expectItToServe = async () => {
    expect(isAlive(server.pid)).toBe(true)
    const { status } = await server.api.call("POST", "/auth/developer/logout", {}, { refresh_token: "none" })
    expect(status).toBe(200)
  }

  it.each(malformedRequests)("survives %s from a client that hangs up", async (_, sent) => {
    for (const how of ["resetAndDestroy", "destroy", "end"] as const) {
      const socket = await open()
      socket.write(sent)
      await wait(20)
      socket[how]()
    }
    await expectItToServe()
  })

  it.each(malformedRequests)("does not answer 5xx to %s from a client that closes its side", async (_, sent) => {
    const socket = await open()
    socket.end(sent)
    const answer = await Promise.race([text(socket).catch(() => ""), wait(1_000, "")])
    socket.destroy()
    expect(answer).not.toMatch(/^HTTP\/1\.1 5/)
    await expectItToServe()
  })

  it("answers other clients while a hundred have sent half a request", async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, open))
    for (const socket of sockets) socket.write(`${signup}content-length: 1000\r\n\r\n{"email":`)
    const before = performance.now()
    await expectItToServe()
    expect(performance.now() - before).toBeLessThan(5_000)
    for (const socket of sockets) socket.resetAndDestroy()
    await expectItToServe()
  })

  it("has no error in the log, and stops in time with idle connections", async () => {
    await wait(100)
    expect(server.errors().match(/^.*"level":"error".*$/gm)).toBeNull()
    const idle = await Promise.all(Array.from({ length: 5 }, open))
    const before = performance.now()
    expect(await server.end("SIGTERM")).toEqual({ code: 0, signal: null })
    expect(performance.now() - before).toBeLessThan(9_000)
    for (const socket of idle) socket.destroy()
  })
})
