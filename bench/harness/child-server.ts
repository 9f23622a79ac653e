import { fork } from "node:child_process"
import { once } from "node:events"
import { cpuMillis } from "./cpu.ts"

/** A server of the benchmarks in a process of its own. */
export interface ChildServer {
  readonly origin: string
  /** CPU time that the process has used, in milliseconds. */
  cpuMillis(): number
  stop(): Promise<void>
}

/** Runs a module that listens on loopback, sends its port, and ends when it is disconnected. */
export const startChildServer = async (
  module: URL,
  env: Readonly<Record<string, string>> = {},
): Promise<ChildServer> => {
  const child = fork(module, { stdio: "inherit", env: { ...process.env, ...env } })
  const [port] = (await once(child, "message")) as [number]
  return {
    origin: `http://127.0.0.1:${port}`,
    cpuMillis: () => cpuMillis(child.pid ?? 0),
    stop: async () => {
      const ended = once(child, "exit")
      child.disconnect()
      await ended
    },
  }
}
