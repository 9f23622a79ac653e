import { createEngagement, type TenantDb } from "@hearth/core"
import { type FeatureWork, makeDispatcher } from "@hearth/core/background"
import type { StreakDefinition } from "@hearth/core/streaks"
import { aStreakDefinition, SimulatedFault, type TestWorld, type TestWorldOptions, testWorld } from "@hearth/testing"
import { Effect, Exit } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { fault, withFault } from "../faults.ts"

const { id: _id, created_at: _createdAt, ...daily } = aStreakDefinition({ qualifying_event: "lesson" })

const setUp = async (options: TestWorldOptions = {}) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z", ...options })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const definition: StreakDefinition = await world.run(world.core.streaks.create(projectId, daily))
  return {
    world,
    projectId,
    userId,
    definition,
    record: (...days: ReadonlyArray<string>) =>
      world.run(
        world.core.events.recordOwn(projectId, userId, {
          events: days.map((day) => ({ event_name: "lesson", occurred_at: `${day}T10:00:00Z` })),
        }),
      ),
    waiting: async () => (await world.run(world.tenants.read(projectId, (db) => db.outbox.waiting()))).entries,
    stored: async () => {
      const [streak] = await world.run(world.tenants.read(projectId, (db) => db.userStreaks.list({}, [])))
      return streak?.current_count ?? null
    },
    process: (by: TestWorld = world) => by.run(Effect.exit(by.core.background.process(projectId))),
  }
}

/** Lets everything run that waits for no timer. */
const settle = async () => {
  for (let turns = 0; turns < 200; turns += 1) await new Promise((resume) => setImmediate(resume))
}

/** The batches of events that were handled. Entries for handlers have none. */
const batches = (world: TestWorld) => world.signals.of("events_reacted").filter(({ events }) => events > 0)

describe("reactions to events [E1]", () => {
  afterEach(() => void vi.useRealTimers())

  it("run in the background: nothing has happened when the call answers", async () => {
    const { world, record, stored, waiting } = await setUp()
    await record("2026-02-27", "2026-02-28", "2026-03-01")
    expect([await stored(), await waiting()]).toEqual([null, 1])
    await world.runPending()
    expect([await stored(), await waiting()]).toEqual([3, 0])
  })

  it("run once for events that were skipped by their event_id", async () => {
    const { world, projectId, userId, waiting } = await setUp()
    const event = { event_name: "lesson", event_id: "1" }
    for (let times = 0; times < 3; times += 1) {
      await world.run(world.core.events.recordOwn(projectId, userId, event))
    }
    expect(await waiting()).toBe(1)
    await world.runPending()
    expect(batches(world)).toMatchObject([{ project_id: projectId, events: 1, lag_seconds: 0 }])
  })

  it("wait for a project whose schema is being brought up to date, while others go on", async () => {
    const { world, projectId, record, stored, waiting } = await setUp()
    const other = await world.aProjectWithOwner()
    const { userId } = await world.aSignedInUser(other.projectId)
    await record("2026-03-01")
    await world.run(world.core.events.recordOwn(other.projectId, userId, { event_name: "lesson" }))
    world.tenants.busy(projectId, true)
    await world.runPending()
    const failures = world.signals.of("processing_failed")
    expect(failures).toContainEqual(expect.objectContaining({ project_id: projectId, reason: "TENANT_BUSY" }))
    expect(new Set(failures.map(({ project_id }) => project_id))).toEqual(new Set([projectId]))
    const left = await world.run(world.tenants.read(other.projectId, (db) => db.outbox.waiting()))
    expect(left.entries).toBe(0)
    world.tenants.busy(projectId, false)
    expect(await waiting()).toBe(1)
    await world.advance("30 seconds")
    expect([await stored(), await waiting()]).toEqual([1, 0])
  })

  it("try a project again after five seconds whose database was busy, and count no try", async () => {
    const { world, projectId, record, stored } = await setUp()
    await record("2026-03-01")
    world.tenants.busy(projectId, true)
    await world.runPending()
    world.tenants.busy(projectId, false)
    expect(world.workflows.nextDueAt()).toEqual(new Date("2026-03-01T12:00:05.000Z"))
    world.clock.set(new Date("2026-03-01T12:00:05.000Z"))
    await world.run(world.workflows.runDue())
    expect(await stored()).toBe(1)
    expect(world.signals.of("event_set_aside")).toEqual([])
  })

  it("take all their locks, in their order, before the first of them runs; who fails at it is named", async () => {
    const { world, projectId, record } = await setUp()
    const [done, broken] = [[] as Array<string>, fault()]
    let failing = "second"
    const note = (text: string) => Effect.sync(() => void done.push(text))
    const work = (name: string): FeatureWork<TenantDb> => ({
      reactions: [
        {
          name,
          lock: () =>
            Effect.andThen(
              note(`${name} locks`),
              Effect.suspend(() =>
                name === failing && broken.shouldFail() ? Effect.die(new SimulatedFault("fault")) : Effect.void,
              ),
            ),
          react: () => Effect.as(note(`${name} reacts`), []),
        },
      ],
    })
    const dispatcher = makeDispatcher(world.ports, [work("first"), work("second")])
    await record("2026-03-01")
    await world.run(dispatcher.process(projectId))
    expect(done).toEqual(["first locks", "second locks", "first reacts", "second reacts"])
    broken.arm(1_000)
    await record("2026-03-02")
    await world.run(dispatcher.process(projectId))
    const named = async () =>
      (await world.run(world.core.deadLetters.list(projectId, { limit: 10, offset: 0 }))).rows.map(
        ({ reaction }) => reaction,
      )
    expect(await named()).toEqual(["second"])
    failing = "first"
    world.clock.advance("1 second")
    await world.run(dispatcher.process(projectId))
    expect(await named()).toEqual(["first"])
  })

  it("tell operators how long events waited", async () => {
    const { world, record, process } = await setUp()
    await record("2026-03-01")
    world.clock.advance("90 seconds")
    await process()
    expect(world.signals.of("events_reacted")).toMatchObject([{ events: 1, lag_seconds: 90 }])
  })

  it("take a long backlog in pieces", async () => {
    const { world, projectId, userId, process, waiting } = await setUp()
    const events = Array(500).fill({ app_user_id: userId, event_name: "lesson" })
    for (let calls = 0; calls < 9; calls += 1) {
      await world.run(world.core.events.record(projectId, { events }))
    }
    await process()
    expect(await waiting()).toBe(0)
    expect(world.signals.of("events_reacted").map((signal) => signal.events)).toEqual([2_000, 2_000, 500])
  })

  it.each([
    { many: "many users", each: 10, times: 8, handled: [5, 5, 6, 7, 8, 8] },
    { many: "one user", each: 2, times: 8, handled: [8, 8, 8, 8, 8, 8] },
    { many: "many users for long", each: 10, times: 20, handled: [5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15] },
  ])("gather what keeps coming from $many", async ({ each, times, handled }) => {
    const { world, projectId, userId } = await setUp()
    // While a batch is handled, the next events come.
    const meanwhile: FeatureWork<TenantDb> = {
      reactions: [
        {
          name: "meanwhile",
          react: (db, events) => {
            const next = events.map((event) => ({
              ...event,
              ...{ id: world.ports.ids.uuid(), external_id: null, properties: {} },
            }))
            const isLast = batches(world).length === times - 1
            return Effect.as(isLast ? Effect.void : db.events.insert(next, { enqueue: true }), [])
          },
        },
      ],
    }
    const dispatcher = makeDispatcher(world.ports, [meanwhile])
    const events = Array.from({ length: each }, () => ({ app_user_id: userId, event_name: "lesson" }))
    await world.run(world.core.events.record(projectId, { events }))
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const running = world.run(dispatcher.process(projectId))
    const counts = []
    for (const millis of [0, 49, 1, ...handled.slice(3).map(() => 50)]) {
      await vi.advanceTimersByTimeAsync(millis)
      await settle()
      // A run beside the one that waits leaves it to that.
      if (millis === 49) await world.run(dispatcher.process(projectId))
      counts.push(batches(world).length)
    }
    vi.useRealTimers()
    await running
    expect(counts).toEqual(handled)
  })

  it("pass over the events of a user who has been removed since", async () => {
    const { world, projectId, userId, record, process, waiting } = await setUp()
    await record("2026-03-01")
    await world.run(world.core.users.remove(projectId, userId))
    expect(Exit.isSuccess(await process())).toBe(true)
    expect(await waiting()).toBe(0)
  })
})

describe("reactions happen exactly once [E1, E10]", () => {
  const dying = (place: "in the middle" | "after everything but the mark") => {
    const broken = fault()
    const ports: NonNullable<TestWorldOptions["ports"]> = ({ tenants }) => ({
      tenants: withFault(tenants, (db) => ({
        ...db,
        userStreaks: {
          ...db.userStreaks,
          addPeriods: (rows) =>
            place === "in the middle" && broken.shouldFail()
              ? Effect.die(new SimulatedFault("passing"))
              : db.userStreaks.addPeriods(rows),
        },
        outbox: {
          ...db.outbox,
          remove: (ids) =>
            place !== "in the middle" && broken.shouldFail()
              ? Effect.die(new SimulatedFault("passing"))
              : db.outbox.remove(ids),
        },
      })),
    })
    return { broken, ports }
  }

  it.each(["in the middle", "after everything but the mark"] as const)(
    "although a handler dies %s: all of it is taken back, and the next one does it",
    async (place) => {
      const { broken, ports } = dying(place)
      const { world, record, stored, waiting, process, projectId, userId } = await setUp({ ports })
      await record("2026-02-28", "2026-03-01")
      broken.arm(2)
      for (let times = 0; times < 2; times += 1) {
        expect(Exit.hasDies(await process())).toBe(true)
        expect([await stored(), await waiting()]).toEqual([null, 1])
        const me = await world.run(world.core.users.me(projectId, userId))
        expect(me.last_seen_at).toEqual(new Date("2026-03-01T12:00:00.000Z"))
      }
      expect(Exit.isSuccess(await process())).toBe(true)
      expect([await stored(), await waiting()]).toEqual([2, 0])
      await process()
      await world.runPending()
      expect(await stored()).toBe(2)
    },
  )

  it("although the worker dies of it: the poll finds the project again", async () => {
    const { broken, ports } = dying("in the middle")
    const { world, record, stored } = await setUp({ ports })
    await record("2026-03-01")
    broken.arm(2)
    await world.runPending({ allowDeaths: true })
    expect(world.signals.of("processing_failed")).toHaveLength(1)
    expect(world.deaths).toMatchObject([{ workflow: "process-project" }])
    expect(await stored()).toBeNull()
    await world.advance("30 seconds")
    expect(await stored()).toBe(1)
  })

  it("although two handle the same project at once", async () => {
    const { world, record, stored, projectId } = await setUp()
    await record("2026-02-27", "2026-02-28")
    await record("2026-03-01")
    const other = createEngagement(world.ports)
    await world.run(
      Effect.all(
        [1, 2, 3].flatMap(() => [world.core.background.process(projectId), other.background.process(projectId)]),
        { concurrency: "unbounded" },
      ),
    )
    expect(await stored()).toBe(3)
    expect(world.signals.of("events_reacted").reduce((sum, { events }) => sum + events, 0)).toBe(3)
  })

  it("although somebody hangs up in the middle", async () => {
    const broken = fault()
    const { world, record, stored, waiting, process, projectId } = await setUp({
      ports: ({ tenants }) => ({
        tenants: withFault(tenants, (db) => ({
          ...db,
          outbox: { ...db.outbox, remove: (ids) => (broken.shouldFail() ? Effect.interrupt : db.outbox.remove(ids)) },
        })),
      }),
    })
    await record("2026-03-01")
    broken.arm()
    const exit = await world.run(Effect.exit(Effect.exit(world.core.background.process(projectId))))
    expect(Exit.isSuccess(exit) && Exit.isSuccess(exit.value)).toBe(false)
    expect([await stored(), await waiting()]).toEqual([null, 1])
    await process()
    expect([await stored(), await waiting()]).toEqual([1, 0])
  })
})

describe("a queue that cannot be reached [E1, E10]", () => {
  const withoutQueue: NonNullable<TestWorldOptions["ports"]> = ({ workflows }) => ({
    workflows: { ...workflows, start: () => Effect.die("no queue") },
  })

  it("takes nothing away from ingest, and the poll catches up", async () => {
    const { world, record, stored, projectId } = await setUp({ ports: withoutQueue })
    expect(await record("2026-02-28", "2026-03-01")).toMatchObject({ inserted: 2 })
    expect(world.signals.of("nudge_failed")).toEqual([{ name: "nudge_failed", project_id: projectId }])
    expect(await world.run(world.workflows.backlog())).toMatchObject({ waiting: 0 })
    await world.advance("30 seconds")
    expect(await stored()).toBe(2)
  })

  it("is asked at once, and then 250 milliseconds apart at the most, however many events come", async () => {
    let asked = 0
    const { world, record } = await setUp({
      ports: ({ workflows }) => ({
        workflows: {
          ...workflows,
          start: (workflow, ...given) =>
            Effect.suspend(() => {
              if (workflow.name === "process-project") asked += 1
              return workflows.start(workflow, ...given)
            }),
        },
      }),
    })
    const before = asked
    for (let times = 0; times < 20; times += 1) await record("2026-03-01")
    expect(asked - before).toBe(1)
    await world.advance("249 millis")
    expect(asked - before).toBe(1)
    await world.advance("1 milli")
    expect(asked - before).toBe(2)
    await world.advance("1 minute")
    expect(asked - before).toBe(2)
    await record("2026-03-01")
    expect(asked - before).toBe(3)
  })
})

describe("a project that cannot be reached", () => {
  it("keeps the others from nothing, and is caught up with later", async () => {
    const { world, projectId, record, stored } = await setUp()
    const other = await world.aProjectWithOwner()
    const them = await world.aSignedInUser(other.projectId)
    await record("2026-03-01")
    await world.run(world.core.events.recordOwn(other.projectId, them.userId, { event_name: "a" }))
    world.tenants.unreachable(projectId, true)
    await world.advance("5 minutes")
    expect(batches(world)).toMatchObject([{ project_id: other.projectId }])
    expect(world.signals.of("processing_failed")[0]).toMatchObject({ project_id: projectId })
    world.tenants.unreachable(projectId, false)
    await world.advance("30 seconds")
    expect(await stored()).toBe(1)
  })
})

describe("the poll", () => {
  it("opens no database of a project where nothing has happened", async () => {
    let opened = 0
    const { world, projectId, record } = await setUp({
      ports: ({ tenants }) => ({
        tenants: withFault(tenants, (db) => {
          opened += 1
          return db
        }),
      }),
    })
    await record("2026-02-01")
    await world.advance("10 minutes")
    const before = opened
    for (let polls = 0; polls < 48; polls += 1) {
      world.clock.advance("30 minutes")
      expect(await world.run(world.core.background.pollDue())).toEqual({ projects: 0, failed: 0 })
    }
    expect(opened).toBe(before)
    const due = await world.run(world.core.background.jobsDue(world.clock.now()))
    expect(due.map(({ project_id }) => project_id)).not.toContain(projectId)
  })

  it("finds what was committed a minute after its mark, and of which the queue was never told", async () => {
    const { world, projectId, userId, stored, record } = await setUp()
    await record("2026-02-28")
    await world.advance("1 minute")
    const event = {
      id: world.ports.ids.uuid(),
      app_user_id: userId,
      event_name: "lesson",
      properties: {},
      occurred_at: new Date("2026-03-01T10:00:00Z"),
      external_id: null,
    }
    await world.run(world.tenants.read(projectId, (db) => db.events.insert([event], { enqueue: true })))
    expect(await stored()).toBe(1)
    await world.advance("30 seconds")
    expect(await stored()).toBe(2)
  })
})
