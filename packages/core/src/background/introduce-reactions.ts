import { Effect } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { BackgroundControlDb, BackgroundDb } from "./port.ts"
import type { Reaction } from "./reaction.ts"

// Workers are seen at every poll, each 30 seconds [E10]. One that was not seen for so long is gone.
const goneMillis = 2 * 60_000

/** The job of a project that introduces a reaction. A project that never ran it is due at the first poll. */
const introductionJob = (reaction: string) => `introduce/${reaction}`

/**
 * Introduces new reactions to projects that have events already. As long as an older worker is at work it handles events without
 * them, so a project gets a new reaction's rebuild, once, when the last such worker is gone. An older worker that comes back
 * takes the introduction back before it handles an event, and the rebuild runs again after it.
 */
export const makeIntroductions = <Db extends BackgroundDb>(
  { clock, control, ids, tenants }: Pick<Ports<Db, BackgroundControlDb>, "clock" | "control" | "ids" | "tenants">,
  reactions: ReadonlyArray<Reaction<Db>>,
) => {
  const names = reactions.map(({ name }) => name)
  const rebuilt = reactions.flatMap(({ name, rebuild }) => (rebuild === undefined ? [] : [{ name, topic: rebuild }]))
  const jobs = rebuilt.map(({ name }) => introductionJob(name))
  let workerId: string | undefined
  // When the last of the older workers will be gone, if it is not seen again; null where there is none. Unknown before the first beat.
  let olderGoneAt: Date | null | undefined

  const missingIn = (introduced: ReadonlyArray<string>) => rebuilt.filter(({ name }) => !introduced.includes(name))

  const introduceMissing = Effect.fnUntraced(function* (db: Db) {
    yield* db.outbox.hold()
    for (const { name, topic } of missingIn(yield* db.introducedReactions.names())) {
      yield* db.introducedReactions.add(name)
      yield* db.outbox.add(topic, {})
    }
  })

  return {
    /** The jobs of projects that introduce reactions. */
    jobs,

    /** Tells the other workers of this one, and learns whether one of them lacks a reaction that is run here. */
    beat: Effect.suspend(() => {
      workerId ??= ids.uuid()
      const beat = { id: workerId, reactions: names, seen_at: clock.now() }
      const since = new Date(beat.seen_at.getTime() - goneMillis)
      return Effect.map(
        control.transact((db) => db.workers.beat(beat, since)),
        (others) => {
          const older = others.filter((other) => rebuilt.some(({ name }) => !other.reactions.includes(name)))
          const seenAt = Math.max(...older.map(({ seen_at }) => seen_at.getTime()))
          olderGoneAt = older.length === 0 ? null : new Date(seenAt + goneMillis + 1)
        },
      )
    }),

    /** Introduces to a project what it lacks, or answers when to look again. */
    introduce: Effect.fnUntraced(function* (projectId: string) {
      if (rebuilt.length === 0) return new Map<string, Date | null>()
      const missing = missingIn(yield* tenants.read(projectId, (db) => db.introducedReactions.names()))
      if (missing.length > 0 && olderGoneAt === null)
        yield* tenants.transact(projectId, introduceMissing, { locks: "hold" })
      const unknownUntil = new Date(clock.now().getTime() + goneMillis)
      const again = missing.length === 0 ? null : olderGoneAt === undefined ? unknownUntil : olderGoneAt
      return new Map<string, Date | null>(jobs.map((job) => [job, again]))
    }),

    /**
     * Takes back what is not run here of the reactions that were introduced, and has it introduced again. To be called under the
     * hold, before events are handled; the names were read under it too.
     */
    forgetOthers: Effect.fnUntraced(function* (projectId: string, db: Db, introduced: ReadonlyArray<string>) {
      for (const name of introduced) {
        if (names.includes(name)) continue
        const now = clock.now()
        yield* control.transact((control) => control.jobs.markPending(projectId, introductionJob(name), now, now))
        yield* db.introducedReactions.remove(name)
      }
    }),
  }
}

/** Introduces new reactions to projects. */
export type Introductions<Db extends BackgroundDb> = ReturnType<typeof makeIntroductions<Db>>
