import { randomUUID } from "node:crypto"
import { access, constants, stat, statfs } from "node:fs/promises"
import { dirname, join } from "node:path"
import { loadSecretKeys, loadTokenKeys, openStorage, readKeptFile, secretKeyFile } from "@hearth/adapters"
import { Effect } from "effect"
import type { ServerConfig } from "../../config.ts"
import { formatBytes, formatCount } from "../format.ts"
import { findMediaFolder } from "../storage-folder.ts"
import { type Finding, failed, failedBy, failedByRight, ok, warning } from "./finding.ts"

const shortBytes = 1024 ** 3
const fullBytes = 100 * 1024 ** 2

/** The folder, or the nearest one above it that exists. */
const findExisting = async (folder: string): Promise<string> => {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  )
  return isThere || dirname(folder) === folder ? folder : findExisting(dirname(folder))
}

const checkDisk = async (check: string, folder: string): Promise<Finding> => {
  try {
    const existing = await findExisting(folder)
    if (!(await stat(existing)).isDirectory())
      return failed(check, `${existing} is no folder.`, "Name a folder, in DATA_DIR or STORAGE_URL.")
    const { bavail, bsize, blocks } = await statfs(existing)
    await access(existing, constants.W_OK)
    const free = bavail * bsize
    const yet = existing === folder ? "" : ", which is not there yet"
    const message = `${formatBytes(free)} of ${formatBytes(blocks * bsize)} are free for ${folder}${yet}.`
    if (free < fullBytes) return failed(check, message, "Make room, or move the folder to a larger disk.")
    return free < shortBytes
      ? warning(check, message, "Make room, or move the folder to a larger disk.")
      : ok(check, message)
  } catch (error) {
    return failedByRight(check, error, "write", folder) ?? failedBy(check, error, `Let this user write ${folder}.`)
  }
}

/** Asks for a file of a project that there is not, and for all of its files: nothing is changed by it. */
const checkBucket = async ({ storageUrl, dataDir }: ServerConfig): Promise<Finding> => {
  const faults: Array<unknown> = []
  const address = { url: storageUrl, dataDir, servesFiles: false, isOnlyProcess: false }
  const { storage, close } = await openStorage(address, (_, __, facts) => faults.push(facts?.["cause"]))
  const project = randomUUID()
  const asked = Effect.andThen(storage.removeProject(project), storage.find(`${project}/0_0`))
  try {
    await Effect.runPromise(asked)
    return ok("media", "The bucket of STORAGE_URL answers.")
  } catch {
    return failed(
      "media",
      `The bucket of STORAGE_URL cannot be used: ${String(faults[0]).replace(/\.$/, "")}.`,
      "Correct STORAGE_URL, or give its key the rights in docs/media.md.",
    )
  } finally {
    close()
  }
}

const checkStorage = (config: ServerConfig): Promise<Finding> => {
  const folder = findMediaFolder(config)
  return folder === null ? checkBucket(config) : checkDisk("media", folder)
}

/** Reads keys where there are some. What is wrong with them is a finding of its own. */
const readKeys = async <A>(given: string | null, file: string, load: (text: string) => Effect.Effect<A, Error>) => {
  try {
    const text = given ?? (await readKeptFile(file))
    return { keys: text === null ? null : await Effect.runPromise(load(text)), findings: [] }
  } catch (error) {
    const finding =
      failedByRight("keys", error, "read", file) ??
      failedBy("keys", error, "hearth keys makes keys; put lost ones back.")
    return { keys: null, findings: [finding] }
  }
}

/**
 * The keys, in the settings or in DATA_DIR, and the fingerprints of those that open secrets: none where there are no keys yet, null
 * where they cannot be read.
 */
export const checkKeys = async ({
  jwtKeys,
  secretKeys,
  dataDir,
}: ServerConfig): Promise<{
  readonly findings: ReadonlyArray<Finding>
  readonly fingerprints: ReadonlyArray<string> | null
}> => {
  const tokens = await readKeys(jwtKeys, join(dataDir, "token-keys.json"), loadTokenKeys)
  const secrets = await readKeys(secretKeys, join(dataDir, secretKeyFile), loadSecretKeys)
  const broken: ReadonlyArray<Finding> = [...tokens.findings, ...secrets.findings]
  const fingerprints = secrets.findings.length > 0 ? null : (secrets.keys ?? []).map(({ fingerprint }) => fingerprint)
  if (broken.length > 0) return { findings: broken, fingerprints }
  const message =
    tokens.keys === null || secrets.keys === null
      ? `The first start makes the keys, in ${dataDir}.`
      : `${formatCount(tokens.keys.published.length, "key")} for tokens, ${formatCount(secrets.keys.length, "key")} for secrets; the first ones are ${tokens.keys.signing.kid.slice(0, 8)}… and ${secrets.keys[0].fingerprint}.`
  return { findings: [ok("keys", message)], fingerprints }
}

/** The disks of DATA_DIR and of media. */
export const checkDisks = (config: ServerConfig): Promise<ReadonlyArray<Finding>> =>
  Promise.all([checkDisk("disk", config.dataDir), checkStorage(config)])
