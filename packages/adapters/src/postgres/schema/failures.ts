import { reasonOf } from "../connections/connection-lost.ts"
import { readSqlState } from "./server.ts"

/** A step that failed. What it had begun was rolled back, and the steps before it are kept. */
export class StepFailed extends Error {
  override readonly name = "StepFailed"
  readonly step: string
  /** The SQLSTATE, where the server refused it. */
  readonly code: string | null
  constructor(step: string, cause: unknown) {
    super(`Step ${step} of the schema failed: ${reasonOf(cause)}`, { cause })
    this.step = step
    this.code = readSqlState(cause)
  }
}

/** The database is of a later release, which this one cannot work with. The message is for the operator. */
export class ReleaseTooOld extends Error {
  override readonly name = "ReleaseTooOld"
  constructor(database: string, needs: string, release: string) {
    super(
      `The database ${database} needs Hearth ${needs} or later, and this is ${release}: start that release, or restore the database from before it.`,
    )
  }
}

/** The database has no schema at all: a restore has not begun, or somebody else made it. It is left as it is. */
export class SchemaMissing extends Error {
  override readonly name = "SchemaMissing"
  constructor(database: string) {
    super(`The database ${database} is empty: restore it, or drop it.`)
  }
}

/** Another process is bringing the database up to date. */
export class MigratedElsewhere extends Error {
  override readonly name = "MigratedElsewhere"
  constructor(database: string) {
    super(`The database ${database} is being brought up to date by another process.`)
  }
}
