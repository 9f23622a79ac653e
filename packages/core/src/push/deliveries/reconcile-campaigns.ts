import { Effect, Option } from "effect"
import type { ProjectJob } from "../../background/work.ts"
import type { Ports } from "../../ports/ports.ts"
import type { CampaignRuns } from "../campaign-workflow.ts"
import { campaignsJob } from "../campaign-workflow.ts"
import type { PushDb } from "../port.ts"

// As often as a worker polls [E10].
const everyMillis = 30_000
// Campaigns that are due before two polls have passed are in the queue by then.
const aheadMillis = 60_000
// So many campaigns are looked at; the others are when these have ended.
const mostCampaigns = 1_000
// What has been due for so long, while nothing else waits in the queue for so long, has no run, or one that waits for another time.
const lostMillis = 45_000

/**
 * Starts the workflow of each campaign that is sending, is about to, or has ended with deliveries left: the queue may have lost
 * it, or was never told of it [E10]. What waits there stays as it is.
 */
export const makeReconcileCampaigns = (
  { clock, tenants, workflows }: Pick<Ports<PushDb>, "clock" | "tenants" | "workflows">,
  runs: CampaignRuns,
): ProjectJob => {
  /** When a campaign has something to do. */
  const findDueAt = (projectId: string, campaignId: string) =>
    tenants.read(projectId, (db) =>
      Effect.gen(function* () {
        const campaign = Option.getOrNull(yield* db.pushCampaigns.find({ id: campaignId }))
        if (campaign === null) return null
        if (campaign.started_at === null) return campaign.scheduled_at ?? campaign.updated_at
        const { try_at } = yield* db.pushDeliveries.waiting(campaignId)
        return campaign.status === "sending" && try_at !== null ? try_at : campaign.updated_at
      }),
    )

  const restart = Effect.fnUntraced(function* (projectId: string, campaignId: string, isBusy: boolean) {
    const dueAt = yield* findDueAt(projectId, campaignId)
    if (dueAt === null) return
    const now = clock.now().getTime()
    if (!isBusy && now - dueAt.getTime() > lostMillis) yield* runs.stop(projectId, campaignId)
    yield* runs.start(projectId, campaignId, dueAt.getTime() > now ? dueAt : null)
  })

  return {
    name: campaignsJob,
    run: Effect.fn("push.reconcileCampaigns")(function* (projectId) {
      const now = clock.now()
      const until = new Date(now.getTime() + aheadMillis)
      const [open, unsettled, next] = yield* Effect.all([
        tenants.read(projectId, (db) => db.pushCampaigns.findOpen(until, mostCampaigns)),
        tenants.read(projectId, (db) => db.pushStats.listOpen(mostCampaigns)),
        tenants.read(projectId, (db) => db.pushCampaigns.nextScheduledAt(until)),
      ])
      const ids = new Set([...open.map(({ id }) => id), ...unsettled])
      const again = new Date(now.getTime() + everyMillis)
      if (ids.size > 0) {
        // Without the queue, the next look does it.
        yield* Effect.catchTag(restartAll(projectId, [...ids]), "QueueUnavailable", () => Effect.void)
        return again
      }
      return next === null ? null : new Date(Math.max(next.getTime() - aheadMillis, again.getTime()))
    }),
  }

  function restartAll(projectId: string, ids: ReadonlyArray<string>) {
    return Effect.gen(function* () {
      const { waiting, oldest_seconds } = yield* workflows.backlog()
      const isBusy = waiting > 0 && oldest_seconds * 1_000 > lostMillis
      for (const id of ids) yield* restart(projectId, id, isBusy)
    })
  }
}
