import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Account } from "./account.ts"
import type { Binaries } from "./binaries.ts"
import type { ClusterLocation } from "./cluster-location.ts"
import { codeOf, EmbeddedDatabaseFailure, useYourOwn } from "./failure.ts"
import { failureOf, programOptions } from "./programs.ts"
import { flushFolder, writeAtomically } from "./write-atomically.ts"

const draftPrefix = "postgres-new-"

/** What a file has; null where it is not there. */
const readKept = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8").trim()
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null
    if (codeOf(error) !== "EISDIR") throw error
    throw new EmbeddedDatabaseFailure(`${file} is a folder; put the file with the password of the database there.`)
  }
}

/** The superuser's password, made on the first call and kept in the data folder for its owner only. */
export const readPassword = (dataDir: string, { cluster }: Pick<ClusterLocation, "cluster">): string => {
  const file = join(dataDir, "postgres-password")
  const kept = readKept(file)
  if (kept !== null && kept !== "") return kept
  if (existsSync(join(cluster, "PG_VERSION"))) {
    const what = kept === null ? "missing" : `not in ${file}, which is empty`
    throw new EmbeddedDatabaseFailure(`The password of the database in ${cluster} is ${what}; put ${file} back.`)
  }
  const password = randomBytes(24).toString("base64url")
  writeAtomically(file, `${password}\n`)
  return password
}

/** Gives the files to the account: a restored copy may belong to root, and PostgreSQL does not run as root. */
const changeOwner = (account: Account, cluster: string): void => {
  for (const name of readdirSync(cluster, { recursive: true, encoding: "utf8" })) {
    lchownSync(join(cluster, name), account.uid, account.gid)
  }
  chownSync(cluster, account.uid, account.gid)
}

/** Removes what killed starts left. An initdb may still be writing into a draft: then the next start removes it. */
const removeDrafts = (home: string): void => {
  for (const name of readdirSync(home).filter((entry) => entry.startsWith(draftPrefix))) {
    try {
      rmSync(join(home, name), { recursive: true, force: true })
    } catch (error) {
      if (codeOf(error) !== "ENOTEMPTY") throw error
    }
  }
}

const initialise = async (
  location: ClusterLocation,
  binaries: Binaries,
  password: string,
  durable: boolean,
): Promise<void> => {
  const draft = mkdtempSync(join(location.home, draftPrefix))
  const passwordFile = join(draft, "password")
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (location.account) {
    chownSync(passwordFile, location.account.uid, location.account.gid)
    chownSync(draft, location.account.uid, location.account.gid)
  }
  const cluster = join(draft, "cluster")
  const flags = ["--username=postgres", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-instructions"]
  if (!durable) flags.push("--no-sync")
  try {
    await promisify(execFile)(
      binaries.initdb,
      [`--pgdata=${cluster}`, `--pwfile=${passwordFile}`, ...flags],
      programOptions(location.account, draft),
    )
    renameSync(cluster, location.cluster)
    if (durable) flushFolder(location.home)
  } catch (error) {
    if (!(error instanceof Error && "stderr" in error)) throw error
    throw failureOf("initdb", codeOf(error), String(error.stderr))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Makes the cluster on the first start, in a draft folder that is renamed when it is complete, so an interrupted start
 * leaves no half-made cluster. Fails when the cluster is of another major version.
 */
export const ensureCluster = async (
  location: ClusterLocation,
  binaries: Binaries,
  password: string,
  durable: boolean,
): Promise<void> => {
  removeDrafts(location.home)
  const versionFile = join(location.cluster, "PG_VERSION")
  if (!existsSync(versionFile)) return initialise(location, binaries, password, durable)
  const { uid, mode } = statSync(location.cluster)
  if (location.account && uid === 0) changeOwner(location.account, location.cluster)
  // Copies and some container volumes open the folder to others, which PostgreSQL refuses.
  if (mode & 0o027) chmodSync(location.cluster, 0o700)
  const version = Number(readFileSync(versionFile, "utf8"))
  if (version !== binaries.majorVersion) {
    throw new EmbeddedDatabaseFailure(
      `The database in ${location.cluster} is of PostgreSQL ${version}, and this Hearth brings PostgreSQL ${binaries.majorVersion}; go back to the Hearth that made it and move the data with pg_dump, or ${useYourOwn}.`,
    )
  }
}
