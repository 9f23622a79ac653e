import type { AnyWorkflow } from "@hearth/core"
import { aPushCampaign, testWorld } from "@hearth/testing"
import { Effect, Latch } from "effect"
import { expect, it } from "vitest"

it("campaigns are sent two at once, and one of another project before the next of a project that has had its turns", async () => {
  const held: Array<{ readonly projectId: string; readonly gate: Latch.Latch }> = []
  let isHolding = false
  const world = testWorld({
    ports: ({ tenants }) => ({
      tenants: {
        ...tenants,
        transact: (projectId, work, options) =>
          Effect.suspend(() => {
            const gate = Latch.makeUnsafe(!isHolding)
            if (isHolding) held.push({ projectId, gate })
            return Effect.andThen(gate.await, tenants.transact(projectId, work, options))
          }),
      },
    }),
  })
  const workflow = world.core.background.workflows.find(({ name }) => name === "push-campaign") as AnyWorkflow
  const [{ projectId: busy }, { projectId: other }] = [await world.aProjectWithOwner(), await world.aProjectWithOwner()]
  const aCampaign = async (projectId: string) => {
    const row = aPushCampaign({ status: "sending" })
    await world.run(world.tenants.transact(projectId, (db) => Effect.orDie(db.pushCampaigns.insert(row))))
    const find = () => world.run(world.tenants.read(projectId, (db) => db.pushCampaigns.list({ id: row.id }, [])))
    return {
      send: () => world.run(workflow.run({ project_id: projectId, campaign_id: row.id })),
      status: async () => (await find())[0]?.status,
    }
  }
  const [first, second, third, theirs] = [
    await aCampaign(busy),
    await aCampaign(busy),
    await aCampaign(busy),
    await aCampaign(other),
  ]

  isHolding = true
  const sending = [first.send(), second.send()]
  await expect.poll(() => held.map(({ projectId }) => projectId)).toEqual([busy, busy])
  await theirs.send()
  expect(held).toHaveLength(2)
  isHolding = false
  held[0]?.gate.openUnsafe()
  await sending[0]
  await third.send()
  expect([await third.status(), await theirs.status()]).toEqual(["sending", "sending"])
  await theirs.send()
  expect([await third.status(), await theirs.status()]).toEqual(["sending", "sent"])
  held[1]?.gate.openUnsafe()
  await sending[1]
  await world.advance("1 second")
  expect([await first.status(), await second.status(), await third.status()]).toEqual(["sent", "sent", "sent"])
})
