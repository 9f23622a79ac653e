import { join, resolve } from "node:path"
import type { Manifest, OpenS3 } from "@hearth/adapters"
import { Command } from "commander"
import { formatCount, formatFiles } from "./format.ts"
import type { CommandDatabase } from "./open-database.ts"
import { interruptible } from "./stop-signal.ts"

interface Options {
  readonly project?: string
  readonly asNew?: boolean
  readonly members?: boolean
  readonly owner?: string
  readonly overwrite?: boolean
  readonly check?: boolean
}

const about =
  "Restores a backup: everything, for which servers and workers must be stopped, or one project of it, also while they run. The backup is checked, and loaded beside what is there, before anything is touched; then it is exchanged at once."

const details = `
One project comes with its database, its files, its settings, integrations and domains. Its members and client keys are those that it has
here now: nobody who was removed since, and no key that was revoked, comes back unnoticed. Members of the backup who are left out are
named. A project that is not here has the keys of the backup, and needs --members or --owner.

--members brings back the members of the backup instead: by their accounts here, or with the accounts of the backup where these are gone.
Somebody else who has the address of one by now is not made a member. --owner <email> makes an account that is here an owner.

With --as-new it becomes another project, with a new id and the members of the first: it keeps its users and their ids, is given new client
keys where the old ones are taken, and has no integrations and domains, so that it neither pushes nor answers in the place of the old
one. Tokens name their project, so its users sign in again.

Ctrl-C leaves everything as it was, until the exchange begins, which is finished. Files of media come back to where the service keeps them,
a folder or a bucket (STORAGE_URL); those of a service that had a bucket are in no backup, and it says what to copy where.`

/** Opens the database that is restored to. Nothing is made for what `check` refuses. */
const open = async (check: () => Promise<unknown>) => {
  const { openDatabase } = await import("./open-database.ts")
  const { readConfig } = await import("./read-config.ts")
  const { findMediaFolder } = await import("./storage-folder.ts")
  const { openBucket } = await import("@hearth/adapters")
  const config = readConfig()
  const known = await openDatabase(config, { mayCreate: false })
  if (known === null) await check()
  const database = known ?? (await openDatabase(config, { mayCreate: true }))
  if (database === null) throw new Error("There is no database.")
  return { database, mediaFolder: findMediaFolder(config), bucket: await openBucket(config.storageUrl) }
}

/** The projects that the backup was to have, and whether they stay as they are. */
const tellFailed = (failed: Manifest["failed"] = [], kept: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  failed.map(({ id, name }) => {
    const stays = kept.includes(id) ? " It is here as it was." : ""
    return `Project ${name} (${id}) is not in it: its database could not be read then.${stays}`
  })

const check = async (folder: string, project: string | null): Promise<string> => {
  const { checkForRestore } = await import("@hearth/adapters")
  const nothing = { databaseUrl: "", mediaFolder: null, overwrite: false }
  const { projects, finished_at, hearth, failed } = await checkForRestore({ ...nothing, folder }, project)
  return [
    `The backup is complete: ${formatCount(projects.length, "project")}, of ${finished_at}, by Hearth ${hearth}.`,
    ...tellFailed(failed),
  ].join("\n")
}

interface Place {
  readonly databaseUrl: string
  readonly mediaFolder: string | null
  readonly bucket: OpenS3 | null
}

type Show = (what: string, done: number, total: number) => void

/** What became of the files of media. `saved` is null where they were in a bucket: the backup has none of them. */
const tellMedia = (saved: number | null, { mediaFolder }: Place, from = "<project>", to = from): string => {
  if (saved === null && mediaFolder !== null)
    return `The files of media were in a bucket, and are not in the backup: copy its ${from}/ to ${join(mediaFolder, to)}.`
  if (saved !== null) return `${formatFiles(saved)}${mediaFolder === null ? ", in the bucket of STORAGE_URL" : ""}.`
  return from === to
    ? "The files of media are in the bucket of STORAGE_URL, as they are there now."
    : `The files of media are in the bucket of STORAGE_URL: copy ${from}/ to ${to}/ in it.`
}

const restoreAll = async (
  folder: string,
  place: Place,
  { overwrite = false }: Options,
  signal: AbortSignal,
  onProgress: Show,
) => {
  const { restoreEverything } = await import("@hearth/adapters")
  const { projects, media, finished_at, removed, kept, failed } = await restoreEverything({
    ...place,
    ...{ folder, overwrite, signal, onProgress },
  })
  const files = tellMedia(media?.files ?? null, place)
  const left = place.mediaFolder === null ? " Their files are left in the bucket, under these ids." : ""
  return [
    `Restored what was there at ${finished_at}: ${formatCount(projects.length, "project")}. ${files}`,
    ...tellFailed(failed, kept),
    ...(removed.length === 0 ? [] : [`Not in the backup, and gone now: ${removed.join(", ")}.${left}`]),
  ]
}

const restoreOne = async (
  folder: string,
  place: Place & { readonly projectId: string },
  { overwrite = false, asNew = false, members = false, owner }: Options,
  signal: AbortSignal,
  onProgress: Show,
) => {
  const { restoreProject, tellMembers } = await import("@hearth/adapters")
  const choice = { asNew, savedMembers: members, owner: owner ?? null }
  const restored = await restoreProject({ ...place, ...choice, folder, overwrite, signal, onProgress })
  const { id, name, rows, files, clientKeys, leftOut } = restored
  return [
    `Restored ${name} as project ${id}: ${formatCount(rows, "row")}. ${tellMedia(files, place, place.projectId, id)}`,
    `Client keys: ${clientKeys.join(", ") || "none"}`,
    `Members: ${tellMembers(restored.members)}`,
    ...(leftOut.length === 0 ? [] : [`Members of the backup who are none now: ${tellMembers(leftOut)}`]),
    ...(asNew ? ["It has no integrations and no domain."] : []),
  ]
}

/** What failed leaves nothing that was made for it. A database that holds something by then stays. */
const end = async (database: CommandDatabase, isDone: boolean) => {
  if (isDone) return database.close()
  const { isUnused } = await import("@hearth/adapters")
  await ((await isUnused(database.url)) ? database.discard() : database.close())
}

const restore = async (folder: string, given: Options, signal: AbortSignal) => {
  const { makeStatusLine } = await import("./status-line.ts")
  const status = makeStatusLine()
  const { database, mediaFolder, bucket } = await open(() => check(folder, given.project ?? null))
  const place = { databaseUrl: database.url, mediaFolder, bucket }
  const show: Show = (what, done, total) => status.show(`${done}/${total}  ${what}`)
  let isDone = false
  try {
    signal.throwIfAborted()
    const { project } = given
    const lines =
      project === undefined
        ? await restoreAll(folder, place, given, signal, show)
        : await restoreOne(folder, { ...place, projectId: project }, given, signal, show)
    isDone = true
    status.clear()
    process.stdout.write(`${lines.join("\n")}\n`)
  } finally {
    status.clear()
    bucket?.close()
    await end(database, isDone)
  }
}

const says = {
  stopped:
    "The restore was stopped before anything was exchanged: all is as it was. Begin again with the same command.",
  left: "The restore was ended: what it has loaded is left in databases called hearth_…_restoring_…, which nothing uses. Begin again with the same command; it removes them.",
}

const run = async (given: string, options: Options, command: Command) => {
  const { project, asNew = false, overwrite = false, members = false, owner } = options
  if (asNew && project === undefined) command.error("error: --as-new needs --project")
  if (asNew && overwrite) command.error("error: --as-new replaces nothing: leave --overwrite out")
  if ((members || owner !== undefined) && project === undefined)
    command.error("error: --members and --owner need --project: everything comes with all of its members")
  const folder = resolve(given)
  if (options.check === true) process.stdout.write(`${await check(folder, project ?? null)}\n`)
  else await interruptible(says, (signal) => restore(folder, options, signal))
}

/** `hearth restore`: everything, or one project, from a folder. */
export const restoreCommand = (): Command =>
  new Command("restore")
    .summary("restore everything, or one project, from a backup")
    .description(about)
    .argument("<folder>", "the folder of a backup")
    .option("--project <id>", "restore only this project")
    .option("--as-new", "with --project: as another project, with a new id")
    .option("--members", "with --project: with the members of the backup, and not with those of now")
    .option("--owner <email>", "with --project: makes this account an owner")
    .option("--overwrite", "replace what is there")
    .option("--check", "only check the backup: files, sizes, checksums, versions")
    .addHelpText("after", details)
    .action(run)
