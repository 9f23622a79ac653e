import { resolve } from "node:path"
import { Command } from "commander"

interface Options {
  readonly project?: string
  readonly asNew?: boolean
  readonly overwrite?: boolean
  readonly check?: boolean
}

const about =
  "Restores a backup: everything, for which servers and workers must be stopped, or one project of it, also while they run. The backup is checked, and loaded beside what is there, before anything is touched; then it is exchanged at once."

const details = `
One project comes with its database, its files, its settings, members, client keys, integrations and domains. With --as-new it becomes
another project, with a new id: it keeps its users and their ids, is given new client keys where the old ones are taken, and has no
integrations and domains, so that it neither pushes nor answers in the place of the old one. Members who have no account here get
theirs of the backup. Who was signed in stays so as long as JWT_KEYS are the same.`

const open = async () => {
  const { openDatabase } = await import("./open-database.ts")
  const { readConfig } = await import("./read-config.ts")
  const { findMediaFolder } = await import("./storage-folder.ts")
  const config = readConfig()
  const database = await openDatabase(config, { mayCreate: true })
  if (database === null) throw new Error("There is no database.")
  return { database, mediaFolder: findMediaFolder(config) }
}

const check = async (folder: string, project: string | null): Promise<string> => {
  const { checkForRestore } = await import("@hearth/adapters")
  const nothing = { databaseUrl: "", mediaFolder: null, overwrite: false }
  const { projects, finished_at, hearth } = await checkForRestore({ ...nothing, folder }, project)
  return `The backup is complete: ${projects.length} projects, of ${finished_at}, by Hearth ${hearth}.`
}

const run = async (
  given: string,
  { project, asNew = false, overwrite = false, check: checks }: Options,
  command: Command,
) => {
  if (asNew && project === undefined) command.error("error: --as-new needs --project")
  if (asNew && overwrite) command.error("error: --as-new replaces nothing: leave --overwrite out")
  const folder = resolve(given)
  if (checks === true) {
    process.stdout.write(`${await check(folder, project ?? null)}\n`)
    return
  }
  const { restoreEverything, restoreProject } = await import("@hearth/adapters")
  const { makeStatusLine } = await import("./status-line.ts")
  const status = makeStatusLine()
  const { database, mediaFolder } = await open()
  try {
    const options = {
      databaseUrl: database.url,
      ...{ mediaFolder, folder, overwrite },
      onProgress: (what: string, done: number, total: number) => status.show(`${done}/${total}  ${what}`),
    }
    if (project === undefined) {
      const { projects, media, finished_at } = await restoreEverything(options)
      const files =
        media === null ? "The files of media are in a bucket, as they were." : `${media.files} files of media.`
      status.clear()
      process.stdout.write(`Restored what was there at ${finished_at}: ${projects.length} projects. ${files}\n`)
    } else {
      const restored = await restoreProject({ ...options, projectId: project, asNew })
      status.clear()
      const lines = [
        `Restored ${restored.name} as project ${restored.id}: ${restored.rows} rows, ${restored.files} files of media.`,
        `Client keys: ${restored.clientKeys.join(", ") || "none"}`,
        `Members: ${restored.members.join(", ") || "none"}`,
        ...(asNew ? ["It has no integrations and no domain."] : []),
      ]
      process.stdout.write(`${lines.join("\n")}\n`)
    }
  } finally {
    status.clear()
    await database.close()
  }
}

/** `hearth restore`: everything, or one project, from a folder. */
export const restoreCommand = (): Command =>
  new Command("restore")
    .summary("restore everything, or one project, from a backup")
    .description(about)
    .argument("<folder>", "the folder of a backup")
    .option("--project <id>", "restore only this project")
    .option("--as-new", "with --project: as another project, with a new id")
    .option("--overwrite", "replace what is there")
    .option("--check", "only check the backup: files, sizes, checksums, versions")
    .addHelpText("after", details)
    .action(run)
