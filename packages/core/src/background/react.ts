import { Effect } from "effect"
import type { EngagementEvent, PlatformEvent } from "../events/event.ts"
import type { EventsDb } from "../events/port.ts"
import type { Ids } from "../ports/ids.ts"
import { together } from "../together.ts"
import { type BatchNotes, batchNote, makeBatchNotes } from "./batch-notes.ts"
import type { Introductions } from "./introduce-reactions.ts"
import type { BackgroundDb, OutboxEntry } from "./port.ts"
import type { Reaction } from "./reaction.ts"
import type { OutboxHandler } from "./work.ts"

/** Which reaction runs at the moment: read it to learn which one has failed. */
export interface ReactionProgress {
  reaction: string
}

/** The names of the introduced reactions, once everything was read that is read before the reactions run. */
const introducedNote = batchNote<ReadonlyArray<string>>("background.introduced")

/** Reads what reactions need whatever the others do, under the hold, in one round trip. Left to `react` where nobody asks for it before. */
export type Prepare<Db> = (db: Db, events: ReadonlyArray<EngagementEvent>, notes: BatchNotes) => Effect.Effect<void>

/**
 * Runs every reaction on events of one project, in the transaction and under the hold of the caller. The caller reads in `notes`
 * what they have told each other, and may tell them something before.
 */
export type React<Db> = (
  projectId: string,
  db: Db,
  events: ReadonlyArray<EngagementEvent>,
  progress?: ReactionProgress,
  notes?: BatchNotes,
) => Effect.Effect<void>

/** Reads what the reactions need whatever the others do. */
export const makePrepare = <Db extends BackgroundDb>(reactions: ReadonlyArray<Reaction<Db>>): Prepare<Db> => {
  const prepared = reactions.flatMap(({ prepare }) => (prepare === undefined ? [] : [prepare]))
  return (db, events, notes) =>
    Effect.asVoid(
      together([
        Effect.map(db.introducedReactions.names(), (names) => notes.add(introducedNote, [names])),
        ...prepared.map((prepare) => prepare(db, events, notes)),
      ]),
    )
}

// With so many the first lock takes the database as long as to put the others together.
const manyEvents = 500

/** Takes the locks of all reactions. Notes as the running one whose locks fail first. */
const lockAll = <Db>(
  reactions: ReadonlyArray<Reaction<Db>>,
  db: Db,
  events: ReadonlyArray<EngagementEvent>,
  progress: ReactionProgress,
  notes: BatchNotes,
) => {
  let hasFailed = false
  const [first = Effect.void, ...others] = reactions.flatMap(({ name, lock }) => {
    if (lock === undefined) return []
    const blame = Effect.sync(() => {
      if (!hasFailed) progress.reaction = name
      hasFailed = true
    })
    return [
      Effect.onError(
        Effect.suspend(() => lock(db, events, notes)),
        () => blame,
      ),
    ]
  })
  // So that the first goes out.
  const goOut = events.length < manyEvents ? Effect.void : Effect.yieldNow
  return together([first, Effect.andThen(goOut, together(others))])
}

/** Runs the reactions in their order, and writes the platform events that they cause: those are handled in a later batch. */
export const makeReact = <Db extends BackgroundDb & EventsDb>(
  ids: Ids,
  reactions: ReadonlyArray<Reaction<Db>>,
  prepare: Prepare<Db>,
  { forgetOthers }: Pick<Introductions<Db>, "forgetOthers">,
): React<Db> =>
  Effect.fnUntraced(function* (
    projectId: string,
    db: Db,
    events: ReadonlyArray<EngagementEvent>,
    progress = { reaction: "" },
    notes: BatchNotes = makeBatchNotes(),
  ) {
    const caused: Array<PlatformEvent> = []
    if (notes.read(introducedNote).length === 0) yield* prepare(db, events, notes)
    const [introduced = []] = notes.read(introducedNote)
    yield* forgetOthers(projectId, db, introduced)
    yield* lockAll(reactions, db, events, progress, notes)
    for (const { name, react } of reactions) {
      progress.reaction = name
      caused.push(...(yield* react(db, events, notes)))
    }
    if (caused.length > 0) yield* db.events.insertCaused(caused.map((event) => ({ ...event, id: ids.uuid() })))
  })

/** Handles an outbox entry by its topic, and enters what is left of it again. A topic that nobody serves here is a defect. */
export type HandleEntry<Db> = (
  db: Db,
  entry: Pick<OutboxEntry, "topic" | "payload">,
  progress: ReactionProgress,
) => Effect.Effect<void>

/** Finds the handler of an entry and runs it. */
export const makeHandleEntry = <Db extends BackgroundDb>(
  handlers: ReadonlyMap<string, OutboxHandler<Db>>,
): HandleEntry<Db> =>
  Effect.fnUntraced(function* (
    db: Db,
    { topic, payload }: Pick<OutboxEntry, "topic" | "payload">,
    progress: ReactionProgress,
  ) {
    progress.reaction = topic
    const handler = handlers.get(topic)
    if (handler === undefined) return yield* Effect.die(new Error(`No handler serves the topic ${topic}.`))
    const rest = yield* handler(db, payload)
    if (rest !== null) yield* db.outbox.add(topic, rest)
  })
