import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { startWorker } from "../../src/composition/start-worker.ts"
import type { Log, OpenQueue } from "../../src/index.ts"

const quiet: Log = () => {}

/** A world with a waiting event, and a queue without jobs. */
const waitingWorld = async () => {
  const world = testWorld()
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "lesson" }))
  const counts = { served: 0, drained: 0 }
  const queue: OpenQueue = {
    runner: world.workflows,
    serve: (workflows) =>
      Effect.sync(() => {
        counts.served += workflows.length
        return {
          drain: () =>
            Effect.sync(() => {
              counts.drained += 1
            }),
        }
      }),
    ping: () => Effect.succeed(true),
    nextTick: () => Effect.succeed(null),
    close: () => Effect.void,
  }
  const waiting = () =>
    world.run(
      Effect.map(
        world.tenants.read(projectId, (db) => db.outbox.waiting()),
        ({ entries }) => entries,
      ),
    )
  return { world, queue, counts, waiting }
}

it("serves the workflows and polls for waiting events at boot", async () => {
  const { world, queue, counts, waiting } = await waitingWorld()
  expect(await waiting()).toBe(1)
  const worker = await startWorker(world.core.background, queue, quiet)
  await expect.poll(waiting).toBe(0)
  expect(counts.served).toBe(world.core.background.workflows.length)
  await worker.drain()
  expect([await waiting(), counts.drained]).toEqual([0, 1])
})

it("continues and logs when a poll fails", async () => {
  const { world, queue } = await waitingWorld()
  const logged: Array<string> = []
  const broken = { ...world.core.background, poll: Effect.die(new Error("the control database is away")) }
  const worker = await startWorker(broken, queue, (level, message) => logged.push(`${level} ${message}`))
  await worker.drain()
  expect(logged).toEqual(["warn could not look for waiting work"])
})
