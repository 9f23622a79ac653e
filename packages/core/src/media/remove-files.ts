import { Effect, Option } from "effect"
import type { BackgroundControlDb } from "../background/port.ts"
import type { Ids } from "../ports/ids.ts"
import type { Ports } from "../ports/ports.ts"
import type { Departure } from "../users/departure.ts"
import type { MediaAssetRow, MediaRemoval } from "./asset.ts"
import { expectMediaWork } from "./files-job.ts"
import type { MediaDb } from "./port.ts"
import { arrivalMillis } from "./rules.ts"

// So long a caller waits for the storage. What it does not do by then is done by the job.
const patience = "5 seconds"
// A piece of a departure [I0.4].
const pieceRows = 500

// What is pending may be there without our knowing, and for as long as its address holds a file may still arrive, in a bucket also
// where one was before: it is removed now, and once more then.
const listRemovals = (ids: Ids, { path, created_at }: MediaAssetRow, now: Date): ReadonlyArray<MediaRemoval> => {
  const last = new Date(created_at.getTime() + arrivalMillis)
  const dueAt = last > now ? [now, last] : [now]
  return dueAt.map((due_at) => ({ id: ids.uuid(), path, due_at }))
}

/** Removes rows that the caller has locked, and notes their files for removal. Answers what it has noted. */
const removeRows = Effect.fnUntraced(function* (db: MediaDb, ids: Ids, rows: ReadonlyArray<MediaAssetRow>, now: Date) {
  const removals = rows.flatMap((row) => listRemovals(ids, row, now))
  yield* db.mediaAssets.removeAll(rows.map(({ id }) => id))
  yield* db.mediaUsage.add(-rows.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0))
  yield* db.mediaRemovals.insertAll(removals)
  return removals
})

/**
 * Makes the removal of a file. The row goes in the transaction that notes the file for removal; then the file, at once where the
 * storage answers, else by the job of the project [I7.3]. Answers whether it was there; with a user whether it was the user's.
 */
export const makeRemoveFiles = ({
  clock,
  control,
  ids,
  storage,
  tenants,
}: Pick<Ports<MediaDb, BackgroundControlDb>, "clock" | "control" | "ids" | "storage" | "tenants">) =>
  Effect.fnUntraced(function* (projectId: string, id: string, userId: string | null) {
    const now = clock.now()
    yield* expectMediaWork({ clock, control }, projectId, now)
    const removed = yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const row = Option.getOrNull(yield* db.mediaAssets.lock(id, "update"))
        if (row === null || (userId !== null && row.app_user_id !== userId)) return null
        return yield* removeRows(db, ids, [row], now)
      }),
    )
    if (removed === null) return false
    const due = removed.filter(({ due_at }) => due_at <= now)
    const forget = (kept: ReadonlyArray<string>) => {
      const gone = due.filter(({ path }) => !kept.includes(path))
      return tenants.read(projectId, (db) => db.mediaRemovals.removeAll(gone.map(({ id }) => id)))
    }
    const files = storage.remove(due.map(({ path }) => path))
    yield* Effect.flatMap(files, forget).pipe(Effect.timeoutOption(patience), Effect.ignoreCause)
    return true
  })

/** Removes the uploads of a user who is removed: the rows here, the files by the job of the project [I0.4]. */
export const makeMediaDeparture =
  ({ clock, ids }: Pick<Ports, "clock" | "ids">): Departure<MediaDb> =>
  (db, userId) =>
    Effect.gen(function* () {
      const rows = yield* db.mediaAssets.lockOf(userId, pieceRows)
      if (rows.length === 0) return false
      yield* removeRows(db, ids, rows, clock.now())
      return rows.length === pieceRows
    })
