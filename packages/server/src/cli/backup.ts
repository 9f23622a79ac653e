import { join, resolve } from "node:path"
import { Command } from "commander"
import { interruptible } from "./stop-signal.ts"

interface Options {
  readonly project?: string
}

const about =
  "Saves the control database, the databases of all projects and the files of local media in a folder, while the service runs. Each database is saved as it was at one moment. The keys are not in it: keep JWT_KEYS and SECRETS_KEY, or DATA_DIR/token-keys.json and DATA_DIR/secrets-key, elsewhere."

const details = `
The folder holds manifest.json (versions, times, sizes, checksums), control.sql.gz, projects/<id>.sql.gz and media/. It appears under
its name when it is complete; Ctrl-C leaves nothing behind. Where the database of a project cannot be read, the others are saved, that
one is named, and the exit code is 1. Files in a bucket (STORAGE_URL) are not in it: save the bucket by its own
means, after this. No tools of PostgreSQL are needed.`

const tellFailed = ({ id, name, reason }: { readonly id: string; readonly name: string; readonly reason: string }) =>
  `Project ${name} (${id}) is not in the backup. ${reason.replace(/\.$/, "")}.`

const nameFolder = (now: Date) => join("backups", `hearth-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z`)

const save = async (target: string, { project }: Options, signal: AbortSignal) => {
  const { writeBackup } = await import("@hearth/adapters")
  const { formatBytes, formatCount, formatFiles } = await import("./format.ts")
  const { openDatabase } = await import("./open-database.ts")
  const { readConfig } = await import("./read-config.ts")
  const { makeStatusLine } = await import("./status-line.ts")
  const { findMediaFolder } = await import("./storage-folder.ts")
  const { version } = await import("../version.ts")
  const config = readConfig()
  const database = await openDatabase(config, { mayCreate: false })
  if (database === null) throw new Error(`There is nothing to save: ${config.dataDir} has no database.`)
  const status = makeStatusLine()
  try {
    signal.throwIfAborted()
    const {
      control,
      projects,
      media,
      gone,
      failed = [],
    } = await writeBackup({
      databaseUrl: database.url,
      mediaFolder: findMediaFolder(config),
      folder: target,
      signal,
      projectId: project ?? null,
      release: version,
      now: () => new Date(),
      onProgress: ({ what, done, total, bytes }) => status.show(`${done}/${total}  ${formatBytes(bytes)}  ${what}`),
    })
    status.clear()
    const bytes = projects.reduce((sum, each) => sum + each.bytes, control.bytes)
    const rows = projects.reduce((sum, each) => sum + each.rows, control.rows)
    const lines = [
      `${formatCount(projects.length, "project")}, ${formatCount(rows, "row")}, ${formatBytes(bytes)} compressed.`,
      media === null
        ? "The files of media are in the bucket of STORAGE_URL, and not in the backup: save the bucket by its own means, after this."
        : `${formatFiles(media.files)}, ${formatBytes(media.bytes)}.`,
      ...(gone.length === 0 ? [] : [`Removed meanwhile, and not in the backup: ${gone.join(", ")}.`]),
      `Saved in ${target}. The keys of the service are not in it.`,
    ]
    process.stdout.write(`${lines.join("\n")}\n`)
    if (failed.length > 0) throw new Error(failed.map(tellFailed).join("\n"))
  } finally {
    status.clear()
    await database.close()
  }
}

const run = async (folder: string | undefined, options: Options) => {
  const target = resolve(folder ?? nameFolder(new Date()))
  const says = {
    stopped: `The backup was stopped: there is no ${target}, and nothing of it is left.`,
    left: `The backup was ended: ${target}.partial is left of it, and is no backup. The next one to ${target} removes it.`,
  }
  await interruptible(says, (signal) => save(target, options, signal))
}

/** `hearth backup`: everything, or one project, in a folder. */
export const backupCommand = (): Command =>
  new Command("backup")
    .summary("save everything, or one project, in a folder")
    .description(about)
    .argument("[folder]", "a folder that is not there yet; ./backups/hearth-<time> where left out")
    .option("--project <id>", "save only this project, with what the control database has of it")
    .addHelpText("after", details)
    .action(run)
