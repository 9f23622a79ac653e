import { randomUUID } from "node:crypto"
import type pg from "pg"
import { controlNameOf, operatorSettings, tenantNameOf } from "../operations/settings.ts"
import { ensureControlDatabase, migrateControl } from "../schema/control-database.ts"
import { controlSchema } from "../schema/schemas.ts"
import { bringMedia } from "./bring-media.ts"
import { commitSurely, isOutcomeUnknown, orAnother } from "./commit.ts"
import { openClient } from "./dump.ts"
import { BackupUnusable, countMedia } from "./manifest.ts"
import { checkForRestore, type RestoreOptions } from "./restore-all.ts"
import { type ControlRows, exists, readKeys, readSaved, writeControl } from "./restore-control.ts"
import { type MembersChoice, type NamedMember, planMembers } from "./restore-members.ts"
import {
  asOnlyRestore,
  besideName,
  dropDatabase,
  loadProject,
  type placeMedia,
  refuseForeign,
  renameDatabase,
} from "./restore-parts.ts"
import { never, type Stop, whileNotStopped } from "./stoppable.ts"

/** Which project of a backup is restored, and as what. */
export interface RestoreProjectOptions extends RestoreOptions, MembersChoice {
  readonly projectId: string
  /** Whether it becomes another project, beside the one that may be there. */
  readonly asNew: boolean
}

/** A project that was restored. */
export interface RestoredProject {
  readonly id: string
  readonly name: string
  readonly clientKeys: ReadonlyArray<string>
  readonly members: ReadonlyArray<NamedMember>
  /** Members of the backup who are none of it. */
  readonly leftOut: ReadonlyArray<NamedMember>
  readonly rows: number
  /** The files of media that the backup has of it; null where they were in a bucket. */
  readonly files: number | null
}

interface Loaded {
  readonly saved: ControlRows
  readonly newId: string
  readonly media: Awaited<ReturnType<typeof placeMedia>> | null
  /** What the database that is replaced is called then. */
  readonly replaced: string
}

/** Writes the project and gives its database the name, in the transaction of `client`. */
const putProject = async (
  client: pg.Client,
  { projectId, asNew, savedMembers, owner }: RestoreProjectOptions,
  { saved, newId, replaced }: Loaded,
) => {
  // Who is a member now, and which keys are good, is what holds under the lock.
  const isHere = await exists(client, "select 1 from projects where id = $1 for update", [projectId])
  const plan = await planMembers(client, projectId, saved, { savedMembers, owner })
  const keys = isHere && !asNew ? await readKeys(client, projectId) : saved.api_keys
  await client.query("delete from projects where id = $1", [newId])
  // Of a project that was removed the files are to be removed later: these stay.
  await client.query("delete from project_files where id = $1", [newId])
  const clientKeys = await writeControl(client, { saved, id: newId, asNew, plan, keys })
  if (await exists(client, "select 1 from pg_database where datname = $1", [tenantNameOf(newId)]))
    await renameDatabase(client, tenantNameOf(newId), replaced)
  await renameDatabase(client, besideName(client.database, "restoring", newId), tenantNameOf(newId))
  return { plan, clientKeys }
}

/** Puts the project in its place, with its database and its files, in one transaction: all of it, or nothing. */
const exchange = async (client: pg.Client, options: RestoreProjectOptions, loaded: Loaded, stop: Stop) => {
  const { media } = loaded
  await client.query("begin")
  try {
    const put = await whileNotStopped(client, stop, () => putProject(client, options, loaded))
    await media?.put()
    await commitSurely(client, operatorSettings(options.databaseUrl))
    return put
  } catch (error) {
    await client.query("rollback").catch(() => {})
    // Otherwise the name of the database tells where the files belong, as soon as it can be asked.
    if (!isOutcomeUnknown(error)) await media?.takeBack()
    throw error
  }
}

/**
 * Restores one project, also while servers run: its database, its files, and of the control database its settings, jobs, integrations
 * and domains. With `asNew` it becomes another project with a new id, and the others keep theirs. Members and client keys are those
 * that the project has now, so that nobody who was removed comes back by it; a project that is not here has the keys of the backup, and
 * needs `savedMembers` or an `owner`. Where it is stopped or fails before the exchange, everything is as it was.
 */
export const restoreProject = async (options: RestoreProjectOptions): Promise<RestoredProject> => {
  const { databaseUrl, folder, mediaFolder, projectId, asNew, overwrite, signal = never } = options
  const { onProgress = () => {} } = options
  const settings = operatorSettings(databaseUrl)
  const manifest = await checkForRestore(options, projectId)
  const project = manifest.projects.find(({ id }) => id === projectId)
  if (project === undefined) throw new BackupUnusable(`The backup has no project ${projectId}.`)
  const database = controlNameOf(databaseUrl)
  await ensureControlDatabase(settings, database)
  // What is written has the schema of this release.
  await migrateControl(settings, database, controlSchema)
  const client = await openClient(settings.url, database)
  const stop: Stop = { url: settings.url, signal }
  const newId = asNew ? randomUUID() : projectId
  try {
    const isTaken = await whileNotStopped(client, stop, () =>
      exists(client, "select 1 from projects where id = $1", [newId]),
    )
    if (isTaken && !overwrite)
      throw new BackupUnusable(
        `There is a project ${projectId}: --overwrite replaces it by that of the backup, --as-new makes another project beside it.`,
      )
    await whileNotStopped(client, stop, () => refuseForeign(client, [newId]))
    return await asOnlyRestore(client, { url: settings.url, mediaFolder }, async () => {
      onProgress(project.name, 0, 1)
      stop.signal.throwIfAborted()
      const saved = await readSaved(settings, client, { folder, manifest, id: projectId, stop })
      // Before hours of loading.
      await whileNotStopped(client, stop, () => planMembers(client, projectId, saved, options))
      const loaded = await loadProject(settings, client, { folder, project, newId, stop })
      const files = { folder, manifest, database: loaded, from: projectId, to: newId, stop }
      const media = await bringMedia(options, settings, files)
      const replaced = besideName(client.database, "replaced", newId)
      const { plan, clientKeys } = await exchange(client, options, { saved, newId, media, replaced }, stop)
      const after = await orAnother(client, settings.url)
      await dropDatabase(after, replaced).finally(() => (after === client ? undefined : after.end()))
      await media?.removeOld()
      onProgress(project.name, 1, 1)
      const { members, leftOut } = plan
      return {
        ...{ id: newId, name: project.name, clientKeys, members, leftOut },
        ...{ rows: project.rows, files: await countMedia(folder, manifest, projectId) },
      }
    })
  } finally {
    await client.end()
  }
}
