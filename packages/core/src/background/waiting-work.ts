import { Effect, Schema } from "effect"
import type { Ports } from "../ports/ports.ts"
import { Count, Timestamp } from "../schema.ts"
import type { BackgroundDb } from "./port.ts"

/** What waits to be handled in the background, and how late it is. */
export const WaitingWork = Schema.Struct({
  /** Entries of the outbox: the events of one call are one of them. */
  waiting: Count,
  /** When the oldest of them was written; null where none waits. */
  waiting_since: Schema.NullOr(Timestamp),
  /** For how many whole seconds the oldest has waited; 0 where none waits. */
  lag_seconds: Count,
}).annotate({ identifier: "WaitingWork" })

/** Reads what waits in the outbox of a project. What is being handled still waits: it is done once it is committed. */
export const makeWaitingWork = ({ clock, tenants }: Pick<Ports<BackgroundDb>, "clock" | "tenants">) => ({
  /** How many entries wait in a project, since when, and for how many whole seconds the oldest has. */
  find: Effect.fn("waitingWork.find")((projectId: string) =>
    Effect.map(
      tenants.read(projectId, (db) => db.outbox.waiting()),
      ({ entries, oldest }): typeof WaitingWork.Type => ({
        waiting: entries,
        waiting_since: oldest,
        // The clock of the server that wrote it may be ahead.
        lag_seconds: oldest === null ? 0 : Math.max(0, Math.floor((clock.now().getTime() - oldest.getTime()) / 1_000)),
      }),
    ),
  ),
})
