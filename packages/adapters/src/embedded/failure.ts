/** The embedded PostgreSQL cannot be started. The message is one sentence for the operator, with what to do about it. */
export class EmbeddedDatabaseFailure extends Error {
  override readonly name: string = "EmbeddedDatabaseFailure"
}

/** A failure that may pass within seconds, such as processes of a killed server that still hold its memory. */
export class TransientFailure extends EmbeddedDatabaseFailure {}

/** This user may not do what the one may who runs the service. */
export class WrongUserFailure extends EmbeddedDatabaseFailure {}

/** What to do where the embedded PostgreSQL cannot run. */
export const useYourOwn = "set DATABASE_URL to the address of a PostgreSQL server"

/** Nothing can be written to the disk of the database. */
export const noSpace = (what: string): EmbeddedDatabaseFailure =>
  new EmbeddedDatabaseFailure(
    `No space is left for ${what}: make room on its disk, or set DATA_DIR to a folder on a larger one.`,
  )

/** The system's code of an error (`ENOENT`, `EACCES`, …), or of a failed query (`28P01`), if it has one. */
export const codeOf = (error: unknown): string | number | undefined =>
  error instanceof Error && "code" in error && (typeof error.code === "string" || typeof error.code === "number")
    ? error.code
    : undefined

const who = () => (process.getuid ? `this user (uid ${process.getuid()})` : "this user")

/** Turns an error of a system call into a sentence about the data folder. Answers other errors unchanged. */
export const explain = (error: unknown, dataDir: string): unknown => {
  if (!(error instanceof Error) || !("syscall" in error)) return error
  const Failure = ["EACCES", "EPERM"].includes(String(codeOf(error))) ? WrongUserFailure : EmbeddedDatabaseFailure
  const failure = (sentence: string) => new Failure(sentence, { cause: error })
  if (String(error.syscall).startsWith("spawn")) {
    return failure(`PostgreSQL cannot be started by ${who()}: ${error.message}; ${useYourOwn}.`)
  }
  switch (codeOf(error)) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return failure(
        `The data folder ${dataDir} cannot be written by ${who()}: ${error.message}; let it, or set DATA_DIR to another folder.`,
      )
    case "EEXIST":
    case "ENOTDIR":
      return failure(`The data folder ${dataDir} is not a folder; set DATA_DIR to one that is, or that can be made.`)
    case "ENOENT":
      return failure(`The data folder ${dataDir} cannot be made, as on a read-only disk, or has vanished.`)
    case "ENOSPC":
    case "EDQUOT":
      return noSpace(`the data folder ${dataDir}`)
    default:
      return failure(`The data folder ${dataDir} cannot be used: ${error.message}.`)
  }
}
