import type { FaultKind, TenantDb } from "@hearth/core"
import { type FeatureWork, makeDispatcher, type Reaction } from "@hearth/core/background"
import { SimulatedFault, testWorld } from "@hearth/testing"
import { Effect } from "effect"

const start = "2026-03-01T12:00:00.000Z"
const paging = { limit: 1_000, offset: 0 }

/** A world whose only reaction dies of events named `poison`, as long as `state.fault` says how. */
export const poisonedWorld = async (more: ReadonlyArray<FeatureWork<TenantDb>> = []) => {
  const state: { fault: FaultKind | null } = { fault: "fault" }
  const handled: Array<string> = []
  const batches: Array<number> = []
  const reaction: Reaction<unknown> = {
    name: "counting",
    react: (_, events) =>
      Effect.sync(() => {
        batches.push(events.length)
        const poison = events.find(({ event_name }) => event_name.startsWith("poison"))
        if (poison !== undefined && state.fault !== null) throw new SimulatedFault(state.fault)
        handled.push(...events.map(({ event_name }) => event_name))
        return []
      }),
  }
  const world = testWorld({ startAt: start })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  await world.runPending()
  const background = makeDispatcher(world.ports, [{ reactions: [reaction] }, ...more])
  const record = (...names: ReadonlyArray<string>) =>
    world.run(world.core.events.recordOwn(projectId, userId, { events: names.map((event_name) => ({ event_name })) }))
  const process = () => world.run(Effect.exit(background.process(projectId)))
  const letters = async () => (await world.run(world.core.deadLetters.list(projectId, paging))).rows
  const waiting = async () => (await world.run(world.tenants.read(projectId, (db) => db.outbox.waiting()))).entries
  return { world, projectId, userId, state, handled, batches, background, record, process, letters, waiting }
}
