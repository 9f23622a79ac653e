import { Effect } from "effect"
import type { BackgroundControlDb } from "../background/port.ts"
import type { ProjectJob } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import type { MediaAssetRow } from "./asset.ts"
import type { MediaDb } from "./port.ts"
import { pendingMillis } from "./rules.ts"
import { type CheckedFiles, settleFiles } from "./settle-files.ts"

const jobName = "media.files"
// As many as S3 removes with one call.
const removalsAtOnce = 1_000
const checksAtOnce = 200
const asksAtOnce = 8
// What is left after so many pieces waits for the next run.
const piecesPerRun = 20

/** To be called before something is committed that the storage has to be asked or told of at `at` [E10]. */
export const expectMediaWork = (
  { clock, control }: Pick<Ports<never, BackgroundControlDb>, "clock" | "control">,
  projectId: string,
  at: Date,
) => control.transact((db) => db.jobs.markPending(projectId, jobName, at, clock.now()))

const soonest = (one: Date | null, two: Date | null) => (one === null || (two !== null && two < one) ? two : one)

/**
 * Makes the job that brings a project and the storage together: removes the files of rows that are gone, and asks for those that
 * are pending, after 20 minutes and after a day, when what is not there is given up [I7.3]. No lock is held meanwhile.
 */
export const makeFilesJob = ({
  clock,
  storage,
  tenants,
}: Pick<Ports<MediaDb>, "clock" | "storage" | "tenants">): ProjectJob => {
  const removeNext = Effect.fnUntraced(function* (projectId: string, now: Date) {
    const due = yield* tenants.read(projectId, (db) => db.mediaRemovals.due(now, removalsAtOnce))
    if (due.length === 0) return false
    yield* storage.remove(due.map(({ path }) => path))
    yield* tenants.read(projectId, (db) => db.mediaRemovals.removeAll(due.map(({ id }) => id)))
    return due.length === removalsAtOnce
  })

  const ask = (now: Date) => (row: MediaAssetRow) =>
    Effect.map(storage.find(row.path), (file): CheckedFiles => {
      const none: CheckedFiles = { arrived: [], later: [], lost: [] }
      if (file !== null) return { ...none, arrived: [{ id: row.id, size_bytes: file.size_bytes }] }
      const check_at = new Date(row.created_at.getTime() + pendingMillis)
      return check_at > now ? { ...none, later: [{ id: row.id, check_at }] } : { ...none, lost: [row.id] }
    })

  const checkNext = Effect.fnUntraced(function* (projectId: string, now: Date) {
    const due = yield* tenants.read(projectId, (db) => db.mediaAssets.due(now, checksAtOnce))
    if (due.length === 0) return false
    const checked = yield* Effect.forEach(due, ask(now), { concurrency: asksAtOnce })
    const all = {
      arrived: checked.flatMap(({ arrived }) => arrived),
      later: checked.flatMap(({ later }) => later),
      lost: checked.flatMap(({ lost }) => lost),
    }
    yield* tenants.transact(projectId, (db) => settleFiles(db, all))
    return due.length === checksAtOnce
  })

  const repeat = Effect.fnUntraced(function* <E>(work: Effect.Effect<boolean, E>) {
    for (let pieces = 0; pieces < piecesPerRun; pieces += 1) if (!(yield* work)) return
  })

  return {
    name: jobName,
    // A storage that cannot be reached is asked again in five minutes, as after every job that dies.
    run: Effect.fn("media.files")(function* (projectId: string) {
      const now = clock.now()
      yield* repeat(removeNext(projectId, now)).pipe(Effect.catchTag("StorageUnavailable", Effect.die))
      yield* repeat(checkNext(projectId, now)).pipe(Effect.catchTag("StorageUnavailable", Effect.die))
      const [removal, check] = yield* tenants.read(projectId, (db) =>
        Effect.all([db.mediaRemovals.nextDueAt(), db.mediaAssets.nextCheckAt()]),
      )
      return soonest(removal, check)
    }),
  }
}
