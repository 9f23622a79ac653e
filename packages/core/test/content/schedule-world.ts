import { type Failure, QueueUnavailable, type TenantDb } from "@hearth/core"
import type { ContentItem, ContentScheduleChanges, NewContentSchedule } from "@hearth/core/content"
import { aContentItem, aContentLibrary, type TestWorldOptions, testWorld } from "@hearth/testing"
import { Effect } from "effect"

/** Ten o'clock, an hour after the default time of daily schedules. */
export const ten = new Date("2026-03-02T10:00:00.000Z")

const delivery = { name: "content-delivery" }

/**
 * A project with a library, whose queue can be taken away. `onQueue` runs in the middle of each call of the queue, `onCommit` after the
 * work of each transaction, before it is committed.
 */
export const scheduleWorld = async (options: TestWorldOptions = {}) => {
  let isDown = false
  let onQueue: (id: string) => Effect.Effect<void> = () => Effect.void
  let onCommit: () => Effect.Effect<void> = () => Effect.void
  const calls: Array<string> = []
  const world = testWorld({
    startAt: ten,
    ...options,
    ports: (memory) => {
      const { tenants, workflows } = memory
      const ask = <A>(name: string, id: string, call: Effect.Effect<A, QueueUnavailable>) =>
        Effect.gen(function* () {
          calls.push(`${name} ${id}`)
          yield* onQueue(id)
          return yield* isDown ? new QueueUnavailable() : call
        })
      return {
        workflows: {
          ...workflows,
          schedule: (workflow, id, recurrence, input) =>
            ask("schedule", id, workflows.schedule(workflow, id, recurrence, input)),
          unschedule: (workflow, id) => ask("unschedule", id, workflows.unschedule(workflow, id)),
        },
        tenants: {
          ...tenants,
          transact: (projectId, work, more) =>
            tenants.transact(projectId, (db) => Effect.tap(work(db), () => onCommit()), more),
        },
        ...(typeof options.ports === "function" ? options.ports(memory) : options.ports),
      }
    },
  })
  const { projectId, ownerId } = await world.aProjectWithOwner()
  const core = world.core.content.schedules
  const transact = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) =>
    world.run(world.tenants.transact(projectId, work))
  const makeLibrary = async () => {
    const row = aContentLibrary()
    await transact((db) => Effect.orDie(db.contentLibraries.insert(row)))
    return row.id
  }
  const libraryId = await makeLibrary()
  const rows = (where: { readonly id?: string } = {}) =>
    transact((db) => db.contentSchedules.list(where, [["created_at", "asc"]]))
  return {
    ...{ world, projectId, ownerId, core, transact, libraryId, makeLibrary, rows, calls },
    setDown: (down: boolean) => {
      isDown = down
    },
    duringQueue: (run: typeof onQueue) => {
      onQueue = run
    },
    beforeCommit: (run: typeof onCommit) => {
      onCommit = run
    },
    item: async (given: Partial<ContentItem> = {}) => {
      const row = aContentItem({ library_id: libraryId, ...given })
      await transact((db) => Effect.orDie(db.contentItems.insert(row)))
      return row
    },
    create: (given: Partial<NewContentSchedule> = {}) =>
      world.run(
        core.create(projectId, { library_id: libraryId, name: "Daily", schedule_type: "daily_rotation", ...given }),
      ),
    update: (id: string, changes: ContentScheduleChanges) => world.run(core.update(projectId, id, changes)),
    row: async (id: string) => (await rows({ id }))[0],
    deliver: (id: string) => world.run(core.deliver(projectId, id)),
    /** The titles of what a schedule has delivered, in their order. */
    delivered: async (schedule_id: string) => {
      const deliveries = await transact((db) =>
        db.contentDeliveries.list({ schedule_id }, [
          ["delivered_at", "asc"],
          ["id", "asc"],
        ]),
      )
      const items = await transact((db) => db.contentItems.list({}, []))
      const titles = new Map(items.map(({ id, title }) => [id, title]))
      return deliveries.map(({ item_id, tick_at }) => ({ title: titles.get(item_id) ?? null, tick_at }))
    },
    /** When the workflow of a schedule fires next. */
    nextTick: (id: string) => world.workflows.nextTick(delivery as never, `${projectId}/${id}`),
    /** Forgets all that the queue knows of a schedule, as a Redis does that was flushed. */
    loseWorkflow: (id: string) => world.run(world.workflows.unschedule(delivery as never, `${projectId}/${id}`)),
    refusal: async <A>(effect: Effect.Effect<A, Failure>) => {
      const { code, kind } = await world.run(Effect.flip(effect))
      return `${kind} ${code}`
    },
  }
}
