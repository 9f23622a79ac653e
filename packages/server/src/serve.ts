import { jsonLog } from "@hearth/adapters"
import { Result } from "effect"
import { readServerConfig } from "./config.ts"
import { operatorSentence } from "./operator-sentence.ts"
import { type RunningServer, startServer } from "./start-server.ts"

const banner = ({ url, dataDir, notes }: RunningServer): string =>
  [
    "",
    "  Hearth is running.",
    "",
    `    API        ${url}/v1`,
    `    Reference  ${url}/docs`,
    `    Data       ${dataDir ?? "in the database of DATABASE_URL"}`,
    ...notes.map((note) => `\n  ${note}`),
    "",
    "  Stop it with Ctrl-C; what was written stays.",
    "",
    "",
  ].join("\n")

const run = async () => {
  const read = readServerConfig(process.env)
  if (Result.isFailure(read)) {
    for (const problem of read.failure) console.error(problem)
    process.exit(1)
  }
  const config = read.success
  const log = jsonLog(config.logLevel)
  const server = await startServer(config, log)
  process.stdout.write(banner(server))

  let stopping = false
  const stop = async () => {
    // A second Ctrl-C must not start a second shutdown. SIGKILL ends the process at once, and loses nothing.
    if (stopping) return
    stopping = true
    await server.stop()
    process.exit(0)
  }
  process.on("SIGTERM", stop)
  process.on("SIGINT", stop)
}

/** Runs the server until SIGTERM or SIGINT. Where it cannot start, it prints why in one sentence and exits with 1. */
export const serve = (): Promise<void> =>
  run().catch((error: unknown) => {
    console.error(operatorSentence(error))
    process.exit(1)
  })
