import { Effect } from "effect"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Audiences, CampaignPorts } from "./audience.ts"
import type { PushCampaign } from "./campaign.ts"
import { hasFailed, isUnwritten, type Scheduling } from "./campaign-runs.ts"
import { AlreadySent, ConflictingSchedule, InvalidSegmentId, RescheduleFailed } from "./failures.ts"
import { type ParsedChanges, parseCampaignChanges } from "./parse-campaign.ts"

const notMoved = "The queue could not be reached, so the campaign was not scheduled anew."

const requireChangeable = ({ status }: PushCampaign) =>
  status === "draft" || status === "scheduled" ? Effect.void : Effect.fail(new AlreadySent())

/**
 * Makes the change of a campaign that was not sent. A new time schedules it, or moves it; without the queue it has failed then.
 * One in local time has no time of its own, but begins anew where its segment changes.
 */
export const makeChangeCampaign = (
  { clock, tenants }: Pick<CampaignPorts, "clock" | "tenants">,
  audiences: Audiences,
  scheduling: Scheduling,
) => {
  /** When the campaign is to begin after the changes; null where that does not change. */
  const findNewStart = Effect.fnUntraced(function* (projectId: string, before: PushCampaign, changes: ParsedChanges) {
    if (changes.scheduled_at !== undefined && before.delivery_mode === "local_time")
      return yield* new ConflictingSchedule()
    if (changes.segment_id === undefined) return changes.scheduled_at ?? null
    // Whom a push-schedule is for is all that its segment is.
    if (before.scheduled_for !== null && changes.segment_id !== before.segment_id) return yield* new InvalidSegmentId()
    if (before.scheduled_for !== null) return changes.scheduled_at ?? null
    const audience = yield* audiences.find(projectId, changes.segment_id)
    const { delivery_mode, local_date, local_time } = before
    if (delivery_mode === "absolute" || local_date === null || local_time === null) return changes.scheduled_at ?? null
    return yield* audiences.findStart(projectId, { delivery_mode, local_date, local_time }, audience)
  })

  return Effect.fn("push.updateCampaign")(function* (projectId: string, id: string, body: unknown) {
    const changes = yield* Effect.fromResult(parseCampaignChanges(body, clock.now()))
    const before = yield* orFail(
      tenants.read(projectId, (db) => db.pushCampaigns.find({ id })),
      NotFound,
    )
    yield* requireChangeable(before)
    const at = yield* findNewStart(projectId, before, changes)
    if (at !== null) yield* scheduling.markPending(projectId, at)
    const moved = at === null ? {} : ({ scheduled_at: at, status: "scheduled" } as const)
    const changed = yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* requireChangeable(yield* orFail(db.pushCampaigns.lock(id), NotFound))
        const update = { ...changes, ...moved, updated_at: clock.now() }
        return yield* orFail(Effect.orDie(db.pushCampaigns.update(id, update)), NotFound)
      }),
    )
    if (at === null) return changed
    yield* scheduling.restart(projectId, id).pipe(
      Effect.catchTag("QueueUnavailable", () =>
        Effect.flatMap(scheduling.fail(projectId, changed, notMoved), (now) =>
          hasFailed(now) ? Effect.fail(new RescheduleFailed()) : Effect.void,
        ),
      ),
      Effect.catchIf(isUnwritten, () => Effect.void),
    )
    return changed
  })
}
