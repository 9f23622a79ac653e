import { readEnvironment } from "@hearth/adapters"
import { Result } from "effect"
import { readServerConfig, type ServerConfig } from "../config.ts"

/** The configuration of this process. Throws with all problems, a line each. */
export const readConfig = (): ServerConfig => {
  const read = readServerConfig(readEnvironment())
  if (Result.isFailure(read)) throw new Error(read.failure.join("\n"))
  return read.success
}
