import type { Log, OpenQueue } from "@hearth/adapters"
import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { startWorker } from "../src/start-worker.ts"

const quiet: Log = () => {}

/** A world with an event that waits, and a queue that was told of nothing. */
const waitingWorld = async () => {
  const world = testWorld()
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "lesson" }))
  const served = { began: 0, drained: 0 }
  const queue: OpenQueue = {
    runner: world.workflows,
    serve: (workflows) =>
      Effect.sync(() => {
        served.began += workflows.length
        return {
          drain: () =>
            Effect.sync(() => {
              served.drained += 1
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
  return { world, queue, served, waiting }
}

it("serves the workflows and finds at boot what the queue was not told of", async () => {
  const { world, queue, served, waiting } = await waitingWorld()
  expect(await waiting()).toBe(1)
  const worker = await startWorker(world.core.background, queue, quiet)
  await expect.poll(waiting).toBe(0)
  expect(served.began).toBe(world.core.background.workflows.length)
  await worker.drain()
  expect([await waiting(), served.drained]).toEqual([0, 1])
})

it("goes on when looking for work fails, and says so", async () => {
  const { world, queue } = await waitingWorld()
  const logged: Array<string> = []
  const broken = { ...world.core.background, poll: Effect.die(new Error("the control database is away")) }
  const worker = await startWorker(broken, queue, (level, message) => logged.push(`${level} ${message}`))
  await worker.drain()
  expect(logged).toEqual(["warn could not look for waiting work"])
})
