import { openLog, readEnvironment } from "@hearth/adapters"
import { describeConnected, giveBackMemoryWhenIdle, logProcess, whenAborted } from "@hearth/worker"
import { Result } from "effect"
import { readServerConfig } from "./config.ts"
import { operatorSentence } from "./operator-sentence.ts"
import { type RunningServer, startServer } from "./start-server.ts"
import { version } from "./version.ts"

const banner = ({ url, dataDir, notes }: RunningServer): string =>
  [
    "",
    "  Hearth is running.",
    "",
    `    Console    ${url}/console`,
    `    API        ${url}/v1`,
    `    Reference  ${url}/docs`,
    ...(dataDir === null ? [] : [`    Mails      ${url}/dev`]),
    `    Data       ${dataDir ?? "in the database of DATABASE_URL"}`,
    ...notes.map((note) => `\n  ${note}`),
    "",
    "  Stop it with Ctrl-C; what was written stays.",
    "",
    "",
  ].join("\n")

const run = async (stopping: AbortSignal) => {
  const read = readServerConfig(readEnvironment())
  if (Result.isFailure(read)) {
    for (const problem of read.failure) console.error(problem)
    process.exit(1)
  }
  const config = read.success
  const log = openLog(config.log)
  const { started } = logProcess(log, "server", version, stopping)
  const server = await startServer(config, log, stopping)
  giveBackMemoryWhenIdle()
  if (!stopping.aborted) {
    const mail = config.mail.smtpUrl === null ? "kept, not sent" : new URL(config.mail.smtpUrl).host
    started({ url: server.url, ...describeConnected(config), mail })
    process.stdout.write(banner(server))
  }
  // It is aborted once: a second Ctrl-C starts no second stop. SIGKILL ends the process at once, and loses nothing.
  await whenAborted(stopping)
  await server.stop()
  process.exit(0)
}

/**
 * Runs the server until `stopping` is aborted, and ends the process within ten seconds of that. Where it cannot start, it prints why
 * in one sentence and exits with 1.
 */
export const serve = (stopping: AbortSignal): Promise<void> =>
  run(stopping).catch((error: unknown) => {
    if (stopping.aborted) process.exit(0)
    console.error(operatorSentence(error))
    process.exit(1)
  })
