import { Effect, Array as Lists, Option } from "effect"
import type { BackgroundControlDb } from "../background/port.ts"
import type { ProjectJob } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import { type MediaAssetRow, StorageUnavailable } from "./asset.ts"
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
// What the storage has not removed, or says nothing of, is asked for again after this, as after every job that dies.
const retryMillis = 5 * 60_000

/** To be called before something is committed that the storage has to be asked or told of at `at` [E10]. */
export const expectMediaWork = (
  { clock, control }: Pick<Ports<never, BackgroundControlDb>, "clock" | "control">,
  projectId: string,
  at: Date,
) => control.transact((db) => db.jobs.markPending(projectId, jobName, at, clock.now()))

const soonest = (one: Date | null, two: Date | null) => (one === null || (two !== null && two < one) ? two : one)

/**
 * Makes the job that brings a project and the storage together: removes the files of rows that are gone, and asks for those that
 * are pending, after 20 minutes and after a day, when what is not there is given up [I7.3]. What the storage refuses for one file
 * keeps the others from nothing. No lock is held meanwhile.
 */
export const makeFilesJob = ({
  clock,
  ids,
  storage,
  tenants,
}: Pick<Ports<MediaDb>, "clock" | "ids" | "storage" | "tenants">): ProjectJob => {
  const retryAt = (now: Date) => new Date(now.getTime() + retryMillis)

  const removeNext = Effect.fnUntraced(function* (projectId: string, now: Date) {
    const due = yield* tenants.read(projectId, (db) => db.mediaRemovals.due(now, removalsAtOnce))
    if (due.length === 0) return false
    const kept = new Set(yield* storage.remove(due.map(({ path }) => path)))
    const idsOf = (isKept: boolean) => due.filter(({ path }) => kept.has(path) === isKept).map(({ id }) => id)
    yield* tenants.transact(projectId, (db) =>
      Effect.andThen(db.mediaRemovals.removeAll(idsOf(false)), db.mediaRemovals.postpone(idsOf(true), retryAt(now))),
    )
    return due.length === removalsAtOnce
  })

  const ask = (now: Date) => (row: MediaAssetRow) =>
    Effect.map(Effect.option(storage.find(row.path)), (answer): CheckedFiles & { readonly isAnswered: boolean } => {
      const none = { arrived: [], later: [], lost: [], isAnswered: true }
      if (Option.isNone(answer)) return { ...none, later: [{ id: row.id, check_at: retryAt(now) }], isAnswered: false }
      if (answer.value !== null) return { ...none, arrived: [{ id: row.id, size_bytes: answer.value.size_bytes }] }
      const check_at = new Date(row.created_at.getTime() + pendingMillis)
      return check_at > now ? { ...none, later: [{ id: row.id, check_at }] } : { ...none, lost: [row.id] }
    })

  /** Asks for a few at a time, and for no more once it says nothing of any of them. */
  const askAll = Effect.fnUntraced(function* (rows: ReadonlyArray<MediaAssetRow>, now: Date) {
    const checked: Array<CheckedFiles> = []
    for (const some of Lists.chunksOf(rows, asksAtOnce)) {
      const answers = yield* Effect.forEach(some, ask(now), { concurrency: asksAtOnce })
      checked.push(...answers)
      if (!answers.some(({ isAnswered }) => isAnswered)) return { checked, isAway: true }
    }
    return { checked, isAway: false }
  })

  const checkNext = Effect.fnUntraced(function* (projectId: string, now: Date) {
    const due = yield* tenants.read(projectId, (db) => db.mediaAssets.due(now, checksAtOnce))
    if (due.length === 0) return false
    const { checked, isAway } = yield* askAll(due, now)
    const all = {
      arrived: checked.flatMap(({ arrived }) => arrived),
      later: checked.flatMap(({ later }) => later),
      lost: checked.flatMap(({ lost }) => lost),
    }
    yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const lost = yield* settleFiles(db, all)
        // A bucket that is not there for a while answers like one without the file.
        yield* db.mediaRemovals.insertAll(lost.map(({ path }) => ({ id: ids.uuid(), path, due_at: now })))
      }),
    )
    if (isAway) return yield* Effect.fail(new StorageUnavailable())
    return due.length === checksAtOnce
  })

  const repeat = Effect.fnUntraced(function* <E>(work: Effect.Effect<boolean, E>) {
    for (let pieces = 0; pieces < piecesPerRun; pieces += 1) if (!(yield* work)) return
  })

  /** Whether the storage has answered. */
  const hasAnswered = <E>(work: Effect.Effect<void, E | StorageUnavailable>) =>
    work.pipe(
      Effect.as(true),
      Effect.catchTag("StorageUnavailable", () => Effect.succeed(false)),
    )

  return {
    name: jobName,
    run: Effect.fn("media.files")(function* (projectId: string) {
      const now = clock.now()
      const removed = yield* hasAnswered(repeat(removeNext(projectId, now)))
      const checked = yield* hasAnswered(repeat(checkNext(projectId, now)))
      // A storage that cannot be reached is asked again in five minutes, as after every job that dies.
      if (!removed || !checked) return yield* Effect.die(new StorageUnavailable())
      const [removal, check] = yield* tenants.read(projectId, (db) =>
        Effect.all([db.mediaRemovals.nextDueAt(), db.mediaAssets.nextCheckAt()]),
      )
      return soonest(removal, check)
    }),
  }
}
