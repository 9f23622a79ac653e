import { Text, Timestamp, Uuid } from "@hearth/core"
import type { IntroducedReactions, WorkerRegistry } from "@hearth/core/background"
import { Schema } from "effect"
import type { Statements } from "../memory/database.ts"
import { canLockRow, insertRow, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { sorted } from "../memory/table.ts"

/** The reactions that a project was given, by name. */
export const introducedShape = describeTable("introduced reactions", Schema.Struct({ id: Text }))

/** The workers that were seen. */
export const workerShape = describeTable(
  "workers",
  Schema.Struct({ id: Uuid, reactions: Schema.Array(Text), seen_at: Timestamp }),
)

/** The reactions that a project was given. */
export const memoryIntroducedReactions = (statements: Statements): IntroducedReactions => ({
  names: () =>
    statements.query((draft) =>
      sorted(introducedShape, [...rowsOf(draft, introducedShape).values()], [["id", "asc"]]).map(({ id }) => id),
    ),
  add: (name) =>
    statements.change((draft) => {
      if (rowsOf(draft, introducedShape).get(name) === undefined) insertRow(draft, introducedShape, { id: name })
    }),
  remove: (name) =>
    statements.change((draft) => {
      const present = rowsOf(draft, introducedShape).get(name)
      if (present !== undefined) removeRow(draft, introducedShape, present)
    }),
})

/** The workers of the installation. */
export const memoryWorkerRegistry = (statements: Statements): WorkerRegistry => ({
  beat: (worker, since) =>
    statements.change((draft) => {
      for (const seen of rowsOf(draft, workerShape).values()) {
        const isGone = seen.id !== worker.id && seen.seen_at < since
        if (isGone && canLockRow(draft, workerShape, seen.id, "update")) removeRow(draft, workerShape, seen)
      }
      const present = rowsOf(draft, workerShape).get(worker.id)
      if (present === undefined) insertRow(draft, workerShape, worker)
      else replaceRow(draft, workerShape, present, worker)
      const others = [...rowsOf(draft, workerShape).values()].filter(
        ({ id, seen_at }) => id !== worker.id && seen_at >= since,
      )
      return sorted(workerShape, others, [["id", "asc"]])
    }),
})
