import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import S3rver from "s3rver"
import { account, findProblem } from "./check-signature.ts"

/** A server that speaks S3, with one bucket. */
export interface S3Server {
  /** STORAGE_URL of its bucket, below a prefix. */
  readonly storageUrl: string
  /** Makes it answer 503 to everything, until it is called with false. */
  fail(isFailing: boolean): void
  /** What its clock shows from now on, in milliseconds after the real time. */
  shift(millis: number): void
  stop(): Promise<void>
}

const bucket = "media"

const refuse = (response: ServerResponse, status: number, code: string) => {
  response.writeHead(status, { "content-type": "application/xml", connection: "close" })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

/**
 * Starts s3rver, with what it lacks of S3 before it: it takes any signature of version 4 and knows no conditional writes. Here a
 * presigned request is checked, and `If-None-Match: *` is kept, also between writes at once.
 */
export const startS3Server = async (): Promise<S3Server> => {
  const directory = mkdtempSync(join(tmpdir(), "hearth-s3-"))
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket, configs: [] }] })
  await s3.configureBuckets()
  const handle = s3.callback()
  const writing = new Set<string>()
  let isFailing = false
  let ahead = 0

  const exists = (path: string) =>
    new Promise<boolean>((resolve, reject) => {
      fetch(`http://127.0.0.1:${port}${path}`, { method: "HEAD" }).then(({ ok }) => resolve(ok), reject)
    })

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/"
    if (isFailing) return refuse(response, 503, "ServiceUnavailable")
    const problem = findProblem(request, new Date(Date.now() + ahead))
    if (problem !== null) return refuse(response, 403, problem)
    if (request.method !== "PUT" || request.headers["if-none-match"] !== "*") return handle(request, response)
    if (writing.has(path)) return refuse(response, 412, "PreconditionFailed")
    writing.add(path)
    response.once("close", () => writing.delete(path))
    if (await exists(path)) return refuse(response, 412, "PreconditionFailed")
    handle(request, response)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`)
  const { accessKeyId, secretAccessKey } = account
  return {
    storageUrl: `s3://${accessKeyId}:${secretAccessKey}@${bucket}/some/prefix?endpoint=${endpoint}&path_style=true`,
    fail: (value) => {
      isFailing = value
    },
    shift: (millis) => {
      ahead = millis
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
