import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { measureGrowth } from "../harness/downloads.ts"
import { atMost, type Figure, measureInTurns, ratio } from "../harness/figure.ts"
import { type Service, setUp } from "../harness/service.ts"

const megabyte = 1024 ** 2
const piece = Buffer.alloc(megabyte, "x")
const rounds = 5

/** Sends so many megabytes, a piece at a time, and answers them. */
const upload = (url: string, megabytes: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "image/png", "content-length": megabytes * megabyte }
    const sending = request(url, { method: "PUT", headers }, (response) => {
      response.resume()
      response.on("end", () =>
        response.statusCode === 200 ? resolve(megabytes) : reject(new Error(`PUT: ${response.statusCode}`)),
      )
    })
    sending.on("error", reject)
    const pieces = (function* () {
      for (let sent = 0; sent < megabytes; sent += 1) yield piece
    })()
    pipeline(pieces, sending).catch(reject)
  })

/** Fetches a file, keeps nothing of it, and answers its megabytes. */
const fetchAll = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, (response) => {
      let bytes = 0
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on("end", () => resolve(bytes / megabyte))
      response.on("error", reject)
    })
      .on("error", reject)
      .end()
  })

/** A server of plain file streams: what Node does with a file and nothing else. */
const startPlainServer = async () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-files-"))
  let files = 0
  const server = createServer((message, response) => {
    if (message.method === "PUT") {
      files += 1
      const done = pipeline(message, createWriteStream(join(folder, `${files}`), { flush: true }))
      done.then(() => response.end())
    } else createReadStream(join(folder, "1")).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: `http://127.0.0.1:${port}/`, stop }
}

/** A file of 100 MB up and down, beside a plain file stream [I7.2]. MEDIA_BENCH_MB makes it smaller. */
export const media = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const megabytes = Number(process.env["MEDIA_BENCH_MB"] ?? 100)
  const { developer, projectId } = await setUp(service, 0)
  const add = async (): Promise<{ readonly data: { readonly storage_url: string }; readonly upload_url: string }> => {
    const response = await fetch(`${service.origin}/v1/admin/projects/${projectId}/media`, {
      method: "POST",
      headers: { ...developer, "content-type": "application/json" },
      body: JSON.stringify({ filename: "video.png", mime_type: "image/png", size_bytes: megabytes * megabyte }),
    })
    return (await response.json()) as Awaited<ReturnType<typeof add>>
  }
  const plain = await startPlainServer()
  try {
    const first = await add()
    const sent = await measureGrowth(service, () => upload(first.upload_url, megabytes))
    const taken = await measureGrowth(service, () => fetchAll(first.data.storage_url))
    const addresses: Array<string> = []
    for (let round = 0; round < rounds; round += 1) addresses.push((await add()).upload_url)
    const [up, plainUp] = await measureInTurns(
      rounds,
      () => upload(addresses.pop() ?? "", megabytes),
      () => upload(plain.url, megabytes),
    )
    const [down, plainDown] = await measureInTurns(
      rounds,
      () => fetchAll(first.data.storage_url),
      () => fetchAll(plain.url),
    )
    return [
      atMost(`memory for ${megabytes} MB up`, "MiB", sent / megabyte, 32, 1),
      atMost(`memory for ${megabytes} MB down`, "MiB", taken / megabyte, 32, 1),
      ratio(`upload of ${megabytes} MB`, "MB/s", up, plainUp, "a plain file stream", 0.5),
      ratio(`download of ${megabytes} MB`, "MB/s", down, plainDown, "a plain file stream", 0.5),
    ]
  } finally {
    plain.stop()
  }
}
