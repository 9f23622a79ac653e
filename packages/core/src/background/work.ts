import type { Effect } from "effect"
import type { TenantFailure } from "../failure.ts"
import type { AnyWorkflow } from "../ports/workflow-runner.ts"
import type { JsonObject } from "../schema.ts"
import type { Reaction } from "./reaction.ts"

/**
 * Does a bounded piece of what an outbox entry asks for, in the transaction that removes the entry. It answers the payload of
 * what is left, which becomes an entry of its own, or null. It runs under the project's hold.
 */
export type OutboxHandler<Db> = (db: Db, payload: JsonObject) => Effect.Effect<JsonObject | null>

/**
 * Notes that an outbox entry was set aside for a defect, in the transaction that sets it aside. It is tried again, by itself or
 * when somebody asks for that; what it was about may be done by then.
 */
export type SetAsideHandler<Db> = (db: Db, payload: JsonObject) => Effect.Effect<void>

/** Something that a project needs from time to time without anybody asking. Quick: it shares a run with the reactions. */
export interface ProjectTask<Db> {
  /** Unique in the service, for example `streaks.expire`. */
  readonly name: string
  /** Whether it keeps the reactions of the project out while it runs. */
  readonly alone?: boolean
  /** Does one bounded piece in a transaction of its own, and answers whether there may be more. */
  readonly runNext: (db: Db) => Effect.Effect<boolean>
  /** When it has to run next; null is never, a time that has passed is at once. */
  readonly nextRunAt: (db: Db) => Effect.Effect<Date | null>
}

/** A task that takes long. It runs in a workflow of its own, few at a time, so that reactions do not wait for it. */
export interface ProjectJob {
  /** Unique in the service, for example `segments.evaluate`. */
  readonly name: string
  /** Does all that is due, in transactions of its own, and answers when it has to run next; null is never. */
  readonly run: (projectId: string) => Effect.Effect<Date | null, TenantFailure>
}

/** What a feature does in the background. */
export interface FeatureWork<Db> {
  /** Run on every batch of new events, in the order in which features are listed. */
  readonly reactions?: ReadonlyArray<Reaction<Db>>
  /** By topic of the outbox, for example `streaks.rebuild`. */
  readonly handlers?: Readonly<Record<string, OutboxHandler<Db>>>
  /** By topic of the outbox, for those where it matters that an entry was set aside. */
  readonly whenSetAside?: Readonly<Record<string, SetAsideHandler<Db>>>
  readonly tasks?: ReadonlyArray<ProjectTask<Db>>
  readonly jobs?: ReadonlyArray<ProjectJob>
  /** Workflows that the feature itself starts. */
  readonly workflows?: ReadonlyArray<AnyWorkflow>
}
