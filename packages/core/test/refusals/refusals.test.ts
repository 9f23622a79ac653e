import type { Refused } from "@hearth/core/refusals"
import { memoryControlPlane, testWorld } from "@hearth/testing"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"

const setUp = async () => {
  const control = memoryControlPlane()
  const written: Array<number> = []
  const watched: typeof control = {
    ...control,
    transact: (work) =>
      control.transact((db) => {
        const { refusedCalls } = db
        const add: typeof refusedCalls.add = (rows, bounds) => {
          written.push(rows.length)
          return refusedCalls.add(rows, bounds)
        }
        return work(Object.create(db, { refusedCalls: { value: { ...refusedCalls, add } } }))
      }),
  }
  const world = testWorld({ ports: () => ({ control: watched }) })
  const { projectId } = await world.aProjectWithOwner()
  const note = (given: Partial<Refused> = {}) =>
    world.core.refusals.note({
      ...{ project_id: projectId, caller: "app", method: "POST", path: "/v1/client/events", status: 400 },
      ...{ code: "INVALID_EVENT", message: "event_name is required.", request_id: "one" },
      ...given,
    })
  const list = (query: { code?: string; limit?: number } = {}) =>
    world.run(world.core.refusals.list(projectId, { limit: 1_000, ...query }))
  return { world, control, written, projectId, note, list }
}

describe("the log of refused calls", () => {
  it("counts calls by their kind, and knows what the last was told", async () => {
    const { world, note, list } = await setUp()
    note()
    await world.advance("1 minute")
    note({ message: "properties must be an object.", request_id: "two" })
    note({ code: "INVALID_JSON" })
    const { rows, total } = await list({ code: "INVALID_EVENT" })
    expect([total, rows]).toMatchObject([
      1,
      [{ count: 2, request_id: "two", message: "properties must be an object." }],
    ])
    const [row] = rows
    expect((row?.last_at.getTime() ?? 0) - (row?.first_at.getTime() ?? 0)).toBe(60_000)
    note()
    expect((await list()).rows).toMatchObject([{ count: 3 }, { count: 1 }])
  })

  it("forgets what has not happened for seven days", async () => {
    const { world, note, list } = await setUp()
    note({ code: "OLD" })
    await world.advance("4 days")
    note({ code: "NEW" })
    expect((await list()).rows.map(({ code }) => code)).toEqual(["NEW", "OLD"])
    await world.advance("4 days")
    expect((await list()).rows.map(({ code }) => code)).toEqual(["NEW"])
    note({ code: "OLD" })
    expect((await list()).rows).toMatchObject([{ code: "OLD", count: 1 }, { code: "NEW" }])
  })

  it("is bounded, however many kinds there are, and strangers take no room of others", async () => {
    const { world, projectId, note, list } = await setUp()
    for (let n = 0; n < 5_000; n += 1) {
      note({ caller: "unknown", path: `/v1/${n}` })
      note({ caller: "unknown", project_id: crypto.randomUUID() })
    }
    for (let n = 0; n < 5_000; n += 1) note({ caller: "developer", path: `/v1/${n}` })
    const other = await world.aProjectWithOwner()
    note({ project_id: other.projectId })
    const { rows } = await list()
    const of = (caller: string) => rows.filter((row) => row.caller === caller)
    expect([of("developer").length, of("unknown").length > 0, of("unknown").length <= 200]).toEqual([200, true, true])
    expect((await world.run(world.core.refusals.list(other.projectId))).total).toBe(1)
    for (let n = 0; n < 300; n += 1) {
      await world.advance("1 second")
      note({ caller: "developer", path: `/v2/${n % 100}` })
    }
    const { rows: kept } = await list()
    expect(kept.filter(({ caller }) => caller === "developer")).toHaveLength(200)
    expect(kept.filter(({ path }) => path.startsWith("/v2/"))).toHaveLength(100)
    expect(kept.every((row) => row.count === (row.path.startsWith("/v2/") ? 3 : 1))).toBe(true)
    expect(projectId).not.toBe(other.projectId)
  })

  it("holds a bounded number of kinds, of one project, of all, and of strangers", async () => {
    const { world, written, note } = await setUp()
    const write = () => world.run(world.core.refusals.write())
    for (let n = 0; n < 1_000; n += 1) note({ path: `/v1/${n}` })
    await write()
    for (let n = 0; n < 5_000; n += 1) note({ project_id: crypto.randomUUID() })
    await write()
    for (let n = 0; n < 5_000; n += 1) note({ caller: "unknown", project_id: crypto.randomUUID() })
    note()
    await write()
    expect(written).toEqual([200, 2_000, 201])
  })

  it("keeps what it could not write while the control database is away", async () => {
    const { world, control, note, list } = await setUp()
    note()
    control.unreachable(true)
    expect(Exit.isFailure(await Effect.runPromiseExit(world.core.refusals.write()))).toBe(true)
    note({ request_id: "two" })
    control.unreachable(false)
    expect((await list()).rows).toMatchObject([{ count: 2, request_id: "two" }])
    expect((await list()).rows).toMatchObject([{ count: 2 }])
  })

  it("asks the database for nothing when nothing was refused", async () => {
    const { world, control } = await setUp()
    control.unreachable(true)
    expect(Exit.isSuccess(await Effect.runPromiseExit(world.core.refusals.write()))).toBe(true)
  })
})
