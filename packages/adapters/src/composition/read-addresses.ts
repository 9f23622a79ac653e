import { Result } from "effect"
import { backingSettings, readSettings } from "../environment/index.ts"
import { mailSettings } from "../mail/index.ts"
import { storageSettings } from "../media/index.ts"

/** The addresses that a service on PostgreSQL is given. One that is empty counts as left out, but for that of the database. */
export interface Addresses {
  readonly databaseUrl: string
  readonly redisUrl?: string | undefined
  readonly smtpUrl?: string | undefined
  readonly mailFrom?: string | undefined
  readonly storageUrl?: string | undefined
}

// They are read as the variables of the executables are, and told by the names of the options.
const settings = {
  databaseUrl: backingSettings.DATABASE_URL,
  redisUrl: backingSettings.REDIS_URL,
  smtpUrl: mailSettings.SMTP_URL,
  mailFrom: mailSettings.MAIL_FROM,
  storageUrl: storageSettings.STORAGE_URL,
}

const missing =
  "databaseUrl: is required; it is a PostgreSQL server, like postgres://user:password@db.example:5432/hearth."

/** Reads addresses. Throws a `TypeError` that names all that do not do, without their passwords. */
export const readAddresses = ({ databaseUrl, redisUrl, smtpUrl, mailFrom, storageUrl }: Addresses) => {
  const read = readSettings(settings, { databaseUrl, redisUrl, smtpUrl, mailFrom, storageUrl })
  const problems = Result.isFailure(read) ? read.failure : []
  const all = (databaseUrl ?? "") === "" ? [missing, ...problems] : problems
  if (all.length > 0 || Result.isFailure(read)) throw new TypeError(all.join("\n"))
  return { ...read.success, databaseUrl: read.success.databaseUrl ?? databaseUrl }
}
