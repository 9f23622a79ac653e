import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { createInterface } from "node:readline"
import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string
  }
}

/** The PostgreSQL of this test run: a superuser's URL. */
export const databaseUrl = (): string => inject("databaseUrl")

/** A Redis of a test's own. */
export interface TestRedis {
  readonly url: string
  readonly pid: number
  /** Starts it again on the same port, empty, after `stop`. */
  start(): Promise<void>
  /** Kills it, and waits until it is gone. */
  stop(): Promise<void>
}

/** Whether there is a local `redis-server`. Without one, Redis suites are skipped, which the report says in one line. */
export const hasRedis = ((): boolean => {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" })
    return true
  } catch {
    process.stderr.write("No redis-server was found: the suites that need Redis are skipped.\n")
    return false
  }
})()

/** A port on loopback that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error("No port was given.")
  return address.port
}

/** Starts the local `redis-server` on a free port, without files. Null when there is none. */
export const startRedis = async (): Promise<TestRedis | null> => {
  if (!hasRedis) return null
  const port = await freePort()
  const launch = async () => {
    const server = spawn("redis-server", ["--port", `${port}`, "--bind", "127.0.0.1", "--save", ""], {
      stdio: ["ignore", "pipe", "ignore"],
    })
    for await (const line of createInterface({ input: server.stdout }))
      if (line.includes("Ready to accept")) return server
    throw new Error("redis-server ended before it was ready.")
  }
  let server: ChildProcess | null = await launch()
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return server?.pid ?? 0
    },
    start: async () => {
      server = await launch()
    },
    stop: async () => {
      if (server === null) return
      const gone = once(server, "exit")
      server.kill("SIGKILL")
      server = null
      await gone
    },
  }
}
