import { Effect, type Option, Result } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken, LimitReached, NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { JsonObject } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import { NotStarted } from "./failures.ts"
import type { NewOnboardingFlow, OnboardingFlow, OnboardingFlowChanges } from "./flow.ts"
import type { OnboardingDb } from "./port.ts"
import type { AdvanceRequest, OnboardingProgressRow } from "./progress.ts"
import { advance, complete, type ProgressChanges, skip, summarize } from "./rules.ts"

// The most flows of a project [G8.1].
const maxFlows = 100

type Db = BackgroundDb & EventsDb & OnboardingDb & UsersDb

/** What a call makes of the progress of a user. */
type Move<E> = (progress: OnboardingProgressRow, now: Date) => Result.Result<ProgressChanges, E>

const startProgress = (flow: OnboardingFlow, app_user_id: string, id: string, now: Date): OnboardingProgressRow => ({
  ...{ id, app_user_id, flow_id: flow.id, status: "in_progress", current_step: 0 },
  ...{ steps: flow.steps, step_count: flow.steps.length, answers: {} },
  ...{ started_at: now, completed_at: null, skipped_at: null },
})

/** Flows that users are led through (spec: onboarding; G8). */
export const makeOnboarding = (
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
) => {
  /** Writes what has happened to a progress as an event of its user [G8.5]. */
  const tell = (
    db: EventsDb,
    flow: OnboardingFlow,
    progress: OnboardingProgressRow,
    what: { readonly name: string; readonly step?: number; readonly at: Date },
  ) => {
    const step: JsonObject = what.step === undefined ? {} : { step: what.step }
    const cause = what.step === undefined ? progress.id : `${progress.id}.${what.step}`
    return db.events.insertCaused([
      {
        ...{ id: ids.uuid(), app_user_id: progress.app_user_id, event_name: what.name, occurred_at: what.at },
        properties: { flow_id: flow.id, flow_name: flow.name, ...step },
        cause_key: `onboarding/${cause}/${what.name}`,
      },
    ])
  }

  /** The flow, with its user and itself locked against removal, in this order [ARCHITECTURE, Locks]. */
  const lockFlow = Effect.fnUntraced(function* (db: Db, userId: string, flowId: string) {
    yield* orFail(db.users.lock(userId, "key share"), InvalidToken)
    return yield* orFail(db.onboardingFlows.lock(flowId, "key share"), NotFound)
  })

  /** Moves the progress of a user on, and writes the event of that. Where nothing changes nothing is written. */
  const move = <E>(
    projectId: string,
    userId: string,
    flowId: string,
    event: string,
    step: number | null,
    to: Move<E>,
  ) =>
    background.transact(
      projectId,
      Effect.fnUntraced(function* (db: Db) {
        const flow = yield* lockFlow(db, userId, flowId)
        const progress = yield* orFail(db.onboardingProgress.lockOf(userId, flowId), NotStarted)
        const now = clock.now()
        const moved = to(progress, now)
        if (Result.isFailure(moved)) return yield* Effect.fail(moved.failure)
        if (moved.success === null) return progress
        const changed = yield* getRow(Effect.orDie(db.onboardingProgress.update(progress.id, moved.success)))
        yield* tell(db, flow, changed, step === null ? { name: event, at: now } : { name: event, step, at: now })
        return changed
      }),
    )

  return {
    /** Makes a flow of steps [G8.1]. `LIMIT_REACHED`. */
    create: Effect.fn("onboarding.create")(function* (projectId: string, input: NewOnboardingFlow) {
      const flow: OnboardingFlow = { ...input, id: ids.uuid(), created_at: clock.now() }
      yield* background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const { total } = yield* db.onboardingFlows.page({}, [], { limit: 1, offset: 0 })
          if (total >= maxFlows) return yield* new LimitReached({ limit: maxFlows })
          yield* Effect.orDie(db.onboardingFlows.insert(flow))
        }),
        // Two at once count one after the other.
        { alone: true },
      )
      return flow
    }),

    /** All flows, also inactive ones, the oldest first [G8.1]. */
    list: (projectId: string, slice: Slice) =>
      tenants.read(projectId, (db) => db.onboardingFlows.page({}, [["created_at", "asc"]], slice)),

    /** A flow with its steps, also one that is not active [G8.1]. `NOT_FOUND`. */
    find: (projectId: string, id: string) =>
      orFail(
        tenants.read(projectId, (db) => db.onboardingFlows.find({ id })),
        NotFound,
      ),

    /** Changes a flow. Users who have started keep the steps of that moment [G8.1]. `NOT_FOUND`. */
    update: (projectId: string, id: string, changes: OnboardingFlowChanges) =>
      orFail(
        tenants.transact(projectId, (db) => Effect.orDie(db.onboardingFlows.update(id, changes))),
        NotFound,
      ),

    /** Removes a flow with what users have done of it. Does nothing for an unknown one [G8.1]. */
    remove: (projectId: string, id: string) => tenants.transact(projectId, (db) => db.onboardingFlows.remove({ id })),

    /** How many users are how far, by flow, the oldest flow first [G8.4]. */
    stats: Effect.fn("onboarding.stats")(function* (projectId: string) {
      return yield* tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          const flows = yield* db.onboardingFlows.list({}, [["created_at", "asc"]])
          const counts = yield* db.onboardingProgress.counts()
          return flows.map((flow) => summarize(flow, counts))
        }),
      )
    }),

    /** The flows that a user may start or has started, with how far the user is [G8.2]. */
    own: Effect.fn("onboarding.own")(function* (projectId: string, userId: string, slice: Slice) {
      return yield* tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          const { rows, ...page } = yield* db.onboardingFlows.pageShownTo(userId, slice)
          const flowIds = rows.map(({ id }) => id)
          const progress = yield* db.onboardingProgress.listOf(userId, flowIds)
          const byFlow = new Map(progress.map((row) => [row.flow_id, row]))
          return { ...page, rows: rows.map((flow) => ({ ...flow, progress: byFlow.get(flow.id) ?? null })) }
        }),
      )
    }),

    /**
     * Starts a flow for a user; where it is started already, answers how far the user is [G8.3]. `NOT_FOUND` without the flow, or where
     * it is not active; `INVALID_TOKEN` for a user who is gone.
     */
    start: Effect.fn("onboarding.start")((projectId: string, userId: string, flowId: string) =>
      background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const flow = yield* lockFlow(db, userId, flowId)
          const find = db.onboardingProgress.find({ app_user_id: userId, flow_id: flowId })
          // Those who have started an inactive flow go on with it.
          if (!flow.is_active) return { created: false, row: yield* orFail(find, NotFound) }
          const now = clock.now()
          const started = startProgress(flow, userId, ids.uuid(), now)
          if (!(yield* db.onboardingProgress.insertNew(started))) return { created: false, row: yield* getRow(find) }
          yield* tell(db, flow, started, { name: "onboarding_started", at: now })
          return { created: true, row: started }
        }),
      ),
    ),

    /**
     * Does the step `step` (from 0) for a user [G8.3]. `NOT_STARTED`; `STEP_OUT_OF_ORDER`; `ALREADY_COMPLETED`; `NOT_FOUND`;
     * `INVALID_TOKEN` for a user who is gone.
     */
    advance: Effect.fn("onboarding.advance")(
      (projectId: string, userId: string, flowId: string, { step, answers }: AdvanceRequest) =>
        move(projectId, userId, flowId, "onboarding_step_completed", step, (progress) =>
          advance(progress, step, answers),
        ),
    ),

    /**
     * Ends a flow of which the user has done every step [G8.3]. `NOT_FOUND`; `NOT_STARTED`; `STEP_OUT_OF_ORDER` before the last step was
     * done; `ALREADY_COMPLETED` for one that was skipped; `INVALID_TOKEN` for a user who is gone.
     */
    complete: Effect.fn("onboarding.complete")((projectId: string, userId: string, flowId: string) =>
      move(projectId, userId, flowId, "onboarding_completed", null, complete),
    ),

    /**
     * Ends a flow wherever the user is [G8.3]. `NOT_FOUND`; `NOT_STARTED`; `ALREADY_COMPLETED`; `INVALID_TOKEN` for a user who is gone.
     */
    skip: Effect.fn("onboarding.skip")((projectId: string, userId: string, flowId: string) =>
      move(projectId, userId, flowId, "onboarding_skipped", null, skip),
    ),
  }
}

/** A row that is there for certain: it is locked, or its user and flow are. */
const getRow = <A, E>(lookup: Effect.Effect<Option.Option<A>, E>): Effect.Effect<A, E> =>
  Effect.flatMap(lookup, (found) =>
    found._tag === "Some" ? Effect.succeed(found.value) : Effect.die(new Error("The row is gone.")),
  )
