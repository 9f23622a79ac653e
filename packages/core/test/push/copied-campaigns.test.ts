import { aPushCampaign, aPushToken } from "@hearth/testing"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { noon, pushWorld } from "./world.ts"

const at = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)

/** Two projects with a user each and a campaign of the same id, which is scheduled for ten minutes past noon. */
const copiedWorld = async () => {
  const { world, projectId, gateway } = await pushWorld()
  const { projectId: copyId } = await world.aProjectWithOwner()
  const row = aPushCampaign({ status: "scheduled", scheduled_at: at(10) })
  for (const project of [projectId, copyId]) {
    const { userId } = await world.aSignedInUser(project)
    await world.run(
      world.tenants.transact(project, (db) =>
        Effect.all([db.pushTokens.insert(aPushToken({ app_user_id: userId })), db.pushCampaigns.insert(row)]),
      ),
    )
  }
  const workflow = world.core.background.workflows.find(({ name }) => name === "push-campaign")
  if (workflow === undefined) throw new Error("There is a workflow of campaigns.")
  return {
    ...{ world, projectId, copyId, row, workflow, core: world.core.pushCampaigns, projects: [projectId, copyId] },
    start: (project: string) => world.run(world.core.background.campaignRuns.start(project, row.id, row.scheduled_at)),
    /** Which project's devices were pushed to, and how long after noon. */
    pushes: () =>
      gateway.pushes
        .map(({ project_id, at: pushedAt }) => ({
          project_id,
          minutes: (pushedAt.getTime() - noon.getTime()) / 60_000,
        }))
        .toSorted(
          (one, other) => [projectId, copyId].indexOf(one.project_id) - [projectId, copyId].indexOf(other.project_id),
        ),
  }
}

it("a campaign and that of a restored copy are both sent at their time", async () => {
  const { world, projects, start, pushes } = await copiedWorld()
  for (const project of projects) await start(project)
  await world.advance("1 hour")
  expect(pushes()).toEqual(projects.map((project_id) => ({ project_id, minutes: 10 })))
})

it("a campaign is sent though that of a restored copy was cancelled", async () => {
  const { world, projectId, copyId, projects, row, core, start, pushes } = await copiedWorld()
  for (const project of projects) await start(project)
  await world.run(core.cancel(copyId, row.id))
  // No job of the project helps: it was not told of the campaign.
  await world.advance("1 hour")
  expect(pushes()).toEqual([{ project_id: projectId, minutes: 10 }])
})

it("a run of an earlier release, whose id names no project, sends nothing twice and nothing early", async () => {
  const { world, projectId, copyId, projects, row, workflow, core, start, pushes } = await copiedWorld()
  const input = { project_id: projectId, campaign_id: row.id }
  await world.run(world.workflows.start(workflow, `push-campaign-${row.id}`, input, { at: at(10) }))
  for (const project of projects) await start(project)
  await world.run(core.update(copyId, row.id, { scheduled_at: at(30).toISOString() }))
  await world.advance("1 hour")
  expect(pushes()).toEqual([
    { project_id: projectId, minutes: 10 },
    { project_id: copyId, minutes: 30 },
  ])
  expect(await world.run(world.workflows.backlog())).toEqual({ waiting: 0, oldest_seconds: 0 })
})
