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
    // A second Ctrl-C must not start a second shutdown; impatience has SIGKILL, and nothing is lost by it.
    if (stopping) return
    stopping = true
    await server.stop()
    process.exit(0)
  }
  process.on("SIGTERM", stop)
  process.on("SIGINT", stop)
}

/** Runs the server until it is told to stop. Whatever keeps it from starting is said in one sentence, and ends the process with 1. */
export const serve = (): Promise<void> =>
  run().catch((error: unknown) => {
    console.error(operatorSentence(error))
    process.exit(1)
  })
