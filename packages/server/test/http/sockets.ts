import { randomUUID } from "node:crypto"
import { connect, type Socket } from "node:net"
import { type Listener, listen } from "../../src/http/listen.ts"
import { clientKey, sampleApp } from "./sample-app.ts"

const open: Array<Listener> = []
const sockets: Array<Socket> = []

/** Listens on a free port. Ended after each test by `closeAll`. */
export const serve = async (options: Partial<Parameters<typeof listen>[1]> = {}, sample = sampleApp()) => {
  const usual = { port: 0, host: "127.0.0.1", makeRequestId: randomUUID, drainMillis: 100 }
  const listener = await listen(sample.app, { ...usual, ...options })
  open.push(listener)
  return { ...sample, ...listener, port: Number(new URL(listener.url).port) }
}

/** A raw connection: what has come so far, and its end. */
export const openSocket = async (port: number) => {
  const socket = connect(port, "127.0.0.1")
  sockets.push(socket)
  let received = ""
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1")
  })
  socket.on("error", () => {})
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()))
  const until = async (pattern: RegExp) => {
    while (!pattern.test(received)) {
      if (socket.closed) throw new Error(`closed after ${received}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return received
  }
  return { socket, closed, until, received: () => received }
}

/** The statuses of all answers in a text. */
export const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
/** The text of a POST of an app. */
export const post = (path: string, headers: string, body = "") =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${clientKey}\r\nContent-Type: application/json\r\n${headers}\r\n${body}`

/** Ends what a test has opened. */
export const closeAll = async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(open.splice(0).map(({ close }) => close()))
}
