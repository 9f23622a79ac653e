import { Effect, Schema } from "effect"
import type { TenantFailure } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { QueueUnavailable, Workflow } from "../ports/workflow-runner.ts"
import { makeInProject } from "../projects/in-project.ts"
import type { ProjectsDb } from "../projects/port.ts"
import { Uuid } from "../schema.ts"

const SendCampaign = Schema.Struct({ project_id: Uuid, campaign_id: Uuid })

/** The job of a project that starts its campaigns again whose workflow got lost. */
export const campaignsJob = "push.campaigns"

/**
 * The id under which a campaign is sent. A restored copy of a project has campaigns of the same ids. Queues of earlier releases have runs
 * without the project: they do what is due when they run, and ask for the rest under this id.
 */
const runId = (projectId: string, campaignId: string) => `${projectId}/${campaignId}`

/** Sends what is due of a campaign. It can be called at any time, for a campaign of any state or none. */
export type SendDue = (projectId: string, campaignId: string) => Effect.Effect<void, TenantFailure>

/** Asks the queue to send campaigns. Never call it in a transaction. */
export interface CampaignRuns {
  /** Has a campaign sent at a time, or now. Where it waits for another time already, nothing changes. `QUEUE_UNAVAILABLE` [E10]. */
  start(projectId: string, campaignId: string, at: Date | null): Effect.Effect<void, QueueUnavailable>
  /** Drops the run that waits, if there is one. `QUEUE_UNAVAILABLE` [E10]. */
  stop(projectId: string, campaignId: string): Effect.Effect<void, QueueUnavailable>
}

/**
 * The workflow that sends a campaign (spec: PUSH_CAMPAIGN). What it does is `makeSend`, which is given the runs so that it can
 * ask for another one at the time of its next group.
 */
export const makeCampaignWorkflow = (
  { control, workflows }: Pick<Ports<never, ProjectsDb>, "control" | "workflows">,
  makeSend: (runs: CampaignRuns) => SendDue,
) => {
  const inProject = makeInProject(control)
  const pushCampaign: Workflow<typeof SendCampaign.Type> = {
    name: "push-campaign",
    input: SendCampaign,
    // A project that cannot be reached is a run that dies: it is tried again. One that was removed has no campaigns.
    run: ({ project_id, campaign_id }) =>
      inProject(
        project_id,
        Effect.suspend(() => send(project_id, campaign_id)),
      ).pipe(
        Effect.catchTag("ProjectNotFound", () => Effect.void),
        Effect.orDie,
      ),
  }
  const runs: CampaignRuns = {
    start: (project_id, campaign_id, at) =>
      workflows.start(
        pushCampaign,
        runId(project_id, campaign_id),
        { project_id, campaign_id },
        at === null ? {} : { at },
      ),
    stop: (projectId, campaignId) => workflows.terminate(pushCampaign, runId(projectId, campaignId)),
  }
  const send = makeSend(runs)
  return { ...runs, pushCampaign }
}
