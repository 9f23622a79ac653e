import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { databaseUrl, freePort, startRedis } from "@hearth/test-services"
import type { QueueOptions } from "../../src/queue/index.ts"

/** A backend of a queue that a test can stop and freeze. It is down at first. */
export interface Backend {
  readonly options: QueueOptions
  up(): Promise<void>
  down(): Promise<void>
  /** From now on it accepts connections and bytes, and answers nothing. */
  freeze(): Promise<void>
  thaw(): Promise<void>
}

/** A Redis of its own: killed, started again (empty), frozen. */
export const redisBackend = async (): Promise<Backend> => {
  const redis = await startRedis()
  if (redis === null) throw new Error("There is no redis-server.")
  await redis.stop()
  return {
    options: { redisUrl: redis.url },
    up: redis.start,
    down: redis.stop,
    freeze: redis.freeze,
    thaw: redis.thaw,
  }
}

/** The run's PostgreSQL behind a relay, because other tests need the server itself. */
export const postgresBackend = async (database = databaseUrl()): Promise<Backend> => {
  const target = new URL(database)
  const port = await freePort()
  const ends = new Set<Socket>()
  let frozen = false
  const join = (socket: Socket, other: Socket) => {
    ends.add(socket)
    if (frozen) socket.pause()
    socket.on("data", (bytes) => other.write(bytes))
    socket.on("error", () => {})
    socket.on("close", () => {
      ends.delete(socket)
      other.destroy()
    })
  }
  const relay = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    join(near, far)
    join(far, near)
  })
  const down = async () => {
    if (!relay.listening) return
    const closed = once(relay, "close")
    relay.close()
    for (const socket of ends) socket.destroy()
    await closed
  }
  return {
    options: { databaseUrl: Object.assign(new URL(target), { port }).href },
    up: async () => {
      relay.listen(port, "127.0.0.1")
      await once(relay, "listening")
    },
    down,
    freeze: async () => {
      frozen = true
      for (const socket of ends) socket.pause()
    },
    thaw: async () => {
      frozen = false
      for (const socket of ends) socket.resume()
    },
  }
}
