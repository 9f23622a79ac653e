import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { residentBytes } from "./harness/downloads.ts"
import { atMost, type Figure } from "./harness/figure.ts"
import { emptyDataDir, removeDataDir, type Service, setUp, startService } from "./harness/service.ts"

const streams = 2_000
// By then the work before it is done, and its memory is given back.
const pauseMillis = 25_000

/** Opens a stream of what is new for a user, and answers once it has begun. */
const openStream = (service: Service, headers: Readonly<Record<string, string>>): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.origin)
    const socket = connect(Number(port), hostname)
    const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET /v1/client/stream HTTP/1.1\r\n${lines.join("")}\r\n`)
    socket.once("error", reject)
    socket.once("data", (bytes) => {
      const text = bytes.toString()
      if (text.startsWith("HTTP/1.1 200")) resolve(socket)
      else reject(new Error(text.slice(0, 200)))
    })
  })

/** What users who listen cost while nothing happens. */
export const idleStreams = async (): Promise<ReadonlyArray<Figure>> => {
  process.env["STREAMS_PER_USER"] = String(streams)
  const service = await startService(emptyDataDir())
  const { client } = await setUp(service, 1)
  await sleep(pauseMillis)
  const before = residentBytes(service.pid)
  const sockets: Array<Socket> = []
  for (let opened = 0; opened < streams; opened += 50)
    sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => openStream(service, client)))))
  await sleep(pauseMillis)
  const grown = (residentBytes(service.pid) - before) / 1e6
  const cpuBefore = service.cpuMillis()
  await sleep(10_000)
  const cpu = (service.cpuMillis() - cpuBefore) / 10_000
  for (const socket of sockets) socket.destroy()
  await service.stop()
  removeDataDir(service.dataDir)
  return [
    atMost(`${streams} users who listen: memory`, "MB", grown, 60),
    atMost(`${streams} users who listen, nothing new: of a core`, "%", cpu * 100, 5, 1),
  ]
}
