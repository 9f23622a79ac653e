import { nextTick, type Workflow } from "@hearth/core"
import { Effect, Fiber, Schema } from "effect"
import { expect, it } from "vitest"
import { workflowRunnerContract } from "../src/contracts/workflow-runner.contract.ts"
import type { WorkflowRunnerHarness } from "../src/contracts/workflow-runner.harness.ts"
import { manualClock } from "../src/memory/clock.ts"
import { type DeadRun, memoryWorkflows } from "../src/memory/workflow-runner.ts"

const make = async (): Promise<WorkflowRunnerHarness> => {
  const clock = manualClock("2026-03-06T12:00:00.250Z")
  const workflows = memoryWorkflows(clock)
  let running: Promise<unknown> | null = null

  const runDue = async () => {
    running ??= Effect.runPromise(workflows.runDue()).finally(() => {
      running = null
    })
    await new Promise(setImmediate)
  }
  return {
    runner: workflows,
    serve: async (served) => {
      const { drain } = workflows.serve(served)
      return { drain: () => Effect.runPromise(drain()) }
    },
    now: clock.now,
    pass: async (millis) => {
      const end = clock.now().getTime() + millis
      for (let next = workflows.nextDueAt(); next !== null && next.getTime() <= end; next = workflows.nextDueAt()) {
        if (next > clock.now()) clock.set(next)
        await runDue()
        if (running !== null) break
      }
      clock.set(new Date(end))
      await runDue()
    },
    nextTick: async (workflow, id) => workflows.nextTick(workflow, id),
    close: async () => {},
  }
}

workflowRunnerContract("memory", make, make)

it.each([
  [
    "30 2 * * *",
    "Europe/Berlin",
    "2026-03-28T12:00Z",
    "2026-03-29T01:00Z",
    "a skipped local time fires right after the gap",
  ],
  [
    "30 2 * * *",
    "Europe/Berlin",
    "2026-10-24T12:00Z",
    "2026-10-25T00:30Z",
    "a repeated local time fires the first time",
  ],
  ["30 2 * * *", "Europe/Berlin", "2026-10-25T00:30Z", "2026-10-26T01:30Z", "and not the second"],
  ["0 10 * * *", "America/New_York", "2026-10-31T14:00Z", "2026-11-01T15:00Z", "ten o'clock stays ten o'clock"],
  ["*/15 * * * *", "Asia/Kathmandu", "2026-01-01T00:00Z", "2026-01-01T00:15Z", "strictly after"],
  ["0 0 29 2 *", "UTC", "2026-01-01T00:00Z", "2028-02-29T00:00Z", "years ahead"],
  ["0 0 13 * 5", "UTC", "2026-10-09T00:00Z", "2026-10-13T00:00Z", "a day of the month or of the week"],
])("counts %s in %s from %s to %s: %s", (cron, timezone, after, tick) => {
  expect(nextTick({ cron, timezone }, new Date(after))).toEqual(new Date(tick))
})

const setUp = (run: (text: string) => Effect.Effect<void> = () => Effect.void) => {
  const clock = manualClock("2026-03-01T12:00:00.000Z")
  const deaths: Array<DeadRun> = []
  const workflows = memoryWorkflows(clock, (death) => deaths.push(death))
  const ran: Array<string> = []
  const workflow: Workflow<string> = {
    name: "w",
    input: Schema.String,
    run: (text) =>
      Effect.suspend(() => {
        ran.push(`${text} ${clock.now().toISOString()}`)
        return run(text)
      }),
  }
  workflows.serve([workflow])
  const stepTo = async (instant: string) => {
    for (let next = workflows.nextDueAt(); next !== null && next <= new Date(instant); next = workflows.nextDueAt()) {
      if (next > clock.now()) clock.set(next)
      await Effect.runPromise(workflows.runDue())
    }
    clock.set(new Date(instant))
  }
  const start = (id: string, text: string, at?: string) =>
    Effect.runPromise(workflows.start(workflow, id, text, at === undefined ? {} : { at: new Date(at) }))
  return { clock, workflows, workflow, deaths, ran, stepTo, start }
}

it("runs the longest due first, and what a run starts", async () => {
  const { workflows, clock, ran, start } = setUp((text) =>
    text === "a" ? Effect.promise(() => start("c", "c")) : Effect.void,
  )
  await start("b", "b", "2026-03-01T12:00:02Z")
  await start("a", "a", "2026-03-01T12:00:01Z")
  expect(workflows.nextDueAt()).toEqual(new Date("2026-03-01T12:00:01Z"))
  expect(await Effect.runPromise(workflows.runDue())).toBe(0)
  clock.advance("3 seconds")
  expect(await Effect.runPromise(workflows.runDue())).toBe(3)
  expect(ran.map((line) => line[0])).toEqual(["a", "b", "c"])
  expect(workflows.nextDueAt()).toBeNull()
})

it("tries ten times, reports each death, and then gives up", async () => {
  const { workflows, deaths, ran, stepTo, start } = setUp(() => Effect.die(new Error("broken")))
  await start("1", "a")
  await stepTo("2026-03-01T12:00:01Z")
  await start("1", "b")
  await stepTo("2026-03-02T12:00:00Z")
  expect(ran).toHaveLength(10)
  expect(ran.slice(0, 4)).toEqual(["00", "01", "03", "07"].map((second) => `a 2026-03-01T12:00:${second}.000Z`))
  expect(deaths).toHaveLength(10)
  expect(deaths[0]).toMatchObject({ workflow: "w", id: "1", cause: expect.stringContaining("broken") })
  expect(workflows.nextDueAt()).toBeNull()
})

it("fires every tick that the clock passes step by step, over a change of clocks", async () => {
  const { workflows, workflow, ran, stepTo } = setUp()
  const berlin = { cron: "30 2 * * *", timezone: "Europe/Berlin" }
  await stepTo("2026-03-28T00:00:00Z")
  await Effect.runPromise(workflows.schedule(workflow, "s", berlin, "tick"))
  await stepTo("2026-03-31T00:00:00Z")
  expect(ran).toEqual(["28T01:30", "29T01:00", "30T00:30"].map((at) => `tick 2026-03-${at}:00.000Z`))
})

it("runs once for several missed ticks", async () => {
  const { workflows, workflow, clock, ran } = setUp()
  await Effect.runPromise(workflows.schedule(workflow, "s", { cron: "0 * * * *", timezone: "UTC" }, "tick"))
  clock.advance("3 days")
  expect(await Effect.runPromise(workflows.runDue())).toBe(1)
  expect(ran).toEqual(["tick 2026-03-04T12:00:00.000Z"])
})

it("retries an interrupted run", async () => {
  const { ran, stepTo, start, workflows } = setUp(() => (ran.length === 1 ? Effect.never : Effect.void))
  await start("1", "a")
  const killed = Effect.runFork(workflows.runDue())
  await new Promise(setImmediate)
  await Effect.runPromise(Fiber.interrupt(killed))
  expect(ran).toHaveLength(1)
  await stepTo("2026-03-01T12:01:00Z")
  expect(ran).toHaveLength(2)
  expect(workflows.nextDueAt()).toBeNull()
})

it("sets a schedule right whose next tick is past others that are to come, after its clock was ahead", async () => {
  const clock = manualClock("2026-03-09T12:00:00Z")
  const workflows = memoryWorkflows(clock)
  const workflow: Workflow<string> = { name: "w", input: Schema.String, run: () => Effect.void }
  const daily = { cron: "0 9 * * *", timezone: "UTC" }
  const schedule = async () => {
    await Effect.runPromise(workflows.schedule(workflow, "s", daily, "tick"))
    return workflows.nextTick(workflow, "s")
  }
  await schedule()
  clock.set(new Date("2026-03-06T12:00:00Z"))
  expect(await schedule()).toEqual(new Date("2026-03-07T09:00:00Z"))
})
