import { Effect } from "effect"
import type { FeatureWork } from "../background/work.ts"
import type { EventsDb } from "../events/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { ProjectsDb } from "../projects/port.ts"
import { makeSweep } from "../retention/sweep.ts"
import type { Evaluation } from "../segments/evaluation.ts"
import { makeCampaignWorkflow } from "./campaign-workflow.ts"
import { passingDeliveries } from "./deliveries/forget-deliveries.ts"
import { makeReconcileCampaigns } from "./deliveries/reconcile-campaigns.ts"
import type { BatchPorts } from "./deliveries/send-batch.ts"
import { makeSendCampaign } from "./deliveries/send-campaign.ts"
import type { PushDb } from "./port.ts"

/** What sending needs of the rest of the service. */
export interface PushNeighbours {
  readonly evaluation: Pick<Evaluation, "evaluateNow">
  readonly findAccount: BatchPorts["findAccount"]
  /** Says that work comes, before it is committed, and that it has come. */
  readonly markPending: (projectId: string) => Effect.Effect<void>
  readonly nudge: (projectId: string) => Effect.Effect<void>
  /** For how many days the deliveries of a campaign are kept after its end [I0.3]. */
  readonly keepDeliveries: number
}

/** The background work of push: sending campaigns, finding those whose workflow got lost, forgetting old deliveries. */
export const makePushWork = (
  ports: Pick<Ports<EventsDb & PushDb, ProjectsDb>, "clock" | "control" | "ids" | "push" | "tenants" | "workflows">,
  { evaluation, findAccount, markPending, nudge, keepDeliveries }: PushNeighbours,
) => {
  const transact: BatchPorts["transact"] = (projectId, work) =>
    markPending(projectId).pipe(
      Effect.andThen(ports.tenants.transact(projectId, work)),
      Effect.tap(() => nudge(projectId)),
    )
  const sending = makeSendCampaign({ ...ports, findAccount, transact }, evaluation)
  const { pushCampaign, ...runs } = makeCampaignWorkflow(ports, sending.makeSend)
  return {
    work: {
      workflows: [pushCampaign],
      jobs: [makeReconcileCampaigns(ports, runs)],
      tasks: [makeSweep(ports, { name: "push.forget-deliveries", keepDays: keepDeliveries, port: passingDeliveries })],
    } satisfies FeatureWork<PushDb>,
    /** Starts and stops the workflows of campaigns. */
    runs,
    stop: sending.stop,
  }
}
