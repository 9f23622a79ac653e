import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { dockerAnswers } from "../src/docker/daemon.ts"

/** Starts a daemon that answers like this. Returns its socket. */
const daemon = async (answer: RequestListener) => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-docker-"))
  const server = createServer(answer)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, "docker.sock")
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return path
}
const answers = (path: string) => dockerAnswers({ DOCKER_HOST: `unix://${path}` })

it("finds a daemon that answers a ping", async () => {
  const asked: Array<string> = []
  const path = await daemon((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end("OK")
  })
  expect(await answers(path)).toBe(true)
  expect(asked).toEqual(["GET /_ping"])
})

it("finds none where another program listens", async () => {
  const path = await daemon((_, response) => void response.writeHead(404).end())
  expect(await answers(path)).toBe(false)
})

it("finds none where the daemon does not answer", async () => {
  expect(await answers(await daemon(() => {}))).toBe(false)
})

it.for(["unix:///no/such/docker.sock", "tcp://127.0.0.1:1", "no address"])(
  "finds none at %s, and does not wait for it",
  async (DOCKER_HOST) => {
    const before = performance.now()
    expect(await dockerAnswers({ DOCKER_HOST })).toBe(false)
    expect(performance.now() - before).toBeLessThan(900)
  },
)
