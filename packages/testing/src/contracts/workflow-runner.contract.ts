import { nextTick } from "@hearth/core"
import { Cause, DateTime, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { failureContract } from "./workflow-failures.contract.ts"
import {
  done,
  eventually,
  type MakeWorkflowRunner,
  note,
  ON,
  recorder,
  type SetUp,
  type WorkflowRunnerHarness,
} from "./workflow-runner.harness.ts"

const after = (harness: WorkflowRunnerHarness, millis: number) => new Date(harness.now().getTime() + millis)
const EVERY_SECOND = { cron: "* * * * * *", timezone: "UTC" }
const NEW_YORK = { cron: "0 10 * * *", timezone: "America/New_York" }
const BERLIN = { cron: "30 11 1 * *", timezone: "Europe/Berlin" }

// A test waits with `eventually` more than once.
const TEST_MILLIS = 120_000

/**
 * What every `WorkflowRunner` promises. The tests run concurrently, because with a real queue they mostly wait. With a queue of
 * `makeQuick` ten tries take seconds, since its time is moved or its first pause is about 10 ms. Without `makeQuick` nothing is
 * asserted of how many tries there are and how their pauses grow.
 */
export const workflowRunnerContract = (name: string, make: MakeWorkflowRunner, makeQuick?: MakeWorkflowRunner) =>
  describe.concurrent(`workflow runner: ${name}`, { timeout: TEST_MILLIS }, () => {
    const setUpWith =
      (makeHarness: MakeWorkflowRunner): SetUp =>
      async ({ onTestFinished }) => {
        const harness = await makeHarness()
        onTestFinished(() => harness.close(), TEST_MILLIS)
        return { harness, runner: harness.runner, recorded: recorder(harness) }
      }
    const setUp = setUpWith(make)
    describe("start", () => startContract(setUp))
    describe("start while it runs", () => followUpContract(setUp))
    describe("terminate", () => terminateContract(setUp))
    describe("runs that die", () => failureContract(setUp, makeQuick && setUpWith(makeQuick)))
    describe("schedule", () => scheduleContract(setUp))
    describe("serve", () => serveContract(setUp))
  })

const startContract = (setUp: SetUp) => {
  it("runs once, with its input decoded", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await harness.serve([recorded.workflow])
    await done(runner.start(recorded.workflow, "1", note("a")))
    await eventually(harness, "the run", () => recorded.ended() === 1)
    await harness.pass(100)
    expect(recorded.texts()).toEqual(["a"])
    expect(DateTime.isDateTime(recorded.began[0]?.input.on)).toBe(true)
    expect(recorded.began[0]?.input.on).toEqual(ON)
  })

  it("keeps runs that are started before a worker serves", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await done(runner.start(recorded.workflow, "1", note("a")))
    await harness.pass(50)
    expect(recorded.texts()).toEqual([])
    await harness.serve([recorded.workflow])
    await eventually(harness, "the run", () => recorded.ended() === 1)
  })

  it("waits for `at`, and runs at once when it has passed", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await harness.serve([recorded.workflow])
    const at = after(harness, 300)
    await done(runner.start(recorded.workflow, "later", note("later"), { at }))
    await done(runner.start(recorded.workflow, "now", note("now"), { at: after(harness, -60_000) }))
    await eventually(harness, "both", () => recorded.ended() === 2)
    const later = recorded.began.find(({ input }) => input.text === "later")
    expect(later?.at.getTime()).toBeGreaterThanOrEqual(at.getTime())
  })

  it("ignores a start while the same id waits", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await harness.serve([recorded.workflow])
    const at = after(harness, 300)
    await done(runner.start(recorded.workflow, "1", note("first"), { at }))
    await done(runner.start(recorded.workflow, "1", note("second")))
    await done(runner.start(recorded.workflow, "1", note("third"), { at: after(harness, 10) }))
    await eventually(harness, "the run", () => recorded.ended() === 1)
    await harness.pass(100)
    expect(recorded.texts()).toEqual(["first"])
    expect(recorded.began[0]?.at.getTime()).toBeGreaterThanOrEqual(at.getTime())
  })

  it("runs the same id again after its end", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await harness.serve([recorded.workflow])
    for (const text of ["a", "b", "c"]) {
      await done(runner.start(recorded.workflow, "1", note(text)))
      await eventually(harness, text, async () => recorded.texts().at(-1) === text)
    }
    await eventually(harness, "the ends", () => recorded.ended() === 3)
  })

  it("accepts any id, and the same id for two workflows", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    const other = recorder(harness, "note:1")
    const ids = ["1", "1:2:3", "0:1", "ünï — 🌱", "a b/c?d*{e}", "x".repeat(300)]
    await done(runner.start(other.workflow, "2:3", note("other"), { at: after(harness, 200) }))
    for (const id of ids) await done(runner.start(recorded.workflow, id, note(id)))
    await harness.serve([recorded.workflow, other.workflow])
    await eventually(harness, "all", () => recorded.ended() === ids.length && other.ended() === 1)
    await harness.pass(50)
    expect(recorded.texts().toSorted()).toEqual(ids.toSorted())
    expect(other.texts()).toEqual(["other"])
  })
}

const followUpContract = (setUp: SetUp) => {
  it("is followed by exactly one more run, however often it is started", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await harness.serve([recorded.workflow])
    recorded.hold()
    await done(runner.start(recorded.workflow, "1", note("a")))
    await eventually(harness, "the first", () => recorded.began.length === 1)
    for (const text of ["b", "c", "d"]) await done(runner.start(recorded.workflow, "1", note(text)))
    await harness.pass(100)
    expect(recorded.texts()).toEqual(["a"])
    recorded.release()
    await eventually(harness, "the second", () => recorded.ended() === 2)
    await harness.pass(100)
    expect(recorded.texts()).toEqual(["a", "d"])
  })

  it("delays the follow-up until its `at`", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await harness.serve([recorded.workflow])
    recorded.hold()
    await done(runner.start(recorded.workflow, "1", note("a")))
    await eventually(harness, "the first", () => recorded.began.length === 1)
    const at = after(harness, 250)
    await done(runner.start(recorded.workflow, "1", note("b"), { at }))
    recorded.release()
    await eventually(harness, "the second", () => recorded.ended() === 2)
    expect(recorded.began[1]?.at.getTime()).toBeGreaterThanOrEqual(at.getTime())
  })

  it("takes the last input and time of several starts, be it later or earlier", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await harness.serve([recorded.workflow])
    recorded.hold()
    await done(runner.start(recorded.workflow, "later", note("a")))
    await eventually(harness, "the first", () => recorded.began.length === 1)
    const later = after(harness, 300)
    await done(runner.start(recorded.workflow, "later", note("b")))
    await done(runner.start(recorded.workflow, "later", note("c"), { at: later }))
    recorded.release()
    await eventually(harness, "its follow-up", () => recorded.ended() === 2)
    recorded.hold()
    await done(runner.start(recorded.workflow, "earlier", note("d")))
    await eventually(harness, "the second", () => recorded.began.length === 3)
    const inAnHour = after(harness, 3_600_000)
    await done(runner.start(recorded.workflow, "earlier", note("e"), { at: inAnHour }))
    await done(runner.start(recorded.workflow, "earlier", note("f")))
    recorded.release()
    await eventually(harness, "the last", () => recorded.ended() === 4)
    expect(recorded.texts()).toEqual(["a", "c", "d", "f"])
    expect(recorded.began[1]?.at.getTime()).toBeGreaterThanOrEqual(later.getTime())
    expect(recorded.began[3]?.at.getTime()).toBeLessThan(inAnHour.getTime())
  })
}

const terminateContract = (setUp: SetUp) => {
  it("removes a waiting run, and its id can be started again", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await done(runner.start(recorded.workflow, "soon:1", note("a"), { at: after(harness, 150) }))
    await done(runner.start(recorded.workflow, "now", note("b")))
    await done(runner.start(recorded.workflow, "kept", note("c"), { at: after(harness, 200) }))
    await done(runner.terminate(recorded.workflow, "soon:1"))
    await done(runner.terminate(recorded.workflow, "now"))
    await done(runner.start(recorded.workflow, "soon:1", note("d")))
    await harness.serve([recorded.workflow])
    await eventually(harness, "the others", () => recorded.ended() === 2)
    await harness.pass(100)
    expect(recorded.texts().toSorted()).toEqual(["c", "d"])
  })

  it("lets a running one end, and removes its follow-up", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await harness.serve([recorded.workflow])
    recorded.hold()
    await done(runner.start(recorded.workflow, "1", note("a")))
    await eventually(harness, "the run", () => recorded.began.length === 1)
    await done(runner.start(recorded.workflow, "1", note("b")))
    await done(runner.terminate(recorded.workflow, "1"))
    recorded.release()
    await eventually(harness, "its end", () => recorded.ended() === 1)
    await harness.pass(100)
    expect(recorded.texts()).toEqual(["a"])
    await done(runner.start(recorded.workflow, "1", note("c")))
    await eventually(harness, "a new start", () => recorded.ended() === 2)
  })

  it("does nothing to a run that does not exist, has ended, or is of another workflow", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    const other = recorder(harness, "other")
    await harness.serve([recorded.workflow, other.workflow])
    await done(runner.terminate(recorded.workflow, "never"))
    await done(runner.start(recorded.workflow, "1", note("a")))
    await eventually(harness, "the run", () => recorded.ended() === 1)
    await done(runner.terminate(recorded.workflow, "1"))
    await done(runner.start(other.workflow, "1", note("b"), { at: after(harness, 100) }))
    await done(runner.terminate(recorded.workflow, "1"))
    await eventually(harness, "the other", () => other.ended() === 1)
  })
}

const scheduleContract = (setUp: SetUp) => {
  it("runs at each tick until it is unscheduled, beside a start of the same id", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await harness.serve([recorded.workflow])
    await done(runner.schedule(recorded.workflow, "s:1 ü", EVERY_SECOND, note("tick")))
    await done(runner.start(recorded.workflow, "s:1 ü", note("start")))
    await eventually(harness, "two ticks", () => recorded.texts().filter((text) => text === "tick").length >= 2)
    await done(runner.unschedule(recorded.workflow, "s:1 ü"))
    expect(await harness.nextTick(recorded.workflow, "s:1 ü")).toBeNull()
    await harness.pass(300)
    const ran = recorded.began.length
    await harness.pass(1_200)
    expect(recorded.began.length).toBe(ran)
    expect(recorded.texts().filter((text) => text === "start")).toHaveLength(1)
  })

  it("fires at the local time of its time zone, and a second schedule replaces the first", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    for (const recurrence of [NEW_YORK, BERLIN, { ...BERLIN, timezone: "Asia/Kathmandu" }]) {
      await done(runner.schedule(recorded.workflow, "s", recurrence, note("tick")))
      expect(await harness.nextTick(recorded.workflow, "s")).toEqual(nextTick(recurrence, harness.now()))
    }
    await done(runner.schedule(recorded.workflow, "s", NEW_YORK, note("tick")))
    const tick = await harness.nextTick(recorded.workflow, "s")
    expect(tick?.toLocaleTimeString("en-GB", { timeZone: "America/New_York" })).toBe("10:00:00")
  })

  it("replaces the input too, and keeps a due tick when the same schedule is set again", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await done(runner.schedule(recorded.workflow, "s", NEW_YORK, note("old")))
    await done(runner.schedule(recorded.workflow, "s", EVERY_SECOND, note("old")))
    await done(runner.schedule(recorded.workflow, "s", EVERY_SECOND, note("new")))
    const tick = await harness.nextTick(recorded.workflow, "s")
    await harness.pass(1_200)
    await done(runner.schedule(recorded.workflow, "s", EVERY_SECOND, note("new")))
    expect(await harness.nextTick(recorded.workflow, "s")).toEqual(tick)
    expect((await done(runner.backlog())).waiting).toBe(1)
    await harness.serve([recorded.workflow])
    await eventually(harness, "the ticks", () => recorded.ended() >= 2)
    expect(new Set(recorded.texts())).toEqual(new Set(["new"]))
  })

  it("makes up for missed ticks by one run", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    await done(runner.schedule(recorded.workflow, "s", EVERY_SECOND, note("tick")))
    await harness.pass(2_200)
    const servedAt = harness.now().getTime()
    await harness.serve([recorded.workflow])
    await eventually(harness, "the missed ticks", () => recorded.ended() >= 1)
    await harness.pass(300)
    const ran = recorded.began.length
    const ticksSince = Math.floor(harness.now().getTime() / 1_000) - Math.floor(servedAt / 1_000)
    expect(ran).toBeLessThanOrEqual(1 + ticksSince)
  })

  it("keeps schedules of different workflows and ids apart", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    const other = recorder(harness, "other")
    await done(runner.schedule(recorded.workflow, "s", NEW_YORK, note("a")))
    await done(runner.schedule(recorded.workflow, "t", NEW_YORK, note("a")))
    await done(runner.schedule(other.workflow, "s", NEW_YORK, note("a")))
    await done(runner.unschedule(recorded.workflow, "s"))
    await done(runner.unschedule(recorded.workflow, "never"))
    expect(await harness.nextTick(recorded.workflow, "s")).toBeNull()
    expect(await harness.nextTick(recorded.workflow, "t")).not.toBeNull()
    expect(await harness.nextTick(other.workflow, "s")).not.toBeNull()
  })

  it("dies of an invalid expression or zone, and removes a schedule that never fires", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    for (const wrong of [{ cron: "61 * * * *" }, { cron: "whenever" }, { timezone: "Europe/Atlantis" }]) {
      const exit = await Effect.runPromiseExit(
        runner.schedule(recorded.workflow, "s", { ...NEW_YORK, ...wrong }, note("a")),
      )
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause), JSON.stringify(wrong)).toBe(true)
    }
    await done(runner.schedule(recorded.workflow, "s", NEW_YORK, note("a")))
    await done(runner.schedule(recorded.workflow, "s", { cron: "0 0 30 2 *", timezone: "UTC" }, note("a")))
    expect(await harness.nextTick(recorded.workflow, "s")).toBeNull()
  })
}

const serveContract = (setUp: SetUp) => {
  it("drains: waits for the running run, and starts no other", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    const served = await harness.serve([recorded.workflow])
    recorded.hold()
    await done(runner.start(recorded.workflow, "1", note("a")))
    await eventually(harness, "the run", () => recorded.began.length === 1)
    let drained = false
    const draining = served.drain().then(() => {
      drained = true
    })
    await harness.pass(100)
    expect(drained).toBe(false)
    recorded.release()
    await draining
    expect(recorded.ended()).toBe(1)
    await done(runner.start(recorded.workflow, "1", note("b")))
    await harness.pass(100)
    expect(recorded.texts()).toEqual(["a"])
    await harness.serve([recorded.workflow])
    await eventually(harness, "the next worker", () => recorded.ended() === 2)
  })

  it("reduces the backlog, which counts due runs", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    expect(await done(runner.backlog())).toEqual({ waiting: 0, oldest_seconds: 0 })
    await done(runner.start(recorded.workflow, "1", note("a")))
    await harness.pass(600)
    await done(runner.start(recorded.workflow, "2", note("a")))
    await done(runner.start(recorded.workflow, "3", note("a"), { at: after(harness, 100) }))
    await done(runner.start(recorded.workflow, "4", note("a"), { at: after(harness, 3_600_000) }))
    await harness.pass(200)
    const { waiting, oldest_seconds } = await done(runner.backlog())
    expect(waiting).toBe(3)
    expect(oldest_seconds).toBeGreaterThanOrEqual(0.8)
    expect(oldest_seconds).toBeLessThan(60)
    await harness.serve([recorded.workflow])
    await eventually(harness, "the runs", () => recorded.ended() === 3)
    await eventually(harness, "nothing due", async () => (await done(runner.backlog())).waiting === 0)
    expect(await done(runner.backlog())).toEqual({ waiting: 0, oldest_seconds: 0 })
  })
}
