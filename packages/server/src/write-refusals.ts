import type { Log } from "@hearth/adapters"
import { type Engagement, ServiceUnavailable } from "@hearth/core"
import type { Refused } from "@hearth/core/refusals"
import { Cause, Effect, Exit } from "effect"

// What is refused in this time is written together. A developer who looks sees what this process knows at once.
const writeMillis = 5_000

/** Notes refused calls, and writes them. */
export interface RefusalWriter {
  readonly note: (refused: Refused) => void
  /** Writes what is left. */
  stop(): Promise<void>
}

/** Writes refused calls some seconds after the first one, and nothing while there are none. What cannot be written is tried again. */
export const startRefusalWriter = ({ note, write }: Engagement["refusals"], log: Log): RefusalWriter => {
  let timer: NodeJS.Timeout | undefined
  const writeNow = async () => {
    clearTimeout(timer)
    timer = undefined
    const written = await Effect.runPromiseExit(write())
    if (Exit.isSuccess(written)) return
    // That the database is away is logged where it is found.
    if (Cause.squash(written.cause) instanceof ServiceUnavailable) writeSoon()
    else log("warn", "refused calls were not written", { cause: Cause.pretty(written.cause) })
  }
  const writeSoon = () => {
    timer ??= setTimeout(writeNow, writeMillis).unref()
  }
  return {
    note: (refused) => {
      note(refused)
      writeSoon()
    },
    stop: async () => {
      await writeNow()
      clearTimeout(timer)
    },
  }
}
