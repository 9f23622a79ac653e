import type { ContentScheduleChanges } from "@hearth/core/content"
import { aContentSchedule, anId } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { scheduleWorld, ten } from "./schedule-world.ts"

const at = (instant: string) => new Date(instant)

describe("a schedule", () => {
  it("is made with its workflow, and shown with its defaults", async () => {
    const { create, row, nextTick, libraryId } = await scheduleWorld()
    const made = await create()
    expect(made).toEqual({
      ...{ id: made.id, library_id: libraryId, name: "Daily", schedule_type: "daily_rotation", is_active: true },
      ...{
        config: { cron: "0 9 * * *", timezone: "UTC" },
        config_key: expect.stringMatching(/^content_[0-9a-f-]{36}$/),
      },
      ...{ workflow_schedule_id: `content-schedule-${made.id}`, created_at: ten, updated_at: ten },
    })
    expect(await row(made.id)).toMatchObject({ config: {}, looks_from: ten, last_tick_at: null })
    expect(nextTick(made.id)).toEqual(at("2026-03-03T09:00Z"))
  })

  test.each([
    ["weekly", {}, "2026-03-09T09:00Z"],
    ["daily_rotation", { timezone: "America/New_York" }, "2026-03-02T14:00Z"],
    ["random", { cron: "*/5 * * * *" }, "2026-03-02T10:05Z"],
    ["sequential", { cron: "0 12 1 * *", timezone: "Europe/Berlin" }, "2026-04-01T10:00Z"],
  ])("of %s with %j fires at %s", async (schedule_type, config, tick) => {
    const { create, nextTick } = await scheduleWorld()
    expect(nextTick((await create({ schedule_type, config })).id)).toEqual(at(tick))
  })

  it("is of a library that is there, and of a type and config that are valid [I1.5]", async () => {
    const { core, projectId, refusal, rows, libraryId } = await scheduleWorld()
    const given = { library_id: anId(), name: "Daily", schedule_type: "weekly" }
    expect(await refusal(core.create(projectId, given))).toBe("not_found NOT_FOUND")
    const create = (more: object) => core.create(projectId, { ...given, library_id: libraryId, ...more })
    for (const more of [{ schedule_type: "random" }, { schedule_type: "x" }, { config: { cron: "0 0 30 2 *" } }])
      expect(await refusal(create(more))).toBe("invalid INVALID_SCHEDULE_CONFIG")
    expect(await rows()).toEqual([])
  })

  it("is one of 200 in a project, however many are made at once [I0.2]", async () => {
    const { core, projectId, transact, libraryId, world, rows } = await scheduleWorld()
    for (let made = 0; made < 198; made += 1) {
      const row = aContentSchedule({ library_id: libraryId })
      await transact((db) => Effect.orDie(db.contentSchedules.insert(row)))
    }
    const create = core.create(projectId, { library_id: libraryId, name: "More", schedule_type: "weekly" })
    const exits = await world.run(
      Effect.all(
        Array.from("123456", () => Effect.result(create)),
        { concurrency: "unbounded" },
      ),
    )
    const refused = exits.flatMap((exit) => (exit._tag === "Failure" ? [exit.failure] : []))
    expect([exits.length - refused.length, (await rows()).length]).toEqual([2, 200])
    for (const failure of refused) expect(failure).toMatchObject({ code: "QUOTA_EXCEEDED", details: { limit: 200 } })
  })

  it("is listed with the name of its library, the oldest first", async () => {
    const { create, core, projectId, world } = await scheduleWorld()
    const first = await create()
    world.clock.advance("1 second")
    const second = await create({ name: "Other" })
    const list = (limit: number, offset: number) => world.run(core.list(projectId, { limit, offset }))
    const named = [first, second].map((schedule) => ({ ...schedule, library_name: "Library" }))
    expect(await list(10, 0)).toEqual({ rows: named, total: 2 })
    expect(await list(1, 1)).toEqual({ rows: named.slice(1), total: 2 })
  })
})

describe("a change of a schedule", () => {
  it("moves its workflow, and keeps what is left out", async () => {
    const { create, update, nextTick, row, world } = await scheduleWorld()
    const made = await create({ config: { cron: "0 7 * * *", include_authored: true } })
    world.clock.advance("1 minute")
    const renamed = await update(made.id, { name: "Renamed" })
    expect(renamed).toEqual({ ...made, name: "Renamed", updated_at: world.clock.now() })
    expect(await row(made.id)).toMatchObject({ looks_from: ten })
    const moved = await update(made.id, { config: { timezone: "Europe/Berlin" } })
    expect(moved.config).toEqual({ cron: "0 9 * * *", timezone: "Europe/Berlin" })
    expect(nextTick(made.id)).toEqual(at("2026-03-03T08:00Z"))
    expect(await update(made.id, { schedule_type: "weekly" })).toMatchObject({
      ...{ schedule_type: "weekly", config: { cron: "0 9 * * MON", timezone: "Europe/Berlin" } },
    })
    expect(nextTick(made.id)).toEqual(at("2026-03-09T08:00Z"))
  })

  it("answers the row unchanged where nothing is given [A5]", async () => {
    const { create, update, world } = await scheduleWorld()
    const made = await create()
    world.clock.advance("1 minute")
    expect(await update(made.id, {})).toEqual(made)
  })

  it("switches it off and on with its workflow", async () => {
    const { create, update, nextTick } = await scheduleWorld()
    const { id } = await create()
    expect(await update(id, { is_active: false })).toMatchObject({ is_active: false })
    expect(nextTick(id)).toBeNull()
    await update(id, { config: { cron: "0 7 * * *" } })
    expect(nextTick(id)).toBeNull()
    await update(id, { is_active: true })
    expect(nextTick(id)).toEqual(at("2026-03-03T07:00Z"))
  })

  it("is refused where type and config do not go together, or there is none [I1.5]", async () => {
    const { create, core, projectId, refusal, row } = await scheduleWorld()
    const { id } = await create()
    const before = await row(id)
    const update = (changes: object, scheduleId = id) => refusal(core.update(projectId, scheduleId, changes))
    // Random has no default cron, and none was given.
    expect(await update({ schedule_type: "random" })).toBe("invalid INVALID_SCHEDULE_CONFIG")
    expect(await update({ config: { cron: "61 * * * *" } })).toBe("invalid INVALID_SCHEDULE_CONFIG")
    expect(await update({ config: { timezone: "+01:00" } })).toBe("invalid INVALID_SCHEDULE_CONFIG")
    expect(await update({ name: "x" }, anId())).toBe("not_found NOT_FOUND")
    expect(await row(id)).toEqual(before)
  })
})

describe("without the queue", () => {
  it("no schedule is made", async () => {
    const { core, projectId, refusal, rows, setDown, libraryId, world } = await scheduleWorld()
    setDown(true)
    const given = { library_id: libraryId, name: "Daily", schedule_type: "weekly" }
    expect(await refusal(core.create(projectId, given))).toBe("internal CREATE_FAILED")
    expect(await rows()).toEqual([])
    setDown(false)
    await world.advance("2 minutes")
    expect(await rows()).toEqual([])
  })

  it.each([{ config: { cron: "0 7 * * *" } }, { is_active: false }, { schedule_type: "weekly" }])(
    "the change %j is not made",
    async (changes) => {
      const { create, core, projectId, refusal, row, setDown, nextTick, world } = await scheduleWorld()
      const { id } = await create()
      const before = await row(id)
      setDown(true)
      expect(await refusal(core.update(projectId, id, { name: "x", ...changes }))).toBe(
        "upstream SCHEDULE_UPDATE_FAILED",
      )
      expect(await row(id)).toEqual(before)
      setDown(false)
      await world.advance("1 minute")
      expect(nextTick(id)).toEqual(at("2026-03-03T09:00Z"))
    },
  )

  it("a new name is given all the same", async () => {
    const { create, update, setDown } = await scheduleWorld()
    const { id } = await create()
    setDown(true)
    expect(await update(id, { name: "Renamed" })).toMatchObject({ name: "Renamed" })
  })

  it("a schedule is not removed", async () => {
    const { create, core, projectId, refusal, row, setDown, nextTick, world } = await scheduleWorld()
    const { id } = await create()
    setDown(true)
    expect(await refusal(core.remove(projectId, id))).toBe("upstream SCHEDULE_DELETE_FAILED")
    expect(await row(id)).toBeDefined()
    setDown(false)
    await world.run(core.remove(projectId, id))
    expect([await row(id), nextTick(id)]).toEqual([undefined, null])
    expect(await refusal(core.remove(projectId, id))).toBe("not_found NOT_FOUND")
  })

  it("a library is not removed, and its schedules fire", async () => {
    const { create, projectId, libraryId, refusal, setDown, nextTick, beforeCommit, rows, world } =
      await scheduleWorld()
    const ids = [(await create()).id, (await create()).id]
    const remove = world.core.content.libraries.remove(projectId, libraryId)
    setDown(true)
    expect(await refusal(remove)).toBe("upstream SCHEDULE_DELETE_FAILED")
    expect((await rows()).length).toBe(2)
    setDown(false)
    beforeCommit(() => Effect.die("The connection is lost."))
    await expect(world.run(remove)).rejects.toThrow()
    beforeCommit(() => Effect.void)
    expect(ids.map(nextTick)).toEqual([at("2026-03-03T09:00Z"), at("2026-03-03T09:00Z")])
    await world.run(remove)
    expect([await rows(), ...ids.map(nextTick)]).toEqual([[], null, null])
  })
})

describe("where the commit fails", () => {
  it("a changed workflow becomes again what the row is", async () => {
    const { create, core, projectId, world, beforeCommit, row, nextTick, calls } = await scheduleWorld()
    const { id } = await create()
    const before = await row(id)
    beforeCommit(() => Effect.die("The connection is lost."))
    for (const changes of [{ config: { cron: "0 7 * * *" } }, { is_active: false }]) {
      calls.length = 0
      await expect(world.run(core.update(projectId, id, changes))).rejects.toThrow()
      expect(calls).toHaveLength(2)
      expect(nextTick(id)).toEqual(at("2026-03-03T09:00Z"))
    }
    await expect(world.run(core.remove(projectId, id))).rejects.toThrow()
    expect(nextTick(id)).toEqual(at("2026-03-03T09:00Z"))
    beforeCommit(() => Effect.void)
    expect(await row(id)).toEqual(before)
  })
})

describe("a process that dies between the queue and the commit", () => {
  const dyingWorld = async (changes: ContentScheduleChanges) => {
    const made = await scheduleWorld()
    for (const title of ["a", "b", "c"]) await made.item({ title })
    const { id } = await made.create()
    await made.world.advance("82790 seconds")
    // Who is dead does not take the change back in the queue either.
    made.beforeCommit(() =>
      Effect.suspend(() => {
        made.setDown(true)
        return Effect.die("Killed.")
      }),
    )
    await expect(made.update(id, changes)).rejects.toThrow()
    made.beforeCommit(() => Effect.void)
    made.setDown(false)
    return { ...made, id }
  }

  it("leaves a workflow that fires too often, which delivers nothing twice, until the job looks", async () => {
    const { id, world, nextTick, delivered } = await dyingWorld({ config: { cron: "* * * * *" } })
    expect(nextTick(id)).toEqual(at("2026-03-03T09:00Z"))
    await world.advance("3 minutes")
    expect(nextTick(id)).toEqual(at("2026-03-04T09:00Z"))
    await world.advance("1 day")
    expect((await delivered(id)).map(({ tick_at }) => tick_at)).toEqual([
      ...[at("2026-03-03T09:00Z"), at("2026-03-04T09:00Z")],
    ])
  })

  it.each<ContentScheduleChanges>([{ is_active: false }, { config: { cron: "0 22 * * *" } }])(
    "leaves none for a tick that is due (%j), which the job delivers within a minute",
    async (changes) => {
      const { id, world, nextTick, delivered } = await dyingWorld(changes)
      await world.advance("70 seconds")
      expect((await delivered(id)).map(({ tick_at }) => tick_at)).toEqual([at("2026-03-03T09:00Z")])
      expect(nextTick(id)).toEqual(at("2026-03-04T09:00Z"))
      await world.advance("1 day")
      expect(await delivered(id)).toHaveLength(2)
    },
  )
})

describe("changes at once", () => {
  it("of one schedule come one after the other, and the workflow is the last one's", async () => {
    const { create, core, projectId, world, row, nextTick, duringQueue } = await scheduleWorld()
    const { id } = await create()
    let [inside, most] = [0, 0]
    duringQueue(() =>
      Effect.gen(function* () {
        inside += 1
        most = Math.max(most, inside)
        yield* Effect.promise(() => new Promise((resume) => setTimeout(resume, 1)))
        inside -= 1
      }),
    )
    const hours = Array.from({ length: 20 }, (_, hour) => hour)
    const update = (hour: number) => core.update(projectId, id, { config: { cron: `0 ${hour} * * *` } })
    const answers = await world.run(Effect.all(hours.map(update), { concurrency: "unbounded" }))
    expect(answers.map(({ config }) => config.cron)).toEqual(hours.map((hour) => `0 ${hour} * * *`))
    expect(most).toBe(1)
    const cron = String((await row(id))?.config["cron"])
    const hour = Number(cron.split(" ")[1])
    expect(nextTick(id)?.getUTCHours()).toBe(hour)
  })

  it("of many schedules wait for the queue four at a time, so that others have connections", async () => {
    const { create, core, projectId, world, duringQueue } = await scheduleWorld()
    const ids: Array<string> = []
    for (let made = 0; made < 12; made += 1) ids.push((await create()).id)
    let [inside, most] = [0, 0]
    duringQueue(() =>
      Effect.gen(function* () {
        inside += 1
        most = Math.max(most, inside)
        yield* Effect.promise(() => new Promise((resume) => setTimeout(resume, 5)))
        inside -= 1
      }),
    )
    const updates = ids.map((id) => core.update(projectId, id, { is_active: false }))
    await world.run(Effect.all(updates, { concurrency: "unbounded" }))
    expect(most).toBe(4)
  })
})
