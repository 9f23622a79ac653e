import { Effect, Option, Result } from "effect"
import type { BackgroundControlDb } from "../background/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { Evaluation } from "../segments/evaluation.ts"
import { parseRules } from "../segments/parse-rules.ts"
import type { SegmentsDb } from "../segments/port.ts"
import { mentionsStreaks } from "../segments/rules.ts"
import { InvalidSegmentId, ScheduledAtInPast } from "./failures.ts"
import { findFirstInstant } from "./local-time.ts"
import type { Schedule } from "./parse-campaign.ts"
import type { AudienceQuery, PushDb } from "./port.ts"

/** What campaigns need from outside. */
export type CampaignPorts = Pick<
  Ports<PushDb & SegmentsDb, BackgroundControlDb>,
  "clock" | "control" | "ids" | "tenants"
>

/** Finds out whom a campaign is for at the moment, and so when one in local time begins. Nothing is written. */
export const makeAudience = (
  { clock, tenants }: Pick<CampaignPorts, "clock" | "tenants">,
  evaluation: Pick<Evaluation, "expireStreaks">,
) => ({
  /** The audience of a segment; null is everybody. The segment of a push-schedule is nobody else's audience. */
  find: Effect.fnUntraced(function* (projectId: string, segment_id: string | null) {
    if (segment_id === null) return { segment_id, rules: null } satisfies AudienceQuery
    const found = yield* tenants.read(projectId, (db) => db.segments.find({ id: segment_id, campaign_id: null }))
    if (Option.isNone(found)) return yield* new InvalidSegmentId()
    const rules = Result.getOrNull(parseRules(found.value.rules))
    if (rules !== null && mentionsStreaks(rules)) yield* evaluation.expireStreaks(projectId)
    return { segment_id, rules } satisfies AudienceQuery
  }),

  /** When a campaign begins: at its instant, or, in local time, at that of the first zone that is not over by two hours [H4.6]. */
  findStart: Effect.fnUntraced(function* (projectId: string, schedule: Schedule, audience: AudienceQuery) {
    if (schedule.delivery_mode === "absolute") return schedule.scheduled_at
    const now = clock.now()
    const zones = yield* tenants.read(projectId, (db) => db.pushAudiences.countZones(audience, now))
    const first = findFirstInstant(
      schedule,
      zones.map(({ timezone }) => timezone),
      now,
    )
    return first ?? (yield* new ScheduledAtInPast())
  }),
})

/** Finds out whom a campaign is for. */
export type Audiences = ReturnType<typeof makeAudience>
