import { openLog } from "@hearth/adapters"
import type { ServerConfig } from "../config.ts"
import { startServer } from "../start-server.ts"

const isServing = async (origin: string): Promise<boolean> => {
  try {
    const { status } = await fetch(`${origin}/health/live`, { signal: AbortSignal.timeout(1_000) })
    return status === 200
  } catch {
    return false
  }
}

/** A service to write to: the one that is running under the configured address, or one that is started for this. */
export const findService = async (config: ServerConfig) => {
  const origin = `http://${config.host}:${config.port}`
  if (await isServing(origin)) return { origin, found: true, stop: async () => {} }
  const { url, stop } = await startServer(config, openLog({ level: "warn", format: null }))
  return { origin: url, found: false, stop }
}
