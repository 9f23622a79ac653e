import { createEngagement, type Ports, type Workflow } from "@hearth/core"
import { defaultLimits } from "@hearth/core/limits"
import { defaultLiveSettings } from "@hearth/core/live"
import { defaultMediaLimits } from "@hearth/core/media"
import { defaultRetention } from "@hearth/core/retention"
import { Duration, Effect, Fiber, Schema } from "effect"
import { expect, it, vi } from "vitest"
import { aStreakDefinition } from "../src/streaks/builders.ts"
import { testWorld } from "../src/world.ts"

it("does not move its clock by itself", async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  await world.aProjectWithOwner()
  await world.runPending()
  expect(world.clock.now()).toEqual(new Date("2026-03-01T12:00:00.000Z"))
})

it("stops at every workflow, schedule and timer on the way, in their order", async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const log: Array<string> = []
  const note = (text: string) => log.push(`${text} ${world.clock.now().toISOString().slice(8, 16)}`)
  const workflow: Workflow<string> = {
    name: "note",
    input: Schema.String,
    run: (text) => Effect.sync(() => note(text)),
  }
  world.workflows.serve([workflow])
  const at = new Date("2026-03-02T06:30:00.000Z")
  await world.run(world.workflows.start(workflow, "1", "later", { at }))
  await world.run(world.workflows.schedule(workflow, "2", { cron: "0 9 * * *", timezone: "Europe/Berlin" }, "tick"))
  const slept = Effect.andThen(
    Effect.sleep("1 day"),
    Effect.sync(() => note("awake")),
  )
  await world.run(Effect.forkDetach(slept, { startImmediately: true }))

  await world.advance("2 days")
  expect(log).toEqual(["later 02T06:30", "tick 02T08:00", "awake 02T12:00", "tick 03T08:00"])
  expect(world.clock.now()).toEqual(new Date("2026-03-03T12:00:00.000Z"))
})

it.each([0.5, "1500 micros"] as const)("wakes who sleeps for %s at the next whole millisecond", async (sleep) => {
  const world = testWorld({ startAt: new Date(0) })
  const awake = Effect.map(Effect.sleep(sleep), () => world.clock.now().getTime())
  const fiber = await world.run(Effect.forkDetach(awake, { startImmediately: true }))
  await world.advance(10)
  expect(await world.run(Fiber.join(fiber))).toBe(Math.ceil(Duration.toMillis(sleep)))
})

it("settles a call that waits for earlier events of its user, where the time is moved beside it", async () => {
  const { aProjectWithOwner, aSignedInUser, advance, core, run } = testWorld()
  const { projectId } = await aProjectWithOwner()
  const { userId } = await aSignedInUser(projectId)
  const { id: _, created_at: __, ...definition } = aStreakDefinition({ qualifying_event: "lesson" })
  await run(core.streaks.create(projectId, definition))
  await run(core.events.recordOwn(projectId, userId, { event_name: "hello" }))
  const asked = run(core.events.recordOwnWithEffects(projectId, userId, { event_name: "lesson" }))
  await advance("1 second")
  expect((await asked).effects?.streaks).toMatchObject([{ before: 0, after: 1 }])
})

it("stops at the deadline of a streak, and not every 30 seconds for years", async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const { id: _, created_at: __, ...definition } = aStreakDefinition()
  const { id } = await world.run(world.core.streaks.create(projectId, definition))
  await world.run(world.core.streaks.qualify(projectId, userId, id, {}))

  await world.advance("3650 days")
  const [streak] = await world.run(world.tenants.read(projectId, (db) => db.userStreaks.list({}, [])))
  expect(streak).toMatchObject({ status: "broken", updated_at: new Date("2026-03-03T00:00:00.000Z") })
})

it("does not look for work again where nothing has happened since", async () => {
  let looks = 0
  const world = testWorld({
    ports: ({ control }) => ({
      control: {
        ...control,
        transact: (work) =>
          control.transact((db) => {
            const { beat } = db.workers
            const workers = {
              beat: (...given: Parameters<typeof beat>) => {
                looks += 1
                return beat(...given)
              },
            }
            return work({ ...db, workers })
          }),
      },
    }),
  })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  await world.advance("1 day")
  const event = { app_user_id: userId, event_name: "lesson_completed" }
  await world.run(world.core.events.record(projectId, { events: [event] }))
  looks = 0
  await world.advance("1 day")
  expect(looks).toBe(2)
})

it("looks again in 30 seconds for what failed", async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  await world.aSignedInUser(projectId)
  world.tenants.unreachable(projectId, true)
  await world.advance("90 seconds")
  expect(world.signals.of("processing_failed").length).toBeGreaterThanOrEqual(4)
})

it("replaces ports by given ones", async () => {
  const world = testWorld({ ports: ({ ids }) => ({ ids: { ...ids, base62: (length) => "x".repeat(length) } }) })
  expect((await world.aProjectWithOwner()).clientKey).toBe(`pk_${"x".repeat(32)}`)
})

it("records the deaths of workflows", async () => {
  const world = testWorld()
  const workflow: Workflow<string> = { name: "dies", input: Schema.String, run: () => Effect.die("of old age") }
  world.workflows.serve([workflow])
  await world.run(world.workflows.start(workflow, "1", ""))
  await world.advance("1 day", { allowDeaths: true })
  expect(world.deaths).toHaveLength(10)
  await world.advance("1 day")
})

it("rejects when a workflow died, and stands where it did", async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const workflow: Workflow<string> = { name: "dies", input: Schema.String, run: () => Effect.die("of old age") }
  world.workflows.serve([workflow])
  const at = new Date("2026-03-01T18:00:00.000Z")
  await world.run(world.workflows.start(workflow, "1", "", { at }))
  await expect(world.advance("1 day")).rejects.toThrow("The workflow dies (1) died. Where that is meant")
  expect(world.clock.now()).toEqual(at)
})

it("moves its time under fake timers, too", async () => {
  vi.useFakeTimers()
  try {
    const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
    await world.aProjectWithOwner()
    await world.advance("1 day")
    expect(world.clock.now()).toEqual(new Date("2026-03-02T12:00:00.000Z"))
  } finally {
    vi.useRealTimers()
  }
})

it("is none with an option or a port that there is not: JavaScript has no compiler that would say so", () => {
  const make = (options: object) => () => testWorld(options)
  expect(make({ startsAt: "2026-03-01" })).toThrow(/There is no option startsAt: it is one of startAt or ports/)
  expect(make({ ports: () => ({ mailler: {} }) })).toThrow(/There is no port mailler: it is one of clock, /)
  expect(make({ ports: () => ({ mailer: undefined }) })).toThrow(/There is nothing at these ports: mailer/)
  expect(make({ ports: async () => ({ mailer: {} }) })).toThrow(/Ports are given at once: what was given is a promise/)
  expect(() => Reflect.apply(testWorld, null, ["2026-03-01"])).toThrow(
    /The options must be an object of startAt or ports/,
  )
})

const makeWith = (options: object) => () => createEngagement(testWorld().ports, options)

it("is none with an option that is of another kind", () => {
  const wrong: ReadonlyArray<readonly [object, RegExp]> = [
    [{ hosts: "hearth.example" }, /^hosts must be a list: it is a text\.$/],
    [{ hosts: [1] }, /^hosts\.0 must be a text: it is 1\.$/],
    [{ knownProjects: 1 }, /^knownProjects must be true or false: it is 1\.$/],
    [
      { live: { ...defaultLiveSettings, per_user: -1 } },
      /^live\.per_user must be a whole number of at least 1: it is -1/,
    ],
    [{ media: { ...defaultMediaLimits, maxBytes: Number.NaN } }, /^media\.maxBytes must be .*: it is NaN\.$/],
    [{ media: { ...defaultMediaLimits, quotaBytes: null } }, /^media\.quotaBytes must be .*: it is null\.$/],
    [{ retention: { ...defaultRetention, feed_items: "30" } }, /^retention\.feed_items must be .*: it is a text\.$/],
    [{ magicLinks: { fixed: null, app: "https://a.example", allowLoopback: "no" } }, /^magicLinks\.allowLoopback must/],
    [{ limits: { ...defaultLimits, sign_in: 5 } }, /^limits\.sign_in must be a list: it is 5\.$/],
    [{ limits: { ...defaultLimits, sign_in: [{ points: 0, seconds: 1 }] } }, /^limits\.sign_in\.0\.points must be/],
    [
      { limits: { ...defaultLimits, sign_in: [{ points: 1 }] } },
      /^limits\.sign_in\.0\.seconds must be .*: it is undefined/,
    ],
    [{ limits: { ...defaultLimits, owned_projects: -1 } }, /^limits\.owned_projects must be .*: it is -1\.$/],
  ]
  for (const [options, sentence] of wrong) {
    expect(makeWith(options)).toThrow(sentence)
    expect(makeWith(options)).toThrow(TypeError)
  }
  const limits = { ...defaultLimits, sign_in: [], owned_projects: null }
  expect(makeWith({ hosts: ["hearth.example"], limits, live: null, pushBUrl: null })).not.toThrow()
})

it("is none with an option of an option that there is not, or that is missing", () => {
  const make = makeWith
  expect(make({ limits: { ...defaultLimits, user_write: [] } })).toThrow(
    /There is no option limits\.user_write: it is one of limits\.login_per_email_and_address, .*limits\.user_writes/,
  )
  expect(make({ limits: { user_writes: [] } })).toThrow(/There is nothing at these options: limits\.login_per_email.*/)
  expect(make({ media: { maxByte: 1 } })).toThrow(/There is no option media\.maxByte: .* media\.maxBytes/)
  expect(make({ live: { perUser: 1 } })).toThrow(/There is no option live\.perUser/)
  expect(make({ retention: { feed: 1 } })).toThrow(/There is no option retention\.feed: .* retention\.feed_items/)
  expect(make({ magicLinks: "https://app.example" })).toThrow(/magicLinks must be an object of magicLinks\.fixed/)
  expect(make({ limits: undefined, media: undefined })).not.toThrow()
})

it("does nothing where it is given an option that there is not", async () => {
  const world = testWorld()
  const { projectId } = await world.aProjectWithOwner()
  const wrong = { allowDeath: true, timezon: "Europe/Berlin" }
  await expect(world.advance("1 day", wrong as object)).rejects.toThrow(/There is no option allowDeath/)
  await expect(world.runPending(wrong as object)).rejects.toThrow(/There is no option allowDeath/)
  await expect(world.aSignedInUser(projectId, wrong as object)).rejects.toThrow(
    /There is no option allowDeath or timezon/,
  )
  expect(world.clock.now()).toEqual(new Date("2026-01-01T00:00:00.000Z"))
})

it("runs effects, and tells what is none: a use case that was not called, a promise, nothing", async () => {
  const { core, run } = testWorld()
  const running = (given: unknown) => expect(run(given as never)).rejects
  await running(undefined).toThrow(TypeError)
  await running(undefined).toThrow(/What is run is an effect, .*: this is undefined/)
  await running(core.streaks.list).toThrow(/this is a function/)
  await running(Promise.resolve()).toThrow(/this is a promise/)
  await running([Effect.void]).toThrow(/this is an array/)
  await running({}).toThrow(/this is an object/)
})

it("takes ports as they are, or as a function makes them", async () => {
  const sent: Array<string> = []
  const mailer: Ports["mailer"] = { send: ({ to }) => Effect.sync(() => void sent.push(to)) }
  for (const ports of [{ mailer }, () => ({ mailer })]) {
    const { aProjectWithOwner, core, run } = testWorld({ ports })
    const { projectId } = await aProjectWithOwner()
    await run(core.auth.magicLinks.request(projectId, "ada@example.com", null))
  }
  expect(sent).toEqual(["ada@example.com", "ada@example.com"])
})
