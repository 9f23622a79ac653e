import type { AnyWorkflow } from "@hearth/core"
import { anId } from "@hearth/testing"
import { Effect, Latch } from "effect"
import { describe, expect, it, test } from "vitest"
import { scheduleWorld, ten } from "./schedule-world.ts"

const at = (instant: string) => new Date(instant)

const titles = (deliveries: ReadonlyArray<{ readonly title: string | null }>) =>
  deliveries.map(({ title }) => title).join("")

/** A library with an item for each letter. */
const lettersWorld = async (letters = "abc") => {
  const made = await scheduleWorld()
  for (const [index, title] of [...letters].entries()) await made.item({ title, sort_order: index + 1 })
  return made
}

describe("at its ticks a schedule delivers", () => {
  test.each(["daily_rotation", "sequential"])("%s: the next by its place, from the first again [E11]", async (type) => {
    const { create, delivered, world } = await lettersWorld()
    const { id } = await create({ schedule_type: type, config: { cron: "0 9 * * *" } })
    await world.advance("5 days")
    expect(await delivered(id)).toEqual([
      { title: "a", tick_at: at("2026-03-03T09:00Z") },
      { title: "b", tick_at: at("2026-03-04T09:00Z") },
      { title: "c", tick_at: at("2026-03-05T09:00Z") },
      { title: "a", tick_at: at("2026-03-06T09:00Z") },
      { title: "b", tick_at: at("2026-03-07T09:00Z") },
    ])
  })

  it("weekly: on Mondays [E11]", async () => {
    const { create, delivered, world } = await lettersWorld()
    const { id } = await create({ schedule_type: "weekly" })
    await world.advance("15 days")
    expect(await delivered(id)).toEqual([
      { title: "a", tick_at: at("2026-03-09T09:00Z") },
      { title: "b", tick_at: at("2026-03-16T09:00Z") },
    ])
  })

  it("the first active item after the one delivered last, whatever happened to that [I1.3]", async () => {
    const { create, deliver, transact, item, delivered } = await lettersWorld("abcd")
    const { id } = await create()
    await deliver(id)
    const items = await transact((db) => db.contentItems.list({}, [["sort_order", "asc"]]))
    const [a, b, c] = items.map((each) => each.id)
    await transact((db) =>
      Effect.all([
        db.contentItems.remove({ id: String(a) }),
        Effect.orDie(db.contentItems.update(String(b), { is_active: false })),
        // Moved before the place that was delivered: it comes after the others.
        Effect.orDie(db.contentItems.update(String(c), { sort_order: -5 })),
      ]),
    )
    await item({ title: "x", sort_order: 2 })
    for (let turn = 0; turn < 4; turn += 1) await deliver(id)
    expect(titles(await delivered(id))).toBe("xdcx")
  })

  it("what users have written only where it says so, and only what is shown [I1.3]", async () => {
    const { create, deliver, item, delivered, world, projectId } = await lettersWorld("a")
    const { userId: author } = await world.aSignedInUser(projectId)
    const own = { owner_app_user_id: author }
    await item({ ...own, title: "u", sort_order: 2 })
    await item({ ...own, title: "h", sort_order: 3, moderation: "held" })
    await item({ ...own, title: "r", sort_order: 4, moderation: "rejected" })
    const [plain, all] = [await create(), await create({ config: { include_authored: true } })]
    for (const { id } of [plain, all]) for (let turn = 0; turn < 3; turn += 1) await deliver(id)
    expect([titles(await delivered(plain.id)), titles(await delivered(all.id))]).toEqual(["aaa", "aua"])
  })

  it("nothing where there is nothing, and does not make up for it later [I1.3]", async () => {
    const { create, delivered, item, world, row } = await scheduleWorld()
    const { id } = await create()
    await world.advance("1 day")
    expect([await delivered(id), (await row(id))?.last_tick_at]).toEqual([[], at("2026-03-03T09:00Z")])
    await item({ title: "a" })
    await world.advance("1 hour")
    expect(await delivered(id)).toEqual([])
    await world.advance("1 day")
    expect(await delivered(id)).toEqual([{ title: "a", tick_at: at("2026-03-04T09:00Z") }])
  })
})

describe("random", () => {
  const drawn = async (letters: string, count: number) => {
    const made = await lettersWorld(letters)
    const { id } = await made.create({ schedule_type: "random", config: { cron: "0 9 * * *" } })
    for (let turn = 0; turn < count; turn += 1) {
      await made.deliver(id)
      made.world.clock.advance("1 second")
    }
    return { ...made, id, shown: titles(await made.delivered(id)) }
  }

  it("shows every item once in a round, and begins none with the last one shown [E11, I1.3]", async () => {
    for (let world = 0; world < 10; world += 1) {
      const { shown } = await drawn("abcd", 12)
      const rounds = [shown.slice(0, 4), shown.slice(4, 8), shown.slice(8)]
      for (const round of rounds) expect([...round].sort().join("")).toBe("abcd")
      expect(shown[3]).not.toBe(shown[4])
      expect(shown[7]).not.toBe(shown[8])
    }
  })

  it("repeats the only one [I1.3]", async () => {
    expect((await drawn("a", 3)).shown).toBe("aaa")
  })

  it("lets new items join the round [I1.3]", async () => {
    const { id, item, deliver, delivered, world } = await drawn("ab", 1)
    await item({ title: "c", sort_order: 3 })
    for (let turn = 0; turn < 2; turn += 1) {
      world.clock.advance("1 second")
      await deliver(id)
    }
    expect([...titles(await delivered(id))].sort().join("")).toBe("abc")
  })

  it("draws evenly", async () => {
    const firsts = new Map<string, number>()
    const { create, deliver, delivered } = await lettersWorld("abcd")
    for (let draws = 0; draws < 120; draws += 1) {
      const { id } = await create({ schedule_type: "random", config: { cron: "0 9 * * *" } })
      await deliver(id)
      const first = titles(await delivered(id))
      firsts.set(first, (firsts.get(first) ?? 0) + 1)
    }
    for (const letter of "abcd") expect(firsts.get(letter) ?? 0).toBeGreaterThan(10)
  })

  it("does not count what another type has shown", async () => {
    const { create, deliver, update, delivered, world } = await lettersWorld("ab")
    const { id } = await create({ config: { cron: "0 9 * * *" } })
    await deliver(id)
    await update(id, { schedule_type: "random" })
    for (let turn = 0; turn < 2; turn += 1) {
      world.clock.advance("1 second")
      await deliver(id)
    }
    expect([...titles(await delivered(id)).slice(1)].sort().join("")).toBe("ab")
  })
})

describe("a schedule looks back [I1.3]", () => {
  const missed = async () => {
    const made = await lettersWorld()
    const schedule = await made.create()
    // Nobody does any work meanwhile.
    const pass = (time: Parameters<typeof made.world.clock.advance>[0]) => made.world.clock.advance(time)
    return { ...made, id: schedule.id, pass, settle: () => made.world.runPending() }
  }

  it("to its last tick: of those since then only the latest is delivered", async () => {
    const { id, pass, settle, delivered } = await missed()
    pass("4 days")
    await settle()
    await settle()
    expect(await delivered(id)).toEqual([{ title: "a", tick_at: at("2026-03-06T09:00Z") }])
    pass("3 days")
    await settle()
    expect(await delivered(id)).toMatchObject([{ title: "a" }, { title: "b", tick_at: at("2026-03-09T09:00Z") }])
  })

  it("to its creation", async () => {
    const { id, settle, delivered } = await missed()
    await settle()
    expect(await delivered(id)).toEqual([])
  })

  test.each([{ config: { cron: "30 9 * * *" } }, { config: { timezone: "Europe/London" } }])(
    "to a change of cron or zone: %j",
    async (changes) => {
      const { id, pass, settle, delivered, update } = await missed()
      pass("4 days")
      await update(id, changes)
      await settle()
      expect(await delivered(id)).toEqual([])
      pass("1 day")
      await settle()
      expect(await delivered(id)).toHaveLength(1)
    },
  )

  test.each([
    { name: "Other" },
    { config: { include_authored: true } },
    { schedule_type: "sequential", config: { cron: "0 9 * * *" } },
  ])("over other changes: %j", async (changes) => {
    const { id, pass, settle, delivered, update } = await missed()
    pass("4 days")
    await update(id, changes)
    await settle()
    expect(await delivered(id)).toEqual([{ title: "a", tick_at: at("2026-03-06T09:00Z") }])
  })

  it("to being switched on again", async () => {
    const { id, pass, settle, delivered, update } = await missed()
    await update(id, { is_active: false })
    pass("4 days")
    await settle()
    await update(id, { is_active: true })
    await settle()
    expect(await delivered(id)).toEqual([])
  })

  it("not over a delivery on demand, which has no tick [I1.4]", async () => {
    const { id, pass, settle, delivered, deliver } = await missed()
    await deliver(id)
    pass("1 day")
    await settle()
    expect(await delivered(id)).toEqual([
      { title: "a", tick_at: null },
      { title: "b", tick_at: at("2026-03-03T09:00Z") },
    ])
  })
})

describe("a delivery on demand [I1.4]", () => {
  it("is the next item now, also of a schedule that is switched off", async () => {
    const { create, update, deliver, delivered, core, projectId, refusal, transact } = await lettersWorld()
    const { id } = await create()
    await update(id, { is_active: false })
    const [item] = await transact((db) => db.contentItems.list({ title: "a" }, []))
    expect(await deliver(id)).toEqual({ schedule_id: id, item_id: item?.id, delivered_at: ten })
    await deliver(id)
    expect(titles(await delivered(id))).toBe("ab")
    expect(await refusal(core.deliver(projectId, anId()))).toBe("not_found NOT_FOUND")
    await transact((db) => db.contentItems.remove({}))
    expect(await refusal(core.deliver(projectId, id))).toBe("conflict NOTHING_TO_DELIVER")
  })

  it("is one item each, however many are asked for at once", async () => {
    const { create, core, projectId, world, delivered } = await lettersWorld("abcdef")
    const { id } = await create()
    await world.run(
      Effect.all(
        Array.from("abcdef", () => core.deliver(projectId, id)),
        { concurrency: "unbounded" },
      ),
    )
    expect([...titles(await delivered(id))].sort().join("")).toBe("abcdef")
  })
})

describe("a preview [I1.4]", () => {
  const preview = async (letters: string, given: object = {}, deliveries = 0) => {
    const made = await lettersWorld(letters)
    const { id } = await made.create(given)
    for (let turn = 0; turn < deliveries; turn += 1) await made.deliver(id)
    const ticks = await made.world.run(made.core.preview(made.projectId, id, 4))
    return { ...made, id, ticks, shown: ticks.map(({ title }) => title) }
  }

  it("shows the next ticks and what they will deliver", async () => {
    const { ticks, shown, id, world, delivered } = await preview("abc", {}, 1)
    expect(ticks.map((tick) => tick.at)).toEqual([3, 4, 5, 6].map((day) => at(`2026-03-0${day}T09:00Z`)))
    expect(shown).toEqual(["b", "c", "a", "b"])
    await world.advance("4 days")
    expect((await delivered(id)).slice(1).map(({ title }) => title)).toEqual(shown)
  })

  it("names no item where it is drawn, or there is none", async () => {
    const nothing = [null, null, null, null]
    const random = { schedule_type: "random", config: { cron: "0 9 * * *" } }
    expect((await preview("abc", random)).ticks.map(({ item_id }) => item_id)).toEqual(nothing)
    expect((await preview("")).ticks.map(({ item_id }) => item_id)).toEqual(nothing)
  })

  it("is of a schedule that is there", async () => {
    const { core, projectId, refusal } = await lettersWorld()
    expect(await refusal(core.preview(projectId, anId(), 7))).toBe("not_found NOT_FOUND")
  })
})

it("today is what was delivered since midnight in UTC, the last first [I1.3a]", async () => {
  const { create, deliver, core, projectId, world, libraryId } = await lettersWorld()
  const { id } = await create()
  await deliver(id)
  world.clock.set(at("2026-03-02T23:59:59.999Z"))
  await deliver(id)
  const { userId } = await world.aSignedInUser(projectId)
  const today = (limit = 10, offset = 0) => world.run(core.today(projectId, userId, { limit, offset }))
  const { rows, total } = await today()
  expect([rows.map(({ title }) => title), total]).toEqual([["b", "a"], 2])
  expect(rows[0]).toMatchObject({
    ...{ schedule_name: "Daily", schedule_type: "daily_rotation", delivered_at: world.clock.now() },
    ...{ library_id: libraryId, body: "Body", is_active: true },
  })
  expect(await today(1, 1)).toMatchObject({ rows: [{ title: "a" }], total: 2 })
  world.clock.set(at("2026-03-03T00:00:00.000Z"))
  expect(await today()).toEqual({ rows: [], total: 0 })
})

describe("what the queue has lost", () => {
  it("comes back from the rows, and what was missed is delivered [E10]", async () => {
    const { create, update, loseWorkflow, nextTick, world, delivered } = await lettersWorld()
    const [lost, off] = [await create(), await create()]
    await update(off.id, { is_active: false })
    await world.advance("3 minutes")
    await loseWorkflow(lost.id)
    expect(nextTick(lost.id)).toBeNull()
    await world.advance("1 minute")
    expect([nextTick(lost.id), nextTick(off.id)]).toEqual([at("2026-03-03T09:00Z"), null])
    world.clock.set(at("2026-03-03T08:59:59.000Z"))
    await loseWorkflow(lost.id)
    world.clock.set(at("2026-03-03T09:05:00.000Z"))
    await world.advance("1 minute")
    expect(await delivered(lost.id)).toEqual([{ title: "a", tick_at: at("2026-03-03T09:00Z") }])
  })

  it("is delivered for half a minute at once, what is overdue for longest first", async () => {
    const { create, delivered, world, projectId, beforeCommit } = await lettersWorld()
    const crons = ["0 9 * * *", "0 8 * * *", "30 8 * * *"]
    const schedules = await Promise.all(crons.map((cron) => create({ config: { cron } })))
    world.clock.set(at("2026-03-03T09:05:00.000Z"))
    const workflow = world.core.background.workflows.find(({ name }) => name === "run-project-job") as AnyWorkflow
    const run = () => world.run(workflow.run({ project_id: projectId, job: "content.schedules" }))
    const counts = () => Promise.all(schedules.map(async ({ id }) => (await delivered(id)).length))
    beforeCommit(() => Effect.sync(() => void world.clock.advance("20 seconds")))
    await run()
    beforeCommit(() => Effect.void)
    expect(await counts()).toEqual([0, 1, 1])
    await run()
    expect(await counts()).toEqual([1, 1, 1])
  })

  it("does not keep a workflow whose schedule is gone or switched off", async () => {
    const { create, transact, nextTick, world } = await lettersWorld()
    const [gone, off] = [await create(), await create()]
    await transact((db) =>
      Effect.andThen(
        db.contentSchedules.remove({ id: gone.id }),
        Effect.orDie(db.contentSchedules.update(off.id, { is_active: false })),
      ),
    )
    await world.advance("1 minute")
    expect(nextTick(off.id)).toBeNull()
    await world.advance("1 day")
    expect(nextTick(gone.id)).toBeNull()
  })

  it("does not keep a workflow whose project is gone", async () => {
    const { create, nextTick, world, projectId, ownerId } = await lettersWorld()
    const { id } = await create()
    await world.run(world.core.projects.remove(projectId, ownerId))
    await world.advance("1 day")
    expect([nextTick(id), world.deaths]).toEqual([null, []])
  })

  it("tries again what a project that cannot be reached has missed", async () => {
    const { create, delivered, nextTick, world, projectId } = await lettersWorld()
    const { id } = await create()
    world.tenants.unreachable(projectId, true)
    await world.advance("23 hours", { allowDeaths: true })
    expect([nextTick(id), world.deaths.length > 0]).toEqual([at("2026-03-04T09:00Z"), true])
    world.tenants.unreachable(projectId, false)
    await world.advance("1 hour")
    expect(await delivered(id)).toEqual([{ title: "a", tick_at: at("2026-03-03T09:00Z") }])
  })
})

it("many schedules of a project deliver one after the other, so that its slow ones leave the workers to others", async () => {
  const { create, delivered, world, projectId, beforeCommit } = await lettersWorld()
  const schedules = [await create(), await create(), await create()]
  world.clock.set(at("2026-03-03T09:00:00.000Z"))
  const workflow = world.core.background.workflows.find(({ name }) => name === "content-delivery") as AnyWorkflow
  const [first, ...others] = schedules.map(({ id }) => workflow.run({ project_id: projectId, schedule_id: id }))
  const gate = Latch.makeUnsafe()
  beforeCommit(() => gate.await)
  const slow = world.run(first ?? Effect.void)
  await world.run(Effect.all(others))
  const counts = () => Promise.all(schedules.map(async ({ id }) => (await delivered(id)).length))
  gate.openUnsafe()
  await slow
  expect(await counts()).toEqual([1, 0, 0])
  await world.advance("1 second")
  expect(await counts()).toEqual([1, 1, 1])
})

it("many workers at one tick deliver it once [E11]", async () => {
  const { create, delivered, world, projectId } = await lettersWorld()
  const { id } = await create()
  world.clock.set(at("2026-03-03T09:00:00.000Z"))
  const workers = [world.core, world.otherProcess()].map(({ background }) => {
    const delivery = background.workflows.find(({ name }) => name === "content-delivery") as AnyWorkflow
    return delivery.run({ project_id: projectId, schedule_id: id })
  })
  await world.run(Effect.all([...workers, ...workers, ...workers], { concurrency: "unbounded" }))
  expect(await delivered(id)).toHaveLength(1)
})
