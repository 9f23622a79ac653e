import { Effect, Option } from "effect"
import type { BackgroundControlDb } from "../background/port.ts"
import type { Ports } from "../ports/ports.ts"
import { isObject } from "../schema.ts"
import type { PushCampaign } from "./campaign.ts"
import { type CampaignRuns, campaignsJob } from "./campaign-workflow.ts"
import type { PushDb } from "./port.ts"

/** The job of a project that forgets the segments of push-schedules. */
export const schedulesJob = "push.schedules"

/** For how long the segment of a push-schedule is kept after its campaign has ended [H4.6]. */
export const scheduleKeptMillis = 30 * 86_400_000

// Instants end with the year 9999, and pushes may be scheduled until then.
const lastMillis = Date.UTC(9999, 11, 31)

/**
 * Whether nothing more can be written or read of what was committed: it stays, and the project's job does what is left. Of a write whose
 * outcome nobody knows that is not said.
 */
export const isUnwritten = (failure: { readonly _tag: string; readonly details?: unknown }): boolean =>
  failure._tag === "TenantBusy" ||
  (failure._tag === "TenantUnavailable" && !(isObject(failure.details) && failure.details["outcome"] === "unknown"))

/** Whether a campaign that could not be started is none that will be sent: it was made `failed`, or is gone. */
export const hasFailed = (now: PushCampaign | null): boolean => now === null || now.status === "failed"

/**
 * Has campaigns sent at their time. Between a commit and the queue anything may happen to a campaign, and to this process: each
 * step looks at what the row is by then, and what is not done here is done by the project's job.
 */
export const makeScheduling = (
  { clock, control, tenants }: Pick<Ports<PushDb, BackgroundControlDb>, "clock" | "control" | "tenants">,
  runs: CampaignRuns,
) => {
  const find = (projectId: string, id: string) => tenants.read(projectId, (db) => db.pushCampaigns.find({ id }))

  /** Has a campaign sent at the time that its row says, also when that changes meanwhile. A run for another time is dropped. */
  const restart = Effect.fnUntraced(function* (projectId: string, id: string) {
    for (let known: Date | null = null; ; ) {
      const campaign: PushCampaign | null = Option.getOrNull(yield* find(projectId, id))
      if (campaign?.status !== "scheduled" || campaign.scheduled_at === null) return
      if (known?.getTime() === campaign.scheduled_at.getTime()) return
      known = campaign.scheduled_at
      yield* runs.stop(projectId, id)
      yield* runs.start(projectId, id, known)
    }
  })

  const mark = (projectId: string, job: string, millis: number) =>
    control.transact((db) => db.jobs.markPending(projectId, job, new Date(Math.min(millis, lastMillis)), clock.now()))

  return {
    /** To be called before a campaign is committed that is to be sent: from then on the project's job looks for it. */
    markPending: (projectId: string, at: Date) => mark(projectId, campaignsJob, at.getTime()),

    /** The same for the segment of a push-schedule that is to be sent at this time. */
    markSchedule: (projectId: string, at: Date) => mark(projectId, schedulesJob, at.getTime() + scheduleKeptMillis),

    start: runs.start,
    restart,

    /** Drops the run of a campaign that is gone or cancelled. Without the queue it stays, and finds nothing to do. */
    stop: (projectId: string, id: string) => Effect.ignore(runs.stop(projectId, id)),

    /** Has a campaign looked at now that waits for another time. Without the queue the project's job does it. */
    runAgain: (projectId: string, id: string) =>
      Effect.ignore(Effect.andThen(runs.stop(projectId, id), runs.start(projectId, id, null))),

    /**
     * Makes a campaign `failed` that was to be started as it is in `campaign` and could not be, unless it has changed since.
     * Answers what it is then; null where it is gone. Where that cannot be written either, it is as before: the project's job sends it.
     */
    fail: Effect.fnUntraced(function* (projectId: string, campaign: PushCampaign, error: string) {
      const isAsBefore = ({ status, scheduled_at, started_at }: PushCampaign) =>
        status === campaign.status &&
        started_at === null &&
        scheduled_at?.getTime() === campaign.scheduled_at?.getTime()
      return yield* tenants
        .transact(
          projectId,
          Effect.fnUntraced(function* (db) {
            const found = yield* db.pushCampaigns.lock(campaign.id)
            if (Option.isNone(found) || !isAsBefore(found.value)) return Option.getOrNull(found)
            const failed = { status: "failed", error, updated_at: clock.now() } as const
            return Option.getOrNull(yield* Effect.orDie(db.pushCampaigns.update(campaign.id, failed)))
          }),
        )
        .pipe(Effect.catchIf(isUnwritten, () => Effect.succeed<PushCampaign | null>(campaign)))
    }),
  }
}

/** Has campaigns sent at their time. */
export type Scheduling = ReturnType<typeof makeScheduling>
