import { Effect, Option } from "effect"
import type { Ports } from "../../ports/ports.ts"
import type { FaultKind, Tenants } from "../../ports/tenants.ts"
import type { Evaluation } from "../../segments/evaluation.ts"
import type { PushCampaign } from "../campaign.ts"
import { findLocalInstant, isTooLate } from "../local-time.ts"
import type { PushDb } from "../port.ts"
import type { PushProvider } from "../push-token.ts"
import type { Audience, ZoneFiring } from "./deliveries-port.ts"

// A segment that somebody else evaluates is looked at again after so long.
const busyMillis = 5_000
// A campaign that is changed again and again while it starts is left to a later run.
const mostTries = 3

/** Whether the recipients of a campaign are to be fixed now. */
const isToStart = ({ status, started_at, scheduled_at }: PushCampaign, now: Date): boolean =>
  (status === "scheduled" && scheduled_at !== null && scheduled_at <= now) ||
  (status === "sending" && started_at === null)

/** When the users of each zone are due: all at once, or at the campaign's local time in their zone [E9]. */
const planFirings = (
  { delivery_mode, local_date, local_time }: Pick<PushCampaign, "delivery_mode" | "local_date" | "local_time">,
  timezones: ReadonlyArray<string | null>,
  now: Date,
): ReadonlyArray<ZoneFiring> =>
  timezones.map((timezone) => {
    if (delivery_mode === "absolute" || local_date === null || local_time === null)
      return { timezone, fire_at: now, is_skipped: false }
    const fire_at = findLocalInstant(local_date, local_time, timezone)
    return { timezone, fire_at, is_skipped: isTooLate(fire_at, now) }
  })

const providerNames: Readonly<Record<PushProvider, string>> = { push_a: "push_a (APNs)", push_b: "push_b (FCM)" }

/** Why a campaign fails that has devices of these providers. */
const writeMissing = (providers: ReadonlyArray<PushProvider>): string =>
  `The project has no active credentials for ${providers.map((provider) => providerNames[provider]).join(" and ")}.`

const goneSegment = "Its segment is not there any more."
const unreadableSegment = "The rules of its segment cannot be evaluated."

/** What came of starting: the campaign as it is now, null where there is none, or when to try again. */
export type Start = PushCampaign | null | { readonly againAt: Date }

const targets = ["segment_id", "delivery_mode", "local_date", "local_time", "scheduled_for"] as const

const isSameTarget = (one: PushCampaign, other: PushCampaign) => targets.every((key) => one[key] === other[key])

/** What a campaign becomes when its recipients are fixed. */
const planStart = (
  audience: Audience,
  firings: ReadonlyArray<ZoneFiring>,
  missing: ReadonlyArray<PushProvider>,
  now: Date,
) => {
  const base = { started_at: now, updated_at: now }
  const concerned = audience.providers.filter((provider) => missing.includes(provider))
  if (firings.every(({ is_skipped }) => is_skipped)) return { ...base, status: "sent" as const, sent_at: now }
  if (concerned.length > 0) return { ...base, status: "failed" as const, error: writeMissing(concerned) }
  return { ...base, status: "sending" as const }
}

/**
 * Fixes the recipients of a campaign that is due, with their zones and times, and has it be `sending` [H4.6]. Its segment is
 * evaluated before [E9]. `findMissing` answers the providers without credentials.
 */
export const makeStartCampaign = (
  { clock, tenants }: { readonly clock: Ports["clock"]; readonly tenants: Tenants<PushDb> },
  evaluation: Pick<Evaluation, "evaluateNow">,
  findMissing: (projectId: string) => Effect.Effect<ReadonlyArray<PushProvider>>,
) => {
  const lockToStart = Effect.fnUntraced(function* (db: PushDb, campaign: PushCampaign, now: Date) {
    const locked = Option.getOrNull(yield* db.pushCampaigns.lock(campaign.id))
    return locked !== null && isToStart(locked, now) && isSameTarget(locked, campaign)
  })

  const fail = (projectId: string, campaign: PushCampaign, error: string) =>
    tenants.transact(projectId, (db) =>
      Effect.gen(function* () {
        const now = clock.now()
        if (!(yield* lockToStart(db, campaign, now))) return
        yield* Effect.orDie(db.pushCampaigns.update(campaign.id, { status: "failed", error, updated_at: now }))
      }),
    )

  const fixRecipients = (campaign: PushCampaign, missing: ReadonlyArray<PushProvider>) =>
    Effect.fnUntraced(function* (db: PushDb) {
      const audience = yield* db.pushDeliveries.gather(campaign)
      const now = clock.now()
      if (!(yield* lockToStart(db, campaign, now))) return
      const firings = planFirings(campaign, audience.timezones, now)
      const planned = planStart(audience, firings, missing, now)
      yield* audience.writeDeliveries(firings, planned.status === "failed" ? "NOT_CONFIGURED" : null)
      if (planned.status !== "sending") yield* db.pushStats.end(campaign.id, now)
      yield* Effect.orDie(db.pushCampaigns.update(campaign.id, planned))
    })

  /** Brings the members of its segment up to date. Answers why it cannot be sent, or null. */
  const evaluate = Effect.fnUntraced(function* (projectId: string, { segment_id, scheduled_for }: PushCampaign) {
    // The segment of a push-schedule is its user, and nothing else.
    if (segment_id === null || scheduled_for !== null) return null
    const outcome = yield* evaluation
      .evaluateNow(projectId, segment_id)
      .pipe(
        Effect.catchDefect((defect) =>
          tenants.faultOf(defect) === ("fault" satisfies FaultKind)
            ? Effect.succeed("unreadable" as const)
            : Effect.die(defect),
        ),
      )
    return outcome === "evaluated" ? null : outcome
  })

  return Effect.fn("push.startCampaign")(function* (projectId: string, campaignId: string) {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const found = yield* tenants.read(projectId, (db) => db.pushCampaigns.find({ id: campaignId }))
      if (Option.isNone(found)) return null satisfies Start
      const [campaign, now] = [found.value, clock.now()]
      if (!isToStart(campaign, now)) {
        const { status, scheduled_at } = campaign
        return (status === "scheduled" && scheduled_at !== null ? { againAt: scheduled_at } : campaign) satisfies Start
      }
      const problem = yield* evaluate(projectId, campaign)
      if (problem === "busy") return { againAt: new Date(now.getTime() + busyMillis) } satisfies Start
      const missing = yield* findMissing(projectId)
      if (problem !== null) yield* fail(projectId, campaign, problem === "gone" ? goneSegment : unreadableSegment)
      else yield* tenants.transact(projectId, fixRecipients(campaign, missing))
    }
    return { againAt: new Date(clock.now().getTime() + busyMillis) } satisfies Start
  })
}
