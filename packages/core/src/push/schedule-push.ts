import { Effect, Option, Schema } from "effect"
import type { BackgroundControlDb } from "../background/port.ts"
import type { ProjectTask } from "../background/work.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { JsonObject, Timestamp, Uuid } from "../schema.ts"
import type { SegmentsDb } from "../segments/port.ts"
import type { SegmentRow } from "../segments/segment.ts"
import { UserNotFound } from "../users/failures.ts"
import type { UsersDb } from "../users/port.ts"
import type { PushCampaign } from "./campaign.ts"
import { isUnwritten, makeScheduling, scheduleKeptMillis, schedulesJob } from "./campaign-runs.ts"
import type { CampaignRuns } from "./campaign-workflow.ts"
import { ScheduleFailed } from "./failures.ts"
import { type ParsedSchedule, parsePushSchedule } from "./parse-push.ts"
import type { PushDb } from "./port.ts"

// So many segments are forgotten at once.
const mostForgotten = 500

/** The body of a push-schedule, for the API reference. `parsePushSchedule` validates it, with a code for each mistake. */
export const PushSchedule = Schema.Struct({
  fire_at: Timestamp,
  title: Schema.String,
  body: Schema.String,
  data: Schema.optionalKey(JsonObject),
}).annotate({ identifier: "PushSchedule" })

/** The answer of a push-schedule. */
export const PushScheduled = Schema.Struct({ campaign_id: Uuid, segment_id: Uuid, fire_at: Timestamp }).annotate({
  identifier: "PushScheduled",
})

/** The campaign of a push-schedule, and the segment of its user alone. It has no rules, so it is never evaluated [H4.6]. */
const makeRows = (
  { fire_at, title, body, data }: ParsedSchedule,
  { campaign_id, segment_id, userId }: { campaign_id: string; segment_id: string; userId: string },
  now: Date,
): { readonly campaign: PushCampaign; readonly segment: SegmentRow } => ({
  campaign: {
    ...{ id: campaign_id, name: title, title, body, data, options: {}, segment_id, scheduled_for: userId },
    ...{ delivery_mode: "absolute", local_date: null, local_time: null, status: "scheduled", scheduled_at: fire_at },
    ...{ started_at: null, sent_at: null, error: null, created_at: now, updated_at: now },
  },
  segment: {
    ...{ id: segment_id, name: `__user_${userId}_${campaign_id}`, description: null, rules: { system: true } },
    ...{ is_system: true, user_count: 0, last_evaluated_at: null, created_at: now, campaign_id },
  },
})

/** Makes the push to one user at a time (spec: push-schedule): each call is a campaign of its own. */
export const makeSchedulePush = (
  ports: Pick<Ports<PushDb & SegmentsDb & UsersDb, BackgroundControlDb>, "clock" | "control" | "ids" | "tenants">,
  runs: CampaignRuns,
) => {
  const { clock, ids, tenants } = ports
  const scheduling = makeScheduling(ports, runs)

  /** Takes back what was committed, and answers whether it is gone: not where it is being sent by now, or nothing can be written. */
  const takeBack = (projectId: string, id: string) =>
    tenants
      .transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const found = yield* db.pushCampaigns.lock(id)
          if (Option.exists(found, ({ started_at }) => started_at !== null)) return false
          yield* db.pushCampaigns.remove({ id })
          return true
        }),
      )
      .pipe(Effect.catchIf(isUnwritten, () => Effect.succeed(false)))

  return Effect.fn("push.schedule")(function* (projectId: string, userId: string, body: unknown) {
    const given = yield* Effect.fromResult(parsePushSchedule(body, clock.now()))
    const { fire_at } = given
    const [campaign_id, segment_id] = [ids.uuid(), ids.uuid()]
    yield* scheduling.markPending(projectId, fire_at)
    yield* scheduling.markSchedule(projectId, fire_at)
    yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* orFail(db.users.lock(userId, "key share"), UserNotFound)
        const now = clock.now()
        const { campaign, segment } = makeRows(given, { campaign_id, segment_id, userId }, now)
        yield* Effect.orDie(db.pushCampaigns.insert(campaign))
        yield* Effect.orDie(db.segments.insert(segment))
        yield* db.segmentMembers.add([segment_id], [userId], now)
      }),
    )
    yield* Effect.catchTag(scheduling.start(projectId, campaign_id, fire_at), "QueueUnavailable", () =>
      Effect.flatMap(takeBack(projectId, campaign_id), (isGone) =>
        isGone ? Effect.fail(new ScheduleFailed()) : Effect.void,
      ),
    )
    return { campaign_id, segment_id, fire_at }
  })
}

/** Forgets the segments of push-schedules 30 days after their campaigns have ended [H4.6]. */
export const makeForgetSchedules = ({ clock }: Pick<Ports, "clock">): ProjectTask<PushDb> => ({
  name: schedulesJob,
  runNext: (db) =>
    Effect.map(
      // What ended at the very instant is due, too.
      db.pushCampaigns.forgetSchedules(new Date(clock.now().getTime() - scheduleKeptMillis + 1), mostForgotten),
      (forgotten) => forgotten === mostForgotten,
    ),
  nextRunAt: (db) =>
    Effect.map(db.pushCampaigns.oldestSchedule(), (endedAt) =>
      endedAt === null ? null : new Date(endedAt.getTime() + scheduleKeptMillis),
    ),
})
