/** What a check found. */
export interface Finding {
  readonly check: string
  readonly status: "ok" | "warning" | "failed"
  /** One sentence. */
  readonly message: string
  /** What to do about it; null where nothing is to be done. */
  readonly remedy: string | null
}

/** All is well. */
export const ok = (check: string, message: string): Finding => ({ check, status: "ok", message, remedy: null })

/** The service works, and something may go wrong or be missing. */
export const warning = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: "warning",
  message,
  remedy,
})

/** The service does not work, or loses something. */
export const failed = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: "failed",
  message,
  remedy,
})

// Messages of drivers end without a full stop, and a sentence follows.
const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** What a check that threw has found for want of a right to a file or folder; null where that is not why. */
export const failedByRight = (check: string, error: unknown, what: "read" | "write", path: string): Finding | null => {
  if (!["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) return null
  const user = process.getuid === undefined ? "This user" : `This user (uid ${process.getuid()})`
  return failed(check, `${user} may not ${what} ${path}.`, "Let it, or run hearth as the user that runs the service.")
}

/** What a check that threw has found. */
export const failedBy = (check: string, error: unknown, remedy: string): Finding =>
  failed(check, endSentence(error instanceof Error ? error.message : String(error)), remedy)
