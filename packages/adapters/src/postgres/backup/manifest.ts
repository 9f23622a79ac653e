import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Result, Schema } from "effect"

const Size = Schema.Int
const Path = Schema.String.check(
  Schema.makeFilter((path: string) => !/(^\/)|\\|(^|\/)\.\.(\/|$)/.test(path) || "leads outside"),
)

/** A file of a backup. */
const BackupFile = Schema.Struct({ file: Path, bytes: Size, sha256: Schema.String })

const Database = Schema.Struct({
  ...BackupFile.fields,
  /** The steps of the schema that the database had. */
  steps: Schema.Array(Schema.String),
  rows: Size,
})

const FailedProject = Schema.Struct({ id: Schema.String, name: Schema.String, reason: Schema.String })

/** What `manifest.json` of a backup says. */
export const Manifest = Schema.Struct({
  /** Of the folder. Another one is not read. */
  format: Schema.Literals([1]),
  /** The release that has written it, and the PostgreSQL that it was read from. */
  hearth: Schema.String,
  postgres: Schema.String,
  started_at: Schema.String,
  finished_at: Schema.String,
  scope: Schema.Literals(["everything", "project"]),
  control: Database,
  projects: Schema.Array(
    Schema.Struct({ id: Schema.String.check(Schema.isUUID()), name: Schema.String, ...Database.fields }),
  ),
  /** Projects that were removed while the backup was made: they are not in it. */
  gone: Schema.Array(Schema.String),
  /** Projects whose databases could not be read, and why: they are not in it. Left out where there are none, and by older releases. */
  failed: Schema.optionalKey(Schema.Array(FailedProject)),
  /** The files of media, listed in `list`; null where they are in a bucket, and not in the backup. */
  media: Schema.NullOr(Schema.Struct({ files: Size, bytes: Size, list: BackupFile })),
  /** The fingerprints of the keys that secrets of integrations are sealed with. The keys are not in the backup. */
  secret_keys: Schema.Array(Schema.String),
})

/** What `manifest.json` of a backup says. */
export type Manifest = typeof Manifest.Type

/** A file of a backup, with what it must be. */
export type BackupFile = typeof BackupFile.Type

/** The backup is not complete, was changed, or is of another kind. The message is for the operator. */
export class BackupUnusable extends Error {
  override readonly name = "BackupUnusable"
}

const hashFile = async (path: string, signal: AbortSignal): Promise<string> => {
  const hash = createHash("sha256")
  for await (const piece of createReadStream(path, { signal })) hash.update(piece)
  return hash.digest("hex")
}

const checkFile = async (folder: string, { file, bytes, sha256 }: BackupFile, signal: AbortSignal): Promise<void> => {
  const path = join(folder, file)
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  )
  if (size === null) throw new BackupUnusable(`The backup is not complete: ${file} is missing.`)
  if (size !== bytes) throw new BackupUnusable(`The backup was changed: ${file} has ${size} bytes, not ${bytes}.`)
  if ((await hashFile(path, signal)) !== sha256)
    throw new BackupUnusable(`The backup was changed: ${file} has another checksum.`)
}

/** The files of media of a backup, those of one project where `projectId` is given. */
export async function* listMedia(folder: string, { media }: Manifest, projectId?: string): AsyncGenerator<BackupFile> {
  if (media === null) return
  const decode = Schema.decodeUnknownSync(BackupFile)
  for await (const line of createInterface({ input: createReadStream(join(folder, media.list.file)) })) {
    const found = decode(JSON.parse(line))
    if (projectId === undefined || found.file.startsWith(`media/${projectId}/`)) yield found
  }
}

/** How many files of media a backup has of a project; null where they were in a bucket. */
export const countMedia = async (folder: string, manifest: Manifest, projectId: string): Promise<number | null> => {
  if (manifest.media === null) return null
  let files = 0
  for await (const _ of listMedia(folder, manifest, projectId)) files += 1
  return files
}

/** Reads the manifest of a backup. Rejects with `BackupUnusable` where there is none that can be used. */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(join(folder, "manifest.json"), "utf8").catch(() => {
    throw new BackupUnusable(`${folder} is no backup: it has no manifest.json.`)
  })
  let json: unknown = null
  try {
    json = JSON.parse(text)
  } catch {
    throw new BackupUnusable(`The manifest of ${folder} is no JSON: the backup was changed.`)
  }
  const read = Schema.decodeUnknownResult(Manifest)(json)
  if (Result.isFailure(read))
    throw new BackupUnusable(
      `The manifest of ${folder} is not of this release's format: ${read.failure.message.replace(/\s*\n\s*/g, " ")}.`,
    )
  return read.success
}

/** Checks every file of a backup, or those of one project, against the manifest. Rejects with `BackupUnusable`, and when it is stopped. */
export const checkBackup = async (
  folder: string,
  manifest: Manifest,
  projectId: string | null,
  { onFile, signal }: { readonly onFile: () => void; readonly signal: AbortSignal },
): Promise<void> => {
  const projects = manifest.projects.filter(({ id }) => projectId === null || id === projectId)
  const files: Array<BackupFile> = [manifest.control, ...projects]
  if (manifest.media !== null) files.push(manifest.media.list)
  for (const file of files) {
    await checkFile(folder, file, signal)
    onFile()
  }
  for await (const file of listMedia(folder, manifest, projectId ?? undefined)) {
    await checkFile(folder, file, signal)
    onFile()
  }
}
