import { Effect } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { MediaControlDb } from "./port.ts"
import { arrivalMillis } from "./rules.ts"

// A storage that cannot be reached is asked again after this.
const retryMillis = 60_000
const projectsAtOnce = 20
// So long the removal of a project waits for its files. The rest is done by the poll.
const patience = "5 seconds"

/**
 * Removes the files of projects that are gone: noted in the transaction that removes the project, done at once where the storage
 * answers, else by the poll, and once more when no upload can arrive any more [I7.3].
 */
export const makeProjectFiles = ({
  clock,
  control,
  signals,
  storage,
}: Pick<Ports<never, MediaControlDb>, "clock" | "control" | "signals" | "storage">) => {
  const sweepOne = Effect.fnUntraced(function* (id: string, last_at: Date) {
    yield* storage.removeProject(id)
    yield* control.read((db) =>
      clock.now() >= last_at
        ? Effect.asVoid(db.projectFiles.remove({ id }))
        : Effect.orDie(Effect.asVoid(db.projectFiles.update(id, { due_at: last_at }))),
    )
  })

  const retryLater = (id: string, reason: unknown) =>
    Effect.gen(function* () {
      const now = clock.now()
      signals.emit({ name: "processing_failed", project_id: id, reason: String(reason).slice(0, 500) })
      const due_at = new Date(now.getTime() + retryMillis)
      yield* Effect.orDie(control.read((db) => db.projectFiles.update(id, { due_at })))
    })

  return {
    /** To be called in the transaction that removes a project. */
    note: Effect.fnUntraced(function* (db: MediaControlDb, id: string) {
      const now = clock.now()
      yield* db.projectFiles.remove({ id })
      yield* Effect.orDie(db.projectFiles.insert({ id, due_at: now, last_at: new Date(now.getTime() + arrivalMillis) }))
    }),

    /** To be called after it. */
    sweepNow: (id: string) =>
      sweepOne(id, new Date(clock.now().getTime() + arrivalMillis)).pipe(
        Effect.timeoutOption(patience),
        Effect.ignoreCause,
      ),

    /** Removes the files of all projects that are due. */
    sweep: Effect.fnUntraced(function* () {
      const due = yield* control.read((db) => db.projectFiles.due(clock.now(), projectsAtOnce))
      yield* Effect.forEach(
        due,
        ({ id, last_at }) => Effect.catchCause(sweepOne(id, last_at), (cause) => retryLater(id, cause)),
        { discard: true },
      )
    }),
  }
}
