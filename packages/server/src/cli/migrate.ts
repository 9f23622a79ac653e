import { Command } from "commander"
import { formatCount } from "./format.ts"

const run = async () => {
  const { migrateAll } = await import("@hearth/adapters")
  const { openDatabase } = await import("./open-database.ts")
  const { operatorSentence } = await import("../operator-sentence.ts")
  const { readConfig } = await import("./read-config.ts")
  const database = await openDatabase(readConfig(), { mayCreate: true })
  if (database === null) return
  try {
    const done = await migrateAll({
      databaseUrl: database.url,
      onDone: ({ database, steps, failure }, count, total) => {
        const place = `${String(count).padStart(String(total).length)}/${total}  ${database}`
        if (failure !== null) process.stderr.write(`${place}  failed: ${operatorSentence(failure)}\n`)
        else process.stdout.write(`${place}  ${steps.length === 0 ? "is up to date" : `did ${steps.join(", ")}`}\n`)
      },
    })
    const failed = done.filter(({ failure }) => failure !== null).length
    const changed = done.filter(({ steps }) => steps.length > 0).length
    process.stdout.write(
      `${formatCount(done.length, "database")}: ${changed} brought up to date, ${done.length - changed - failed} up to date before, ${failed} failed.\n`,
    )
    if (failed > 0) process.exitCode = 1
  } finally {
    await database.close()
  }
}

/** `hearth migrate`: the schemas, before a release or instead of waiting for servers to do it. */
export const migrateCommand = (): Command =>
  new Command("migrate")
    .summary("bring all databases to the schema of this release")
    .description(
      "Brings the control database and those of all projects to the schema of this release, a line each. Servers and workers do that by themselves; this does it ahead of them, and may run beside them. Exit code 1 where one failed: the others are done all the same, and it may be run again.",
    )
    .action(run)
