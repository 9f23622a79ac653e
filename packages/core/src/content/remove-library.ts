import { Effect, Option } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { ContentDb } from "./port.ts"
import type { ContentSchedulesDb } from "./schedules/port.ts"

// So that no piece takes long, however large a library is.
const mostRemoved = 5_000

/**
 * Removes a library with its items, of a large one in pieces that commit one by one. Nothing happens where there is none. A
 * removal that was interrupted is taken up by the next.
 */
export const makeRemoveLibrary = ({ tenants }: Pick<Ports<ContentDb & ContentSchedulesDb>, "tenants">) =>
  Effect.fn("content.removeLibrary")(function* (projectId: string, id: string) {
    const removePiece = tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        if (Option.isNone(yield* db.contentLibraries.lock(id, "update"))) return true
        // A delivery holds its schedule when it asks for an item.
        yield* db.contentSchedules.lockOfLibrary(id)
        if ((yield* db.contentItems.removeSome(id, mostRemoved)) === mostRemoved) return false
        yield* db.contentLibraries.remove({ id })
        return true
      }),
    )
    while (!(yield* removePiece)) yield* Effect.yieldNow
  })
