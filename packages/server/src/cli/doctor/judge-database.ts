import { type ControlReport, clockLimitMillis, type PostgresReport } from "@hearth/adapters"
import { formatCount } from "../format.ts"
import { type Finding, failed, ok, warning } from "./finding.ts"

/** What the service is, as far as the judgement depends on it. */
export interface Expectations {
  readonly isEmbedded: boolean
  /** The fingerprints of the keys of SECRETS_KEY; null where these cannot be read. */
  readonly secretKeys: ReadonlyArray<string> | null
}

const oldestVersion = 150_000
/** The pools of one server or worker: 8 to the control database, 32 to projects, one for notifications, the queue's, the limits'. */
export const connectionsPerProcess = 55
const clockToleranceMillis = 1_000
// A worker is seen at every poll, each 30 seconds.
const workerSilenceSeconds = 120

const judgeVersion = ({ version, versionNumber, answerMillis }: PostgresReport): Finding =>
  versionNumber < oldestVersion
    ? warning(
        "postgres",
        `PostgreSQL ${version} is older than those that Hearth is tested with.`,
        "Use PostgreSQL 15 or later.",
      )
    : ok("postgres", `PostgreSQL ${version} answers in ${Math.max(1, Math.round(answerMillis))} ms.`)

const judgeRights = ({ user, mayCreateDatabases }: PostgresReport): Finding =>
  mayCreateDatabases
    ? ok("rights", `${user} may create databases: each project has one.`)
    : failed(
        "rights",
        `${user} may not create databases, and each project has one.`,
        `Run as a superuser: alter role "${user}" createdb;`,
      )

const judgeWrites = ({ isReplica, isReadOnly }: PostgresReport): Finding => {
  if (isReplica)
    return failed(
      "writes",
      "PostgreSQL is a replica, and takes no writes.",
      "Let DATABASE_URL name the primary, or make this one it: select pg_promote();",
    )
  return isReadOnly
    ? failed(
        "writes",
        "PostgreSQL takes no writes: default_transaction_read_only is on.",
        "Turn it off where it was set: in postgresql.conf, for the database, or for its user.",
      )
    : ok("writes", "PostgreSQL takes writes.")
}

const judgeDurability = ({ durability }: PostgresReport): Finding => {
  const off = Object.entries(durability).filter(([, value]) => value === "off")
  const risky = off.filter(([name]) => name !== "synchronous_commit").map(([name]) => name)
  if (risky.length > 0)
    return failed(
      "durability",
      `${risky.join(" and ")} is off: a power cut may destroy the databases.`,
      `Set ${risky.map((name) => `${name} = on`).join(", ")} in postgresql.conf.`,
    )
  return off.length > 0
    ? warning(
        "durability",
        "synchronous_commit is off: a crash loses the last writes that were answered with success.",
        "Set synchronous_commit = on.",
      )
    : ok("durability", "fsync, full_page_writes and synchronous_commit are on: what is answered is on the disk.")
}

const judgeConnections = (
  { maxConnections, usedConnections }: PostgresReport,
  { isEmbedded }: Expectations,
): Finding => {
  const room = Math.floor(maxConnections / connectionsPerProcess)
  const message = `PostgreSQL takes ${maxConnections} connections, ${usedConnections} are in use; a server or worker has up to ${connectionsPerProcess}.`
  if (usedConnections > maxConnections * 0.9)
    return warning("connections", message, "Raise max_connections, or run fewer processes.")
  return isEmbedded || room >= 2
    ? ok("connections", message)
    : warning(
        "connections",
        `${message} That is room for ${room === 0 ? "not even one" : "one"}.`,
        `Set max_connections to ${connectionsPerProcess} for each server and worker, and some for yourself.`,
      )
}

const judgeClock = ({ aheadMillis }: PostgresReport): Finding => {
  const off = Math.abs(aheadMillis)
  const message = `The clock of PostgreSQL is ${Math.round(off)} ms ${aheadMillis < 0 ? "behind" : "ahead of"} this machine's.`
  if (off <= clockToleranceMillis) return ok("clock", message)
  const remedy = "Have both follow a time server (NTP)."
  return off > clockLimitMillis ? failed("clock", message, remedy) : warning("clock", message, remedy)
}

const judgeControl = ({ control, controlFailure, user }: PostgresReport): Finding => {
  if (controlFailure !== null)
    return failed(
      "schema",
      `The control database cannot be read: ${controlFailure}.`,
      `Let ${user} own it, or use the user that does.`,
    )
  if (control === null) return ok("schema", "There is no control database yet: the first start makes it.")
  const { database, missingSteps } = control
  return missingSteps.length === 0
    ? ok("schema", `The control database ${database} has the schema of this release.`)
    : warning(
        "schema",
        `The control database ${database} lacks ${formatCount(missingSteps.length, "step")} of the schema: ${missingSteps.slice(0, 3).join(", ")}${missingSteps.length > 3 ? ", …" : ""}.`,
        "Run hearth migrate, or start a server.",
      )
}

const name = (databases: ReadonlyArray<string>) =>
  `${databases.slice(0, 3).join(", ")}${databases.length > 3 ? `, and ${databases.length - 3} more` : ""}`

const judgeProjects = ({ projects: { current, behind, tooNew, lost } }: ControlReport): Finding => {
  if (lost.length > 0)
    return failed(
      "projects",
      `${lost.length} of the projects have no database: ${name(lost)}.`,
      "Restore them from a backup: hearth restore --project.",
    )
  if (tooNew.length > 0)
    return failed(
      "projects",
      `${formatCount(tooNew.length, "database of a project needs", "databases of projects need")} a later release of Hearth: ${name(tooNew)}.`,
      "Start that release.",
    )
  return behind.length > 0
    ? warning(
        "projects",
        `${formatCount(behind.length, "database of a project does", "databases of projects do")} not have the schema of this release: ${name(behind)}.`,
        "Run hearth migrate, or start a server.",
      )
    : ok(
        "projects",
        `${formatCount(current.length, "database of a project has", "databases of projects have")} the schema of this release.`,
      )
}

const judgeLeftOver = ({ projects: { leftOver } }: ControlReport): ReadonlyArray<Finding> =>
  leftOver.length === 0
    ? []
    : [
        warning(
          "restore",
          `A restore was cut short, or still runs, and ${leftOver.length === 1 ? "a database is" : `${leftOver.length} databases are`} left of it: ${name(leftOver)}.`,
          `The next restore removes what is left. Sooner, when none runs and no project misses anything, as a superuser: drop database "${leftOver[0]}" with (force);`,
        ),
      ]

const judgeSecrets = ({ sealedWith }: ControlReport, { secretKeys, isEmbedded }: Expectations): Finding => {
  const place = isEmbedded ? "DATA_DIR/secrets-key" : "SECRETS_KEY"
  if (secretKeys === null)
    return warning(
      "secrets",
      `Whether all secrets of integrations can be opened could not be checked: ${place} cannot be read.`,
      `Correct ${place} first.`,
    )
  const lost = sealedWith.filter((fingerprint) => !secretKeys.includes(fingerprint))
  return lost.length > 0
    ? failed(
        "secrets",
        `Secrets of integrations are encrypted with keys that ${place} has not: ${lost.join(", ")}.`,
        `Put the keys with these fingerprints back, behind the first one. docs/operators.md says what to do when they are lost.`,
      )
    : ok("secrets", `${place} opens all secrets of integrations.`)
}

const judgeWork = ({ workerSilentSeconds, lateJobs }: ControlReport, { isEmbedded }: Expectations): Finding => {
  const isSilent = workerSilentSeconds === null || workerSilentSeconds > workerSilenceSeconds
  const start = isEmbedded ? "Start the server: hearth start." : "Start a worker: hearth worker."
  if (isSilent)
    return warning(
      "worker",
      workerSilentSeconds === null
        ? "No worker has ever run: events are kept, and nothing reacts to them."
        : `No worker has been seen for ${Math.round(workerSilentSeconds)} s: events are kept, and nothing reacts to them.`,
      start,
    )
  return lateJobs > 0
    ? warning(
        "worker",
        `Workers run, and ${lateJobs} jobs of projects have been due for more than five minutes.`,
        "Start another worker, or look into its log for what fails.",
      )
    : ok("worker", "A worker was seen within two minutes, and nothing is late.")
}

/** What there is to say about a PostgreSQL. */
export const judgeDatabase = (report: PostgresReport, expected: Expectations): ReadonlyArray<Finding> => {
  const { control } = report
  return [
    judgeVersion(report),
    judgeRights(report),
    judgeWrites(report),
    judgeDurability(report),
    judgeConnections(report, expected),
    judgeClock(report),
    judgeControl(report),
    ...(control === null || control.missingSteps.length > 0
      ? []
      : [
          judgeProjects(control),
          ...judgeLeftOver(control),
          judgeSecrets(control, expected),
          judgeWork(control, expected),
        ]),
  ]
}
