import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { scheduleWorld, ten } from "./schedule-world.ts"

const delivery = { name: "content-delivery" } as never
const job = "content.schedules"

/** A project with a schedule of each hour, and a copy of it, whose rows have the same ids. */
const copiedWorld = async () => {
  const made = await scheduleWorld()
  const { world, projectId, libraryId } = made
  await made.item({ title: "a" })
  const { id } = await made.create({ config: { cron: "0 * * * *" } })
  const { projectId: copyId } = await world.aProjectWithOwner()
  const of = <A, E>(project: string, work: Parameters<typeof world.tenants.transact<A, E>>[1]) =>
    world.run(world.tenants.transact(project, work))
  const saved = await of(projectId, (db) =>
    Effect.all([
      db.contentLibraries.list({ id: libraryId }, []),
      db.contentItems.list({}, []),
      db.contentSchedules.list({}, []),
    ]),
  )
  const [libraries, items, schedules] = saved
  await of(copyId, (db) =>
    Effect.gen(function* () {
      for (const row of libraries) yield* Effect.orDie(db.contentLibraries.insert(row))
      for (const row of items) yield* Effect.orDie(db.contentItems.insert(row))
      for (const row of schedules) yield* Effect.orDie(db.contentSchedules.insert(row))
    }),
  )
  await world.run(world.control.transact((db) => db.jobs.markPending(copyId, job, ten, ten)))
  return {
    ...{ ...made, id, copyId },
    /** When each tick was, and when it was delivered. */
    ticks: async (project: string) => {
      const rows = await of(project, (db) => db.contentDeliveries.list({ schedule_id: id }, [["delivered_at", "asc"]]))
      return rows.map(({ tick_at, delivered_at }) => `${tick_at?.toISOString()} at ${delivered_at.toISOString()}`)
    },
    update: (project: string, changes: object) => world.run(made.core.update(project, id, changes)),
  }
}

const hours = (from: number, until: number) =>
  Array.from({ length: until - from + 1 }, (_, index) => {
    const hour = `2026-03-02T${from + index}:00:00.000Z`
    return `${hour} at ${hour}`
  })

describe("a restored copy of a project", () => {
  it("has ticks of its own, and so has the original", async () => {
    const { world, projectId, copyId, ticks } = await copiedWorld()
    await world.advance("3 hours")
    expect([await ticks(projectId), await ticks(copyId)]).toEqual([hours(11, 13), hours(11, 13)])
  })

  it.each([
    ["switches its schedules off", { is_active: false }],
    ["has them at other times", { config: { cron: "30 9 * * *" } }],
  ])("%s, and the original goes on", async (_, changes) => {
    const { world, projectId, copyId, ticks, update } = await copiedWorld()
    await world.advance("1 hour")
    await update(copyId, changes)
    world.clock.advance("1 hour")
    await world.runPending()
    expect([await ticks(projectId), await ticks(copyId)]).toEqual([hours(11, 12), hours(11, 11)])
  })
})

describe("an entry of an earlier release, whose id names no project", () => {
  const olderWorld = async () => {
    const made = await copiedWorld()
    const { world, id, copyId, projectId } = made
    const older = `content-schedule-${id}`
    const workflow = world.core.background.workflows.find(({ name }) => name === "content-delivery")
    if (workflow === undefined) throw new Error("There is a workflow of deliveries.")
    const input = { project_id: copyId, schedule_id: id }
    const tick = { cron: "0 * * * *", timezone: "UTC" }
    // The queue is as the earlier release left it.
    for (const project of [projectId, copyId]) await world.run(world.workflows.unschedule(delivery, `${project}/${id}`))
    await world.run(world.workflows.schedule(workflow, older, tick, input))
    return { ...made, older: () => world.workflows.nextTick(delivery, older) }
  }

  it("goes with its next tick, and no tick is lost or delivered twice", async () => {
    const { world, projectId, copyId, ticks, older } = await olderWorld()
    expect(older()).not.toBeNull()
    await world.advance("3 hours")
    expect([older(), await ticks(projectId), await ticks(copyId)]).toEqual([null, hours(11, 13), hours(11, 13)])
  })

  it("goes where its schedule is gone", async () => {
    const { world, copyId, core, id, projectId, ticks, older } = await olderWorld()
    await world.run(core.remove(copyId, id))
    await world.advance("1 hour")
    expect([older(), await ticks(projectId)]).toEqual([null, hours(11, 11)])
  })
})
