import { Cause, Effect, Exit, Semaphore } from "effect"
import { ServiceUnavailable } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { RefusalsControlDb } from "./port.ts"
import type { Refused } from "./record.ts"
import { makeWaiting } from "./waiting.ts"

// Long enough to look into on Monday what happened on Friday.
const keptMillis = 7 * 86_400_000

// Of one project and caller. Strangers cannot push out what apps and developers were refused.
const mostRows = 200

/** Which refused calls of a project are listed. */
export interface RefusalQuery extends Slice {
  readonly code?: string
  readonly status?: number
}

const isAway = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.filter(Cause.isDieReason).some(({ defect }) => defect instanceof ServiceUnavailable)

/**
 * The log of calls that were refused, for the developers of a project: by route and code, counted. Noting one costs no input or output;
 * what was noted is written together. Counts may be lost with the process or be added twice where a commit is not answered, and kinds are
 * dropped where there are too many at once.
 */
export const makeRefusals = ({
  clock,
  control,
  ids,
}: Pick<Ports<unknown, RefusalsControlDb>, "clock" | "control" | "ids">) => {
  const waiting = makeWaiting(() => ids.uuid())
  const turn = Semaphore.makeUnsafe(1)
  const since = () => new Date(clock.now().getTime() - keptMillis)

  const writeTaken = Effect.fnUntraced(function* () {
    const rows = waiting.take()
    if (rows.length === 0) return
    const written = yield* Effect.exit(
      control.transact((db) => db.refusedCalls.add(rows, { since: since(), most: mostRows })),
    )
    // What the database refuses itself would be refused again.
    if (Exit.isFailure(written) && isAway(written.cause)) waiting.putBack(rows)
    return yield* written
  })
  // One after the other: who reads after it sees what another one was about to write. Not to be interrupted, or rows would be lost.
  const write = () => Effect.uninterruptible(turn.withPermit(writeTaken()))

  return {
    /** Counts a call that was refused. Never waits and never fails. */
    note: (refused: Refused): void => waiting.note(refused, clock.now()),

    /** Writes what was noted. Where the control database is away, it dies with `SERVICE_UNAVAILABLE`, and the next call writes it. */
    write,

    /** Calls of a project that were refused in the last seven days, the latest first: those that this process knows, and what others have written. */
    list: Effect.fn("refusals.list")((projectId: string, { code, status, ...slice }: RefusalQuery) =>
      Effect.andThen(
        Effect.ignoreCause(write()),
        control.read((db) =>
          db.refusedCalls.page(projectId, { code: code ?? null, status: status ?? null, since: since() }, slice),
        ),
      ),
    ),
  }
}
