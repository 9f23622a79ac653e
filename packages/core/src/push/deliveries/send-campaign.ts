import { Effect, Exit, Option } from "effect"
import { makeTurns } from "../../background/turns.ts"
import type { Ports } from "../../ports/ports.ts"
import type { Evaluation } from "../../segments/evaluation.ts"
import type { PushCampaign } from "../campaign.ts"
import type { CampaignRuns, SendDue } from "../campaign-workflow.ts"
import type { PushDb } from "../port.ts"
import type { PushProvider } from "../push-token.ts"
import type { ClaimPosition } from "./deliveries-port.ts"
import type { Verdict } from "./judge-batch.ts"
import { type BatchLimits, type BatchPorts, type ClaimedBatch, isLater, makeSendBatch } from "./send-batch.ts"
import { makeStartCampaign } from "./start-campaign.ts"

// A call of the gateway takes a minute at most. What is claimed for longer than this has lost its process.
const leaseMillis = 2 * 60_000

// While one batch is with the provider, the other one is with the database.
const lanes = 2
const mostInBatch = 200
const leastInBatch = 50
// A batch that takes longer than the first of these halves the next one, so that little is unknown when a process dies.
const slowMillis = 2_000
const quickMillis = 1_000

// After so long a run gives way to other campaigns, and is asked for again.
const runMillis = 30_000
// A worker runs a few workflows side by side. Campaigns must leave some of that to reactions and jobs.
const campaignsAtOnce = 2
// A campaign whose turn it is not asks again after this.
const againMillis = 500

// Deliveries that are ended at once, without being sent.
const piece = 5_000

/** Why pending deliveries of a campaign end that has ended. */
const endings = {
  cancelled: { status: "skipped", error: "CANCELLED" },
  failed: { status: "failed", error: "CAMPAIGN_FAILED" },
} as const

/** What is known of a run: until when it goes on, which providers are left alone until when, and what was claimed last. */
interface Run {
  readonly until: number
  readonly pauses: Map<PushProvider, Date>
  after: ClaimPosition | null
}

/**
 * Sends campaigns: fixes the recipients of one that is due, claims deliveries, sends them, writes what became of them, and ends
 * the campaign when each has a result [E9]. Any number of runs of a campaign at once send nothing twice. A run is bounded, and
 * asks for another one where something is left.
 */
export const makeSendCampaign = (
  ports: BatchPorts & { readonly tenants: Ports<PushDb>["tenants"] },
  evaluation: Pick<Evaluation, "evaluateNow">,
) => {
  const { clock, tenants } = ports
  const { claimBatch, findMissing, sendBatch } = makeSendBatch(ports)
  const startCampaign = makeStartCampaign(ports, evaluation, findMissing)
  const turns = makeTurns(ports, campaignsAtOnce, campaignsAtOnce)
  let isStopping = false

  /** The next batch of a lane, after `verdict` on the one before; null where the lane ends. */
  const makePlan = (run: Run) => {
    let limit = leastInBatch
    let begun = clock.now().getTime()
    return (verdict: Verdict | null): BatchLimits | null => {
      const now = clock.now().getTime()
      if (verdict !== null) {
        for (const [provider, at] of verdict.pauses) run.pauses.set(provider, at)
        if (now - begun > slowMillis) limit = Math.max(leastInBatch, Math.floor(limit / 2))
        else if (now - begun < quickMillis) limit = Math.min(mostInBatch, limit * 2)
      }
      begun = now
      if (isStopping || now >= run.until || (verdict?.failure ?? null) !== null) return null
      const without = new Set([...run.pauses].flatMap(([provider, at]) => (at.getTime() > now ? [provider] : [])))
      return { limit, without, after: run.after }
    }
  }

  const sendLane = Effect.fnUntraced(function* (projectId: string, campaign: PushCampaign, run: Run) {
    const planNext = makePlan(run)
    const note = (batch: ClaimedBatch | null) => {
      if (batch !== null && batch.last !== null && isLater(batch.last, run.after)) run.after = batch.last
      return batch
    }
    for (let limits = planNext(null); limits !== null; limits = planNext(null)) {
      let batch = note(yield* claimBatch(projectId, campaign, limits))
      // At the end everything is looked at once more: what waited for a provider, or what another lane gave back.
      if (batch === null && limits.after === null) return
      if (batch === null) run.after = null
      while (batch !== null) {
        const sent = yield* sendBatch(projectId, campaign, batch, planNext)
        if (sent.verdict.failure !== null) return
        batch = note(sent.next)
      }
    }
  })

  /** Makes claims whose process is gone `unknown`: whether they were sent is not known, so they are not sent again. */
  const giveUpLost = Effect.fnUntraced(function* (projectId: string, campaignId: string) {
    const until = new Date(clock.now().getTime() - leaseMillis)
    const giveUpNext = (db: PushDb) =>
      Effect.tap(db.pushDeliveries.giveUp(campaignId, until, piece), (unknown) =>
        db.pushStats.add(campaignId, { unknown }),
      )
    while ((yield* tenants.transact(projectId, giveUpNext)) === piece) {}
  })

  /** Ends what is pending of a campaign that has ended. */
  const settle = Effect.fnUntraced(function* (projectId: string, campaignId: string, status: keyof typeof endings) {
    const ending = endings[status]
    const settleNext = (db: PushDb) =>
      Effect.tap(db.pushDeliveries.settle(campaignId, ending.status, ending.error, piece), (count) =>
        ending.status === "failed" ? db.pushStats.add(campaignId, { failed: count }) : Effect.void,
      )
    while ((yield* tenants.transact(projectId, settleNext)) === piece) {}
  })

  /** Ends a campaign of which nothing waits. Answers when to look again, or null. */
  const conclude = Effect.fnUntraced(function* (projectId: string, campaignId: string, pauses: Run["pauses"]) {
    return yield* tenants.transact(projectId, (db) =>
      Effect.gen(function* () {
        const campaign = Option.getOrNull(yield* db.pushCampaigns.lock(campaignId))
        if (campaign === null || campaign.started_at === null) return null
        const { try_at, claimed_at } = yield* db.pushDeliveries.waiting(campaignId)
        const now = clock.now()
        const times = [
          ...(try_at === null
            ? []
            : [
                try_at <= now
                  ? Math.min(...[...pauses.values()].map(Number), Number.POSITIVE_INFINITY)
                  : try_at.getTime(),
              ]),
          ...(claimed_at === null ? [] : [claimed_at.getTime() + leaseMillis]),
        ]
        if (try_at !== null || claimed_at !== null) {
          const soonest = Math.min(...times)
          return new Date(Number.isFinite(soonest) ? Math.max(soonest, now.getTime()) : now.getTime())
        }
        if (campaign.status === "sending")
          yield* Effect.orDie(db.pushCampaigns.update(campaignId, { status: "sent", sent_at: now, updated_at: now }))
        yield* db.pushStats.end(campaignId, now)
        return null
      }),
    )
  })

  const sendDue = Effect.fnUntraced(function* (projectId: string, campaignId: string) {
    const started = yield* startCampaign(projectId, campaignId)
    if (started === null) return null
    if ("againAt" in started) return started.againAt
    if (started.started_at === null) return null
    yield* giveUpLost(projectId, campaignId)
    const run: Run = { until: clock.now().getTime() + runMillis, pauses: new Map(), after: null }
    if (started.status === "sending") {
      // Each to its end: a batch that is broken off would be unknown.
      const lane = Effect.exit(sendLane(projectId, started, run))
      const exits = yield* Effect.all(
        Array.from({ length: lanes }, () => lane),
        { concurrency: "unbounded" },
      )
      const failed = exits.find(Exit.isFailure)
      if (failed !== undefined) return yield* Effect.failCause(failed.cause)
    }
    const found = yield* tenants.read(projectId, (db) => db.pushCampaigns.find({ id: campaignId }))
    const status = Option.getOrNull(found)?.status
    if (status === "cancelled" || status === "failed") yield* settle(projectId, campaignId, status)
    return yield* conclude(projectId, campaignId, run.pauses)
  })

  return {
    /** What the workflow of campaigns does. Where the queue cannot be asked for another run, the reconciler finds it. */
    makeSend: (runs: CampaignRuns): SendDue =>
      Effect.fn("push.sendCampaign")(function* (projectId, campaignId) {
        const turn = yield* turns.take(projectId, sendDue(projectId, campaignId), againMillis)
        const at = "again_at" in turn ? turn.again_at : turn.done
        if (at !== null) yield* Effect.ignoreCause(runs.start(projectId, campaignId, at))
      }),

    /** From now on no further batch is begun: what waits is left to others. */
    stop: Effect.sync(() => {
      isStopping = true
    }),
  }
}
