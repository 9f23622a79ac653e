import type { Effect, Option } from "effect"
import type { EngagementEvent } from "../events/event.ts"
import type { ListPlace } from "../list-cursor.ts"
import type { Page, Slice } from "../ports/table.ts"
import type { JsonObject } from "../schema.ts"
import type { DeadLetter, DeadLetterStatus } from "./dead-letter.ts"

/** Something that a handler of its topic has to do once, committed together with its cause [E1]. */
export interface OutboxEntry {
  /** A whole number in decimal digits, increasing with time. */
  readonly id: string
  readonly topic: string
  readonly payload: JsonObject
  readonly created_at: Date
}

/** Events at the head of the outbox, in the order in which they were written. Those of users who are gone are missing. */
export interface OutboxEvents {
  readonly kind: "events"
  readonly events: ReadonlyArray<EngagementEvent>
  /** How many events were taken of each entry, also of those that are missing. */
  readonly taken: ReadonlyArray<{ readonly entry_id: string; readonly count: number }>
  /** When the oldest of the entries was written. */
  readonly created_at: Date
}

/** What stands at the head of an outbox: events, or one entry for a handler. */
export type OutboxHead = OutboxEvents | { readonly kind: "entry"; readonly entry: OutboxEntry }

/** What is taken from the head of an outbox at once. */
export interface OutboxLimits {
  readonly events: number
  /** Of JSON, by whole entries; one entry is taken in any case. */
  readonly bytes: number
  /** The topics that are served here. Entries of others stay, and block nothing. */
  readonly topics: ReadonlyArray<string>
  /** Whether properties are read. Without it they are empty. */
  readonly properties: boolean
}

/** What waits in an outbox: nothing, only entries of topics that are not served here, or something to handle. */
export type OutboxContent = "nothing" | "others" | "served"

/** The outbox of a project. Handling and removing commit together: exactly once by construction. */
export interface Outbox {
  /** Keeps every other handler of this project out until the transaction ends. Taken before any row. */
  hold(): Effect.Effect<void>
  /** Takes the hold where nobody has it, and answers whether. It never waits. */
  tryHold(): Effect.Effect<boolean>
  /** The head: the oldest entry and, if it has events, those that follow it up to the limits or the next entry of a topic. */
  next(limits: OutboxLimits): Effect.Effect<OutboxHead | null>
  /** Removes what `next` has answered: of an entry that was taken in part the rest stays in its place. */
  remove(head: OutboxHead): Effect.Effect<void>
  /** Whether one of the oldest 1,000 events that wait is this user's and has none of these names. */
  hasEventsOf(userId: string, except: ReadonlyArray<string>): Effect.Effect<boolean>
  add(topic: string, payload: JsonObject): Effect.Effect<void>
  /** Adds an entry in place of those of its topic that have the same texts or booleans under these keys of their payload. */
  replace(topic: string, payload: JsonObject, same: ReadonlyArray<string>): Effect.Effect<void>
  /** What waits for a worker that serves these topics. It waits for nobody: what is being handled still counts. */
  look(topics: ReadonlyArray<string>): Effect.Effect<OutboxContent>
  /** How many entries wait, and since when the oldest does. */
  waiting(): Effect.Effect<{ readonly entries: number; readonly oldest: Date | null }>
}

/** What could not be handled, set aside so that the rest goes on. Unique: `event_id`. Gone with the event and its user. */
export interface DeadLetters {
  /** An event that is not there is a defect, and so is one that has a letter. */
  insert(letter: DeadLetter): Effect.Effect<void>
  find(id: string): Effect.Effect<Option.Option<DeadLetter>>
  /** The newest first: by `first_failed_at`, then by `id`. Null is every status. */
  page(status: DeadLetterStatus | null, slice: Slice): Effect.Effect<Page<DeadLetter>>
  /** A slice of those that come after a place in that order. */
  listAfter(status: DeadLetterStatus | null, place: ListPlace, slice: Slice): Effect.Effect<ReadonlyArray<DeadLetter>>
  /**
   * The first of those that are to be tried at `now`, in the order in which they failed: of events, and of these topics. One that was put
   * off for more than `longestPauseMillis` is to be tried.
   */
  nextDue(now: Date, topics: ReadonlyArray<string>): Effect.Effect<Option.Option<DeadLetter>>
  /** When the next try of an event or of one of these topics is due; null when none is. */
  nextTryAt(topics: ReadonlyArray<string>): Effect.Effect<Date | null>
  /**
   * Writes a letter over the one of its id, if that has so many `tries`, and answers whether it was: where somebody has asked for it
   * meanwhile, its tries have begun anew.
   */
  save(letter: DeadLetter, tries: number): Effect.Effect<boolean>
  /** Makes one letter, or all of a reaction (null: of any), due at `now` with all tries before them. Answers how many. */
  retry(which: { readonly id: string } | { readonly reaction: string | null }, now: Date): Effect.Effect<number>
  /** Answers whether it was there. */
  remove(id: string): Effect.Effect<boolean>
  /** How many of a reaction were set aside at `since` or later. */
  countSince(reaction: string, since: Date): Effect.Effect<number>
}

/** A job of a project whose time has come. */
export interface DueJob {
  readonly project_id: string
  readonly job: string
}

/** When a job is to run next. `version` is that of the row that was read before looking, 0 where there was none. */
export interface JobSchedule {
  readonly job: string
  readonly version: number
  readonly run_at: Date | null
}

/**
 * When the jobs of projects are due, so that nobody has to open the databases of idle projects to find out. Whoever leaves work
 * moves the time earlier only. Whoever has looked replaces it, but only while the row is as it was before looking.
 */
export interface ProjectJobs {
  /**
   * Notes that work may be committed for a job within two minutes from `now`: it is due at `at`, and no look in these two minutes
   * takes that back. A later `at` than the last, or an earlier `now`, takes nothing back either. A job that is due in these two
   * minutes and was looked at stays due, behind those that have been for a minute. A project that is not there changes nothing.
   */
  markPending(projectId: string, job: string, at: Date, now: Date): Effect.Effect<void>
  /** The versions of the jobs of a project. One that is missing has never been scheduled. */
  versions(projectId: string): Effect.Effect<ReadonlyMap<string, number>>
  /**
   * Notes when jobs are to run next, having looked at `lookedAt`. A row of another version by now stays as it is, and so does one
   * that says the same already, with its version: who finds nothing new writes nothing. A mark of the future counts as of this look.
   */
  schedule(projectId: string, lookedAt: Date, schedules: ReadonlyArray<JobSchedule>): Effect.Effect<void>
  /**
   * Those of the jobs that are due in ready projects: their time has come, they have never been scheduled, or their time was noted at
   * one that is more than a minute in the future, so by a clock that was ahead. The longest due first, then by project and job.
   */
  due(jobs: ReadonlyArray<string>, now: Date, limit?: number): Effect.Effect<ReadonlyArray<DueJob>>
}

/** The reactions with a rebuild that a project has been given: all of its events are handled by them, or a rebuild waits. */
export interface IntroducedReactions {
  names(): Effect.Effect<ReadonlyArray<string>>
  /** Nothing happens where it is there. */
  add(name: string): Effect.Effect<void>
  remove(name: string): Effect.Effect<void>
}

/** A worker, and the reactions that it runs. */
export interface WorkerBeat {
  readonly id: string
  readonly reactions: ReadonlyArray<string>
  readonly seen_at: Date
}

/** The workers of the installation, as far as they were seen. */
export interface WorkerRegistry {
  /** Notes a worker, forgets those that were last seen before `since`, and answers the others. */
  beat(worker: WorkerBeat, since: Date): Effect.Effect<ReadonlyArray<WorkerBeat>>
}

/** What a project has of work that is done without anybody asking. */
export interface BackgroundDb {
  readonly outbox: Outbox
  readonly deadLetters: DeadLetters
  readonly introducedReactions: IntroducedReactions
}

/** What the control database has of that work. */
export interface BackgroundControlDb {
  /** Gone with their project. */
  readonly jobs: ProjectJobs
  readonly workers: WorkerRegistry
}
