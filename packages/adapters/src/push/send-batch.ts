import { setImmediate } from "node:timers/promises"
import type { PushMessage, PushOutcome } from "@hearth/core/push"
import type { PushTiming } from "./timing.ts"

/** Sends pushes of one account. */
export interface PushClient {
  /** What became of each message, in their order. Never rejects. After `stopping` is aborted none is begun. */
  send(messages: ReadonlyArray<PushMessage>, stopping: AbortSignal): Promise<ReadonlyArray<PushOutcome>>
  /** Lets what is under way finish, and hangs up. */
  close(): Promise<void>
}

/** How a batch is sent. */
export interface BatchPlan<Outcome> {
  /** How many messages may be under way at once. */
  readonly width: number
  readonly timing: Pick<PushTiming, "beginMillis" | "batchMillis">
  /** Sends one. */
  readonly sendOne: (message: PushMessage) => Promise<Outcome | PushOutcome>
}

const notBegun: PushOutcome = { kind: "retry", reason: "NotBegun", after_seconds: null }
const late: PushOutcome = { kind: "unknown", reason: "Timeout" }
const silent: PushOutcome = { kind: "retry", reason: "ProviderSilent", after_seconds: 30 }
const fault: PushOutcome = { kind: "unknown", reason: "InternalError" }

// After so many in a row without an answer, further ones would only become unknown as well.
const silenceLimit = 20

// To begin a push takes some 50 µs. Other calls of the process must not wait for a whole batch of them.
const sliceSize = 20

/** Begins `count` lines of work, a few of them in each turn of the event loop. Resolves when all of them have ended. */
const beginInSlices = async (count: number, work: () => Promise<void>): Promise<void> => {
  const lines: Array<Promise<void>> = []
  while (lines.length < count) {
    if (lines.length > 0 && lines.length % sliceSize === 0) await setImmediate()
    lines.push(work())
  }
  await Promise.all(lines)
}

/**
 * Sends messages, some side by side, within `batchMillis`. What was not begun within `beginMillis` is `retry`. Once the provider has
 * refused the account, the others are `misconfigured` without being sent; and `retry` once it answers nothing any more.
 */
export const sendBatch = async <Outcome extends { readonly kind: string } = PushOutcome>(
  messages: ReadonlyArray<PushMessage>,
  { width, timing, sendOne }: BatchPlan<Outcome>,
  stopping: AbortSignal,
): Promise<ReadonlyArray<Outcome | PushOutcome>> => {
  const until = performance.now() + timing.beginMillis
  const outcomes: Array<Outcome | PushOutcome | undefined> = messages.map(() => undefined)
  let stop: Outcome | PushOutcome | null = null
  let next = 0
  let unanswered = 0
  const work = async () => {
    for (let message = messages[next]; message !== undefined; message = messages[next]) {
      const index = next++
      if (stop === null && (stopping.aborted || performance.now() > until)) stop = notBegun
      const outcome = stop ?? (await sendOne(message).catch(() => fault))
      if (outcome.kind === "misconfigured") stop ??= outcome
      unanswered = outcome.kind === "unknown" ? unanswered + 1 : 0
      if (unanswered >= silenceLimit) stop ??= silent
      outcomes[index] = outcome
    }
  }
  const lines = beginInSlices(Math.min(width, messages.length), work)
  let patience: NodeJS.Timeout | undefined
  await Promise.race([lines, new Promise((resolve) => (patience = setTimeout(resolve, timing.batchMillis)))])
  clearTimeout(patience)
  const begun = next
  next = messages.length
  return outcomes.map((outcome, index) => outcome ?? (index < begun ? late : notBegun))
}
