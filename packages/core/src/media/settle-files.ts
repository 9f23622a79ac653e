import { Effect } from "effect"
import type { MediaAssetRow } from "./asset.ts"
import type { MediaDb } from "./port.ts"

/** What the storage said of pending files. */
export interface CheckedFiles {
  /** Those that are there. */
  readonly arrived: ReadonlyArray<{ readonly id: string; readonly size_bytes: number }>
  /** Those that are not, and are asked for again at this time. */
  readonly later: ReadonlyArray<{ readonly id: string; readonly check_at: Date }>
  /** Those that are given up. */
  readonly lost: ReadonlyArray<string>
}

/** Writes what the storage said. A file that is gone or uploaded by now stays as it is. Answers the files that were given up. */
export const settleFiles = Effect.fnUntraced(function* (db: MediaDb, { arrived, later, lost }: CheckedFiles) {
  const sizes = new Map(arrived.map(({ id, size_bytes }) => [id, size_bytes]))
  const times = new Map(later.map(({ id, check_at }) => [id, check_at]))
  const rows = yield* db.mediaAssets.lockAll([...sizes.keys(), ...times.keys(), ...lost])
  const pending = rows.filter(({ status }) => status === "pending")
  const given = pending.filter(({ id }) => !sizes.has(id) && !times.has(id))
  const uploaded = { status: "uploaded", check_at: null } as const
  const checked = pending.flatMap((row): ReadonlyArray<MediaAssetRow> => {
    const [size_bytes, check_at] = [sizes.get(row.id), times.get(row.id)]
    if (size_bytes !== undefined) return [{ ...row, ...uploaded, size_bytes }]
    return check_at === undefined ? [] : [{ ...row, check_at }]
  })
  const before = new Map(pending.map(({ id, size_bytes }) => [id, size_bytes ?? 0]))
  const grown = checked.reduce((sum, { id, size_bytes }) => sum + (size_bytes ?? 0) - (before.get(id) ?? 0), 0)
  const freed = given.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0)
  yield* db.mediaAssets.saveChecked(checked)
  yield* db.mediaAssets.removeAll(given.map(({ id }) => id))
  if (grown !== freed) yield* db.mediaUsage.add(grown - freed)
  return given
})
