import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { residentBytes } from "../harness/downloads.ts"
import { atMost, type Figure, median } from "../harness/figure.ts"
import { call, emptyDataDir, removeDataDir, type Service, setUp, startService } from "../harness/service.ts"

const streams = 2_000
// By then the work before it is done, and its memory is given back.
const pauseMillis = 25_000

/** Opens a stream of what is new for a user, and answers once it has begun. */
const openStream = (
  service: Service,
  headers: Readonly<Record<string, string>>,
  path = "/client/stream",
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.origin)
    const socket = connect(Number(port), hostname)
    const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET /v1${path} HTTP/1.1\r\n${lines.join("")}\r\n`)
    socket.once("error", reject)
    socket.once("data", (bytes) => {
      const text = bytes.toString()
      if (text.startsWith("HTTP/1.1 200")) resolve(socket)
      else reject(new Error(text.slice(0, 200)))
    })
  })

/** What users who listen cost while nothing happens. */
export const idleStreams = async (): Promise<ReadonlyArray<Figure>> => {
  process.env["STREAMS_PER_USER"] = process.env["STREAMS_PER_PROJECT"] = String(streams)
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

const eventsPerSecond = 1_000
const batch = 50
const busySeconds = 6
// Half of them are a developer's, who sees everything, half are a user's, who sees what is theirs.
const listeners = 50

const rounds = 3

type Send = (userIds: ReadonlyArray<string>) => Promise<unknown>

interface Pace {
  /** How long a call takes, in milliseconds: the median. */
  readonly call: number
  /** How much of a core the service uses. */
  readonly core: number
}

/** Sends events at an even pace. */
const sendEvenly = async (service: Service, send: Send, userIds: ReadonlyArray<string>): Promise<Pace> => {
  const taken: Array<number> = []
  const calls: Array<Promise<unknown>> = []
  const [began, before] = [performance.now(), service.cpuMillis()]
  for (let sent = 0; sent < busySeconds * eventsPerSecond; sent += batch) {
    await sleep(Math.max(0, (sent / eventsPerSecond) * 1_000 - (performance.now() - began)))
    const asked = performance.now()
    const users = Array.from({ length: batch }, (_, index) => userIds[(sent + index) % userIds.length] ?? "")
    calls.push(send(users).then(() => taken.push(performance.now() - asked)))
  }
  await Promise.all(calls)
  const millis = performance.now() - began
  // What reacts to the events is part of it.
  await sleep(3_000)
  return { call: median(taken), core: (service.cpuMillis() - before) / millis }
}

/** What listeners do to a project in which much happens. */
export const busyStreams = async (): Promise<ReadonlyArray<Figure>> => {
  process.env["STREAMS_PER_DEVELOPER"] = process.env["STREAMS_PER_USER"] = String(listeners)
  const service = await startService(emptyDataDir())
  const { client, developer, projectId, userIds } = await setUp(service, listeners / 2)
  const admin = (method: string, path: string, body: object) =>
    call(service, method, `/admin/projects/${projectId}${path}`, developer, JSON.stringify(body))
  await admin("PUT", "/xp/rules", { rules: [{ event_name: "lesson", amount: 1 }] })
  const send: Send = (users) =>
    admin("POST", "/events", { events: users.map((app_user_id) => ({ app_user_id, event_name: "lesson" })) })
  await sendEvenly(service, send, userIds)
  const [alone, heard] = [[] as Array<Pace>, [] as Array<Pace>]
  let [bytes, ended] = [0, 0]
  // In turns, so that a noisy machine is noisy for both.
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await sendEvenly(service, send, userIds))
    const opened = await Promise.all([
      ...Array.from({ length: listeners / 2 }, () =>
        openStream(service, developer, `/admin/projects/${projectId}/live`),
      ),
      ...Array.from({ length: listeners / 2 }, () => openStream(service, client)),
    ])
    for (const socket of opened)
      socket.on("data", (chunk) => {
        bytes += chunk.length
      })
    heard.push(await sendEvenly(service, send, userIds))
    ended += opened.filter(({ closed }) => closed).length
    for (const socket of opened) socket.destroy()
  }
  await service.stop()
  removeDataDir(service.dataDir)
  if (ended > 0) throw new Error(`${ended} streams were ended.`)
  const what = `${eventsPerSecond} events/s, ${listeners} listeners`
  const middle = (paces: ReadonlyArray<Pace>, of: keyof Pace) => median(paces.map((pace) => pace[of]))
  const [call0, core0] = [middle(alone, "call"), middle(alone, "core")]
  const against = `against none (${call0.toFixed(1)} ms)`
  return [
    atMost(`${what}: a call of ${batch} events, p50, ${against}`, "×", middle(heard, "call") / call0, 2, 2),
    atMost(`${what}: of a core, beside ${(core0 * 100).toFixed(0)} % without`, "%", middle(heard, "core") * 100, 50),
    atMost(`${what}: sent each second`, "MB", bytes / rounds / busySeconds / 1e6, 5, 2),
  ]
}
