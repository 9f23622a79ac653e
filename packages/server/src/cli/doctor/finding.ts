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

/** What a check that threw has found. */
export const failedBy = (check: string, error: unknown, remedy: string): Finding =>
  failed(check, endSentence(error instanceof Error ? error.message : String(error)), remedy)
