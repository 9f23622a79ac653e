import { Effect } from "effect"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Slice } from "../ports/table.ts"
import type { Evaluation } from "../segments/evaluation.ts"
import { type CampaignPorts, makeAudience } from "./audience.ts"
import type { CampaignStatus, PushCampaign, PushStats } from "./campaign.ts"
import { hasFailed, makeScheduling } from "./campaign-runs.ts"
import type { CampaignRuns } from "./campaign-workflow.ts"
import { makeChangeCampaign } from "./change-campaign.ts"
import { AlreadyScheduled, AlreadySent, SendFailed } from "./failures.ts"
import { type ParsedCampaign, parseCampaign } from "./parse-campaign.ts"
import type { PushDb } from "./port.ts"
import { makePreview } from "./preview.ts"

const notScheduled = "The queue could not be reached, so the campaign was not scheduled."
const notSent = "The queue could not be reached, so the sending was not started."

const waiting: ReadonlySet<CampaignStatus> = new Set(["draft", "scheduled"])

const noStats: PushStats = { sent: 0, delivered: 0, opened: 0, failed: 0, recipients: 0, skipped: 0, unknown: 0 }

/** A campaign that was not yet started. */
const makeCampaign = (
  { schedule, ...given }: ParsedCampaign,
  id: string,
  scheduled_at: Date | null,
  now: Date,
): PushCampaign => {
  const local =
    schedule.delivery_mode === "local_time"
      ? { local_date: schedule.local_date, local_time: schedule.local_time }
      : { local_date: null, local_time: null }
  return {
    ...given,
    ...local,
    ...{ id, delivery_mode: schedule.delivery_mode, status: scheduled_at === null ? "draft" : "scheduled" },
    ...{ scheduled_at, started_at: null, sent_at: null, error: null, scheduled_for: null },
    ...{ created_at: now, updated_at: now },
  }
}

/** Locks a campaign for a change of its status. */
const lock = (db: PushDb, id: string) => orFail(db.pushCampaigns.lock(id), NotFound)

/** Pushes to many users (spec: admin plane, push; H4). What a campaign may become is decided under the lock of its row. */
export const makeCampaigns = (
  ports: CampaignPorts,
  runs: CampaignRuns,
  evaluation: Pick<Evaluation, "expireStreaks">,
) => {
  const { clock, ids, tenants } = ports
  const audiences = makeAudience(ports, evaluation)
  const scheduling = makeScheduling(ports, runs)

  /** Sets the status of a campaign, and answers it. */
  const become = (db: PushDb, id: string, status: CampaignStatus) =>
    orFail(Effect.orDie(db.pushCampaigns.update(id, { status, updated_at: clock.now() })), NotFound)

  const withStats = Effect.fnUntraced(function* (projectId: string, campaigns: ReadonlyArray<PushCampaign>) {
    const ids = campaigns.map(({ id }) => id)
    const stats = yield* tenants.read(projectId, (db) => db.pushStats.ofCampaigns(ids))
    return campaigns.map((campaign) => ({ ...campaign, stats: stats.get(campaign.id) ?? noStats }))
  })

  return {
    /**
     * Makes a campaign: a draft, or one that is scheduled. Without the queue it is answered as `failed` (spec: errors, 5).
     * `INVALID_INPUT`; `INVALID_DELIVERY_MODE`; `INVALID_SCHEDULED_AT`; `SCHEDULED_AT_IN_PAST`; `INVALID_LOCAL_DATE`;
     * `INVALID_LOCAL_TIME`; `CONFLICTING_SCHEDULE`; `INVALID_SEGMENT_ID`.
     */
    create: Effect.fn("push.createCampaign")(function* (projectId: string, body: unknown) {
      const given = yield* Effect.fromResult(parseCampaign(body, clock.now()))
      const audience = yield* audiences.find(projectId, given.segment_id)
      const at = yield* audiences.findStart(projectId, given.schedule, audience)
      const campaign = makeCampaign(given, ids.uuid(), at, clock.now())
      if (at !== null) yield* scheduling.markPending(projectId, at)
      yield* tenants.transact(projectId, (db) => Effect.orDie(db.pushCampaigns.insert(campaign)), { locks: "none" })
      if (at === null) return campaign
      return yield* scheduling.start(projectId, campaign.id, at).pipe(
        Effect.as(campaign),
        Effect.catchTag("QueueUnavailable", () =>
          Effect.map(scheduling.fail(projectId, campaign, notScheduled), (failed) => failed ?? campaign),
        ),
      )
    }),

    /** The campaigns with their statistics, the newest first (spec: push campaigns). */
    list: Effect.fn("push.listCampaigns")(function* (projectId: string, slice: Slice) {
      const newest = [
        ["created_at", "desc"],
        ["id", "desc"],
      ] as const
      const { rows, ...page } = yield* tenants.read(projectId, (db) => db.pushCampaigns.page({}, newest, slice))
      return { rows: yield* withStats(projectId, rows), ...page }
    }),

    /** One campaign with its statistics [H4.4]. `NOT_FOUND`. */
    get: Effect.fn("push.getCampaign")(function* (projectId: string, id: string) {
      const campaign = yield* orFail(
        tenants.read(projectId, (db) => db.pushCampaigns.find({ id })),
        NotFound,
      )
      const [found] = yield* withStats(projectId, [campaign])
      return found ?? { ...campaign, stats: noStats }
    }),

    /**
     * Changes what is given of a draft or a scheduled campaign; a `scheduled_at` schedules or moves it (spec: push campaigns).
     * `NOT_FOUND`; `ALREADY_SENT`; `EMPTY_UPDATE`; `INVALID_BODY`; `INVALID_DATA`; `INVALID_SCHEDULED_AT`; `SCHEDULED_AT_IN_PAST`;
     * `CONFLICTING_SCHEDULE`; `INVALID_SEGMENT_ID`; `RESCHEDULE_FAILED` without the queue: it is `failed` then.
     */
    update: makeChangeCampaign(ports, audiences, scheduling),

    /**
     * Removes a campaign that was not sent, with the segment of a push-schedule. Its run finds nothing, where it cannot be dropped (spec:
     * push campaigns). `NOT_FOUND`; `ALREADY_SENT`.
     */
    remove: Effect.fn("push.removeCampaign")(function* (projectId: string, id: string) {
      yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const { status } = yield* lock(db, id)
          if (!waiting.has(status)) return yield* new AlreadySent()
          yield* db.pushCampaigns.remove({ id })
        }),
      )
      yield* scheduling.stop(projectId, id)
    }),

    /**
     * Sends a draft now (spec: push campaigns). `NOT_FOUND`; `ALREADY_SCHEDULED`; `ALREADY_SENT`; `SEND_FAILED` without the queue: it is
     * `failed` then.
     */
    send: Effect.fn("push.sendCampaignNow")(function* (projectId: string, id: string) {
      yield* scheduling.markPending(projectId, clock.now())
      const campaign = yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const { status } = yield* lock(db, id)
          if (status === "scheduled") return yield* new AlreadyScheduled()
          if (status !== "draft") return yield* new AlreadySent()
          return yield* become(db, id, "sending")
        }),
      )
      yield* Effect.catchTag(scheduling.start(projectId, id, null), "QueueUnavailable", () =>
        Effect.flatMap(scheduling.fail(projectId, campaign, notSent), (now) =>
          hasFailed(now) ? Effect.fail(new SendFailed()) : Effect.void,
        ),
      )
      return { status: "sending" as const, campaign_id: campaign.id }
    }),

    /**
     * Cancels a campaign that has not ended: what the provider was not asked for is not sent [H4.6]. `NOT_FOUND`; `ALREADY_SENT` for one
     * that has ended.
     */
    cancel: Effect.fn("push.cancelCampaign")(function* (projectId: string, id: string) {
      const campaign = yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const { status } = yield* lock(db, id)
          if (!waiting.has(status) && status !== "sending") return yield* new AlreadySent()
          return yield* become(db, id, "cancelled")
        }),
      )
      // One that is being sent is run once more, which ends what was not claimed.
      yield* campaign.started_at === null ? scheduling.stop(projectId, id) : scheduling.runAgain(projectId, id)
      return campaign
    }),

    /**
     * Whom a campaign would reach, when, and what some of them would read, by the segment's rules of this moment [H4.5]. Takes the body
     * of `create`, writes nothing, and fails with the same codes: `INVALID_INPUT`; `INVALID_DELIVERY_MODE`; `INVALID_SCHEDULED_AT`;
     * `SCHEDULED_AT_IN_PAST`; `INVALID_LOCAL_DATE`; `INVALID_LOCAL_TIME`; `CONFLICTING_SCHEDULE`; `INVALID_SEGMENT_ID`.
     */
    preview: makePreview(ports, audiences),
  }
}
