import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { freePort } from "../free-port.ts"
import { type RunningRedis, restartableRedis, type TestRedis } from "../redis.ts"

/** Whether `redis-server` is on the PATH. */
export const hasRedisServer = (): boolean => {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

const launch = async (port: number): Promise<RunningRedis> => {
  const server = spawn("redis-server", ["--port", `${port}`, "--bind", "127.0.0.1", "--save", ""], {
    stdio: ["ignore", "pipe", "ignore"],
  })
  const signal = async (name: NodeJS.Signals) => void server.kill(name)
  for await (const line of createInterface({ input: server.stdout })) {
    if (!line.includes("Ready to accept")) continue
    return {
      url: `redis://127.0.0.1:${port}`,
      kill: async () => {
        const gone = once(server, "exit")
        server.kill("SIGKILL")
        await gone
      },
      freeze: () => signal("SIGSTOP"),
      thaw: () => signal("SIGCONT"),
    }
  }
  throw new Error("redis-server ended before it was ready.")
}

/** Starts the local `redis-server` on a free port, without files. */
export const startLocalRedis = async (): Promise<TestRedis> => {
  const port = await freePort()
  return restartableRedis(() => launch(port))
}
