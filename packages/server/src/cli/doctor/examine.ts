import {
  type Environment,
  inspectPostgres,
  isLeftOut,
  locatePackage,
  readEnvironment,
  WrongUserFailure,
} from "@hearth/adapters"
import { readWorkerConfig } from "@hearth/worker"
import { Result } from "effect"
import { readServerConfig, type ServerConfig } from "../../config.ts"
import { openDatabase } from "../open-database.ts"
import { checkBacking } from "./check-backing.ts"
import { checkDisks, checkKeys } from "./check-machine.ts"
import { type Finding, failed, failedBy, ok } from "./finding.ts"
import { connectionsPerProcess, judgeDatabase } from "./judge-database.ts"

/** Whether the first start can make the database. */
const checkFirstStart = ({ dataDir }: ServerConfig): Finding => {
  try {
    locatePackage()
    return ok("postgres", `There is no database in ${dataDir} yet: the first start makes it.`)
  } catch (error) {
    return failedBy("postgres", error, "Set DATABASE_URL.")
  }
}

const examineDatabase = async (config: ServerConfig, secretKeys: ReadonlyArray<string> | null) => {
  const isEmbedded = config.databaseUrl === null
  const database = await openDatabase(config, { mayCreate: false })
  if (database === null) {
    return { findings: [checkFirstStart(config)], backing: await checkBacking(config, null) }
  }
  try {
    const report = await inspectPostgres(database.url)
    const controlUrl = new URL(database.url)
    controlUrl.pathname = `/${encodeURIComponent(report.control?.database ?? "")}`
    const findings = judgeDatabase(report, { isEmbedded, secretKeys }).filter(
      // It is stopped, which is no fault.
      ({ check }) => check !== "worker" || database.isShared,
    )
    return { findings, backing: await checkBacking(config, report.control === null ? null : controlUrl.href) }
  } finally {
    await database.close()
  }
}

const tooManyConnections = "53300"
const noSuchDatabase = "3D000"

/** What bounds the connections: max_connections, or a limit of the user or of the database. */
const findLimit = ({ message }: Error): string => {
  const [, kind, name] = /for (role|database) "(.+)"$/.exec(message) ?? []
  return kind === undefined
    ? `Set max_connections of PostgreSQL to ${connectionsPerProcess} for each server and worker, and some for yourself, or end what else is connected: see pg_stat_activity.`
    : `Take its limit away: alter ${kind} "${name}" connection limit -1;`
}

const findRemedy = ({ databaseUrl }: ServerConfig, error: unknown): string => {
  if (error instanceof WrongUserFailure) return "Run hearth as the user that runs the service."
  if (databaseUrl === null) return "See postgres.log in DATA_DIR."
  const code = error instanceof Error ? (error.cause as NodeJS.ErrnoException)?.code : undefined
  if (error instanceof Error && code === tooManyConnections) return findLimit(error)
  return code === noSuchDatabase
    ? "Create it with createdb, or name postgres in DATABASE_URL: then a database hearth is made beside it."
    : "Start PostgreSQL, or correct DATABASE_URL: host, port, user, password, database."
}

const problemsOf = (read: Result.Result<unknown, ReadonlyArray<string>>) => (Result.isFailure(read) ? read.failure : [])

/** What is wrong with the settings. A worker reads the same ones, but for a service with a database of its own. */
const listProblems = (environment: Environment): ReadonlyArray<string> => {
  const ofServer = problemsOf(readServerConfig(environment))
  if (isLeftOut(environment, "DATABASE_URL")) return ofServer
  const nameOf = (problem: string) => problem.split(":")[0]
  const named = new Set(ofServer.map(nameOf))
  return [...ofServer, ...problemsOf(readWorkerConfig(environment)).filter((each) => !named.has(nameOf(each)))]
}

/** Looks at everything that the service needs. */
export const examine = async (): Promise<ReadonlyArray<Finding>> => {
  const environment = readEnvironment()
  const read = readServerConfig(environment)
  const problems = listProblems(environment)
  if (Result.isFailure(read) || problems.length > 0)
    return problems.map((problem) => failed("settings", problem, "Correct the setting; .env.example lists them all."))
  const config = read.success
  const keys = await checkKeys(config)
  const known = [ok("settings", "All settings can be read."), ...keys.findings]
  const disks = await checkDisks(config)
  try {
    const { findings, backing } = await examineDatabase(config, keys.fingerprints)
    return [...known, ...findings, ...backing, ...disks]
  } catch (error) {
    return [
      ...known,
      failedBy("postgres", error, findRemedy(config, error)),
      ...(await checkBacking(config, null)),
      ...disks,
    ]
  }
}
