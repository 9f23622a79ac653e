import { randomUUID } from "node:crypto"
import { access, constants, stat, statfs } from "node:fs/promises"
import { dirname, join } from "node:path"
import { loadSecretKeys, loadTokenKeys, openStorage, readKeptFile, secretKeyFile } from "@hearth/adapters"
import { Effect } from "effect"
import type { ServerConfig } from "../../config.ts"
import { formatBytes } from "../format.ts"
import { findMediaFolder } from "../storage-folder.ts"
import { type Finding, failed, failedBy, ok, warning } from "./finding.ts"

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
    const message = `${formatBytes(free)} of ${formatBytes(blocks * bsize)} are free for ${folder}.`
    if (free < fullBytes) return failed(check, message, "Make room, or move the folder to a larger disk.")
    return free < shortBytes
      ? warning(check, message, "Make room, or move the folder to a larger disk.")
      : ok(check, message)
  } catch (error) {
    return failedBy(check, error, `Let this user write ${folder}.`)
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

const count = (keys: number, what: string) => `${keys} ${what}${keys === 1 ? "" : "s"}`

/** The keys, in the settings or in DATA_DIR, and the fingerprints of those that open secrets. */
export const checkKeys = async (
  config: ServerConfig,
): Promise<{ readonly finding: Finding; readonly fingerprints: ReadonlyArray<string> }> => {
  try {
    const jwt = config.jwtKeys ?? (await readKeptFile(join(config.dataDir, "token-keys.json")))
    const secret = config.secretKeys ?? (await readKeptFile(join(config.dataDir, secretKeyFile)))
    if (jwt === null || secret === null)
      return { finding: ok("keys", `The first start makes the keys, in ${config.dataDir}.`), fingerprints: [] }
    const tokens = await Effect.runPromise(loadTokenKeys(jwt))
    const secrets = await Effect.runPromise(loadSecretKeys(secret))
    return {
      finding: ok(
        "keys",
        `${count(tokens.published.length, "key")} for tokens, ${count(secrets.length, "key")} for secrets; the first ones are ${tokens.signing.kid.slice(0, 8)}… and ${secrets[0].fingerprint}.`,
      ),
      fingerprints: secrets.map(({ fingerprint }) => fingerprint),
    }
  } catch (error) {
    return { finding: failedBy("keys", error, "hearth keys makes keys; put lost ones back."), fingerprints: [] }
  }
}

/** The disks of DATA_DIR and of media. */
export const checkDisks = (config: ServerConfig): Promise<ReadonlyArray<Finding>> =>
  Promise.all([checkDisk("disk", config.dataDir), checkStorage(config)])
