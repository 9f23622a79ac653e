import { type FeatureWork, makeDispatcher } from "@hearth/core/background"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import type { PlatformEvent } from "../../src/events/event.ts"
import { poisonedWorld } from "./poisoned-world.ts"

const start = "2026-03-01T12:00:00.000Z"
const paging = { limit: 1_000, offset: 0 }

const names = (count: number, name = "fine") => Array.from({ length: count }, (_, n) => `${name} ${n}`)

describe("an event that cannot be handled", () => {
  it("is set aside alone: everything else of the batch is handled, and later events of the user go on", async () => {
    const { record, process, handled, letters, waiting, userId } = await poisonedWorld()
    await record(...names(20), "poison", ...names(20, "after"))
    expect(Exit.isSuccess(await process())).toBe(true)
    expect(handled).toEqual([...names(20), ...names(20, "after")])
    expect(await waiting()).toBe(0)
    expect(await letters()).toMatchObject([
      {
        topic: null,
        app_user_id: userId,
        reaction: "counting",
        error: "SimulatedFault: A simulated fault: fault.",
        status: "retrying",
        tries: 1,
        first_failed_at: new Date(start),
      },
    ])
    await record("later")
    await process()
    expect(handled.at(-1)).toBe("later")
  })

  it("is found by halving, not by trying every event alone", async () => {
    const { record, process, batches } = await poisonedWorld()
    await record(...names(63), "poison", ...names(36, "after"))
    await process()
    expect(batches.length).toBeLessThan(25)
  })

  it("is tried again after 1 s, 10 s, 1 min and 10 min, and is then dead", async () => {
    const { world, record, process, letters } = await poisonedWorld()
    await record("poison")
    await process()
    const story = [await letters()]
    for (const seconds of [1, 10, 60, 600]) {
      world.clock.advance(`${seconds * 1_000 - 1} millis`)
      await process()
      expect(await letters()).toEqual(story.at(-1))
      world.clock.advance("1 milli")
      await process()
      story.push(await letters())
    }
    expect(story.flat().map(({ status, tries }) => `${status} ${tries}`)).toEqual([
      ...["retrying 1", "retrying 2", "retrying 3", "retrying 4", "dead 5"],
    ])
    expect(world.signals.of("event_set_aside").map(({ status }) => status)).toEqual([
      ...["retrying", "retrying", "retrying", "retrying", "dead"],
    ])
    world.clock.advance("10 days")
    await process()
    expect(await letters()).toEqual(story.at(-1))
  })

  it("is handled by a later try once it can be, and leaves nothing behind", async () => {
    const { world, record, process, letters, handled, state } = await poisonedWorld()
    await record("poison")
    await process()
    state.fault = null
    world.clock.advance("1 second")
    await process()
    expect([handled, await letters()]).toEqual([["poison"], []])
  })

  it("goes with its user", async () => {
    const { world, record, process, letters, projectId, userId } = await poisonedWorld()
    await record("poison")
    await process()
    await world.run(world.core.users.remove(projectId, userId))
    expect(await letters()).toEqual([])
    world.clock.advance("1 hour")
    expect(Exit.isSuccess(await process())).toBe(true)
  })

  it("counts a try before it begins, so that one that ends the process has counted", async () => {
    const { world, record, process, letters, state, background, projectId } = await poisonedWorld()
    await record("poison")
    await process()
    state.fault = null
    world.clock.advance("1 second")
    let transactions = 0
    const dying = makeDispatcher(
      {
        ...world.ports,
        tenants: {
          ...world.ports.tenants,
          transact: (id, work) => {
            transactions += 1
            // The note that a try begins; the try itself never ends.
            return transactions === 1 ? world.ports.tenants.transact(id, work) : Effect.interrupt
          },
        },
      },
      [{ reactions: [] }],
    )
    await world.run(Effect.exit(Effect.exit(dying.process(projectId))))
    expect(await letters()).toMatchObject([{ status: "retrying", tries: 2 }])
    world.clock.advance("10 seconds")
    await world.run(background.process(projectId))
    expect(await letters()).toEqual([])
  })
})

describe("what passes by itself", () => {
  it("puts the batch back: nothing is set aside and nothing counted, however often it comes", async () => {
    const { record, process, letters, waiting, state, handled } = await poisonedWorld()
    state.fault = "passing"
    await record("fine", "poison")
    for (let times = 0; times < 7; times += 1) expect(Exit.hasDies(await process())).toBe(true)
    expect([await letters(), await waiting(), handled]).toEqual([[], 1, []])
    state.fault = null
    expect(Exit.isSuccess(await process())).toBe(true)
    expect(handled).toEqual(["fine", "poison"])
  })

  it("does not count as a try of what is set aside already", async () => {
    const { world, record, process, letters, state } = await poisonedWorld()
    await record("poison")
    await process()
    state.fault = "passing"
    for (let times = 0; times < 9; times += 1) {
      world.clock.advance("10 seconds")
      await process()
    }
    expect(await letters()).toMatchObject([{ status: "retrying", tries: 2 }])
    state.fault = "fault"
    world.clock.advance("10 seconds")
    await process()
    expect(await letters()).toMatchObject([{ status: "retrying", tries: 2 }])
  })

  it("is not a statement that takes too long: that halves the batch, and counts alone", async () => {
    const { record, process, letters, state, handled } = await poisonedWorld()
    state.fault = "timeout"
    await record(...names(9), "poison")
    await process()
    expect(handled).toEqual(names(9))
    expect(await letters()).toMatchObject([{ reaction: "counting", tries: 1 }])
  })
})

describe("a reaction that fails for too many", () => {
  it("makes the project wait after 100: the outbox keeps the rest, and nothing is lost", async () => {
    const { world, record, process, letters, state, handled, waiting } = await poisonedWorld()
    await record(...names(100, "poison"))
    await record(...names(50, "poison too"))
    await process()
    while ((await letters()).length < 100) await process()
    await process()
    expect(await letters()).toHaveLength(100)
    expect(await waiting()).toBeGreaterThan(0)
    expect(world.signals.of("project_paused")).toMatchObject([{ reaction: "counting", seconds: 1 }])
    const before = handled.length
    await record("fine")
    await process()
    expect(handled).toHaveLength(before)

    state.fault = null
    world.clock.advance("1 second")
    for (let runs = 0; runs < 5; runs += 1) await process()
    expect([await waiting(), await letters()]).toEqual([0, []])
    expect(new Set(handled).size).toBe(151)
  })

  it("lets the pauses grow to five minutes", async () => {
    const { world, record, process } = await poisonedWorld()
    for (let calls = 0; calls < 2; calls += 1) await record(...names(90, "poison"))
    for (let seconds = 0; seconds < 580; seconds += 1) {
      await process()
      world.clock.advance("1 second")
    }
    expect(world.signals.of("project_paused").map(({ seconds }) => seconds)).toEqual([
      1, 2, 4, 8, 16, 32, 64, 128, 256, 300,
    ])
  })
})

describe("an outbox entry", () => {
  it("is set aside by its topic when its handler fails, and what is left of it is an entry of its own", async () => {
    const seen: Array<unknown> = []
    const state = { isBroken: true }
    const { world, projectId, background, process, letters, waiting } = await poisonedWorld([
      {
        handlers: {
          "test.count": (_, payload) =>
            Effect.sync(() => {
              if (state.isBroken) throw new Error("not today")
              seen.push(payload["left"])
              const left = Number(payload["left"]) - 1
              return left === 0 ? null : { left }
            }),
        },
      },
    ])
    await world.run(background.transact(projectId, (db) => db.outbox.add("test.count", { left: 3 })))
    await process()
    expect(await letters()).toMatchObject([
      { event_id: null, topic: "test.count", app_user_id: null, reaction: "test.count", error: "Error: not today" },
    ])
    expect(await waiting()).toBe(0)
    state.isBroken = false
    world.clock.advance("1 second")
    await process()
    await process()
    expect([seen, await letters()]).toEqual([[3, 2, 1], []])
  })

  it("of a topic that nobody here serves is left for a newer worker, and blocks nothing", async () => {
    const { world, projectId, background, record, process, handled, waiting, letters } = await poisonedWorld()
    await world.run(background.transact(projectId, (db) => db.outbox.add("of.a.newer.release", {})))
    await record("fine")
    await process()
    expect([handled, await waiting(), await letters()]).toEqual([["fine"], 1, []])
  })
})

describe("the events that a reaction causes", () => {
  const echo = (projectOf: () => string): FeatureWork<unknown> => ({
    reactions: [
      {
        name: "echo",
        readsProperties: true,
        react: (_, events) =>
          Effect.succeed(
            events
              .filter(({ event_name }) => event_name === "fine")
              .map(
                ({ id, app_user_id, occurred_at, properties }): PlatformEvent => ({
                  cause_key: `echo/${projectOf()}/${id}`,
                  app_user_id,
                  event_name: "echoed",
                  properties,
                  occurred_at,
                }),
              ),
          ),
      },
    ],
  })

  it("are written in the same transaction, and handled in a later batch like any event", async () => {
    const { world, projectId, userId, record, process, handled, batches } = await poisonedWorld([echo(() => "a")])
    await record("fine")
    await process()
    expect(handled).toEqual(["fine", "echoed"])
    expect(batches).toEqual([1, 1])
    const { rows } = await world.run(world.core.events.ofUser(projectId, userId, paging))
    expect(rows.map(({ event_name }) => event_name).sort()).toEqual(["echoed", "fine"])
  })

  it("are written once for their cause, and not at all where the batch fails", async () => {
    const { record, process, handled, state } = await poisonedWorld([echo(() => "a")])
    await record("fine", "poison")
    state.fault = "passing"
    await process()
    expect(handled).toEqual([])
    state.fault = null
    await process()
    expect(handled).toEqual(["fine", "poison", "echoed"])
  })
})

describe("what operators can do about it", () => {
  const dead = async () => {
    const poisoned = await poisonedWorld()
    await poisoned.record("poison a")
    await poisoned.record("poison b")
    for (const seconds of [0, 1, 10, 60, 600]) {
      poisoned.world.clock.advance(`${seconds} seconds`)
      await poisoned.process()
    }
    return poisoned
  }

  it("lists by status, the newest first", async () => {
    const { world, projectId, letters, record, process } = await dead()
    await record("poison c")
    await process()
    const list = async (status: "dead" | "retrying") =>
      (await world.run(world.core.deadLetters.list(projectId, { ...paging, status }))).total
    expect([await list("dead"), await list("retrying")]).toEqual([2, 1])
    expect((await letters()).map(({ status }) => status)).toEqual(["retrying", "dead", "dead"])
  })

  it("tries one again, with all tries before it", async () => {
    const { world, projectId, letters, process, state, handled } = await dead()
    const [, first] = await letters()
    const again = await world.run(world.core.deadLetters.retry(projectId, first?.id ?? ""))
    expect(again).toMatchObject({ id: first?.id, status: "retrying", tries: 0 })
    state.fault = null
    await process()
    expect([handled, (await letters()).length]).toEqual([["poison a"], 1])
  })

  it("tries all of a reaction again, in the order in which they failed", async () => {
    const { world, projectId, letters, process, state, handled } = await dead()
    const retry = (reaction: string) => world.run(world.core.deadLetters.retryAll(projectId, { reaction }))
    expect([await retry("another"), await retry("counting")]).toEqual([{ retrying: 0 }, { retrying: 2 }])
    state.fault = null
    await process()
    expect([handled, await letters()]).toEqual([["poison a", "poison b"], []])
  })

  it("gives one up, and says where there is none", async () => {
    const { world, projectId, letters } = await dead()
    const [one] = await letters()
    const id = one?.id ?? ""
    const activeUsers = async () => {
      const now = world.clock.now()
      const range = { since: new Date(now.getTime() - 86_400_000), until: new Date(now.getTime() + 86_400_000) }
      return (await world.run(world.core.analytics.overview(projectId, range))).mau
    }
    expect(await activeUsers()).toBe(0)
    await world.run(world.core.deadLetters.remove(projectId, id))
    // Its event is in the log all the same [G0.4].
    expect(await activeUsers()).toBe(1)
    expect(await letters()).toHaveLength(1)
    expect(await world.run(Effect.flip(world.core.deadLetters.retry(projectId, id)))).toMatchObject({
      code: "NOT_FOUND",
    })
  })
})
