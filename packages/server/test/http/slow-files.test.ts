import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readFileBody } from "../../src/http/request/file-body.ts"
import type { ServerRequest } from "../../src/http/request/request.ts"
import { limitSlowBodies } from "../../src/http/slow-bodies.ts"

const pace = { silenceMillis: 300, leastBytes: 64 }

/** How the reading of a body ended: with how many bytes, or with what. */
type Outcome = number | "cut off"

describe("the body of a file", () => {
  let server: Server
  let port: number
  const outcomes: Array<Outcome> = []

  beforeAll(async () => {
    server = createServer(async (node, response) => {
      const body = readFileBody({ runtime: { node: { req: node, res: response } } } as unknown as ServerRequest, pace)
      let size = 0
      try {
        for await (const piece of body) size += piece.byteLength
        outcomes.push(size)
        response.end("ok")
      } catch {
        outcomes.push("cut off")
        response.destroy()
      }
    })
    limitSlowBodies(server, 400, (method) => method === "PUT", randomUUID)
    await once(server.listen(0, "127.0.0.1"), "listening")
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  /** Sends pieces with pauses, as long as the server listens. Answers the status, or null. */
  const send = async (
    pieces: ReadonlyArray<string>,
    pauseMillis: number,
    method = "PUT",
    length = pieces.join("").length,
  ) => {
    const sending = request({ port, method, headers: { "content-length": length } })
    let status: number | null = null
    sending.on("error", () => {})
    sending.on("response", (response) => {
      status = response.statusCode ?? null
      response.resume()
    })
    const closed = new Promise((resolve) => sending.on("close", resolve))
    for (const piece of pieces) {
      if (sending.destroyed) break
      sending.write(piece)
      await wait(pauseMillis)
    }
    if (length === pieces.join("").length) sending.end()
    await closed
    return status
  }

  it("may come slowly, longer than any other request, as long as it comes", async () => {
    expect(
      await send(
        Array.from({ length: 20 }, () => "x".repeat(64)),
        50,
      ),
    ).toBe(200)
    expect(outcomes.at(-1)).toBe(1_280)
  })

  it("is cut off after a silence, and when it comes byte by byte", async () => {
    expect(await send(["begin"], 1, "PUT", 100)).toBeNull()
    expect(outcomes.at(-1)).toBe("cut off")
    expect(
      await send(
        Array.from({ length: 50 }, () => "x"),
        40,
      ),
    ).toBeNull()
    expect(outcomes.at(-1)).toBe("cut off")
  })

  it("of any other request has no such time", async () => {
    const status = await send(
      Array.from({ length: 30 }, () => "x".repeat(64)),
      50,
      "POST",
    )
    expect([null, 408]).toContain(status)
    expect(outcomes.at(-1)).toBe("cut off")
  })
})
