import type { Workflow } from "@hearth/core"
import { Effect, Schema } from "effect"
import { expect, it } from "vitest"
import { done, eventually, note, recorder, type SetUp } from "./workflow-runner.harness.ts"

const measurePauses = (began: ReadonlyArray<{ readonly at: Date }>): ReadonlyArray<number> =>
  began.slice(1).map(({ at }, index) => at.getTime() - (began[index]?.at.getTime() ?? 0))

const middle = (pauses: ReadonlyArray<number>): number =>
  pauses.toSorted((a, b) => a - b)[Math.floor(pauses.length / 2)] ?? 0

/** What is promised of runs that die. Ten tries take seconds where `setUpQuick` is given. */
export const failureContract = (setUp: SetUp, setUpQuick: SetUp | undefined) => {
  it("are retried after a pause, with the same input", async (test) => {
    const { harness, runner } = await setUp(test)
    const recorded = recorder(harness, "shaky", (tries) => tries < 3)
    await harness.serve([recorded.workflow])
    await done(runner.start(recorded.workflow, "1", note("a")))
    await eventually(harness, "the third try", () => recorded.ended() === 1)
    await harness.pass(100)
    expect(recorded.texts()).toEqual(["a", "a", "a"])
    const [first, second, third] = recorded.began.map(({ at }) => at.getTime()) as [number, number, number]
    expect(second - first).toBeGreaterThanOrEqual(40)
    expect(third - second).toBeGreaterThanOrEqual(80)
  })

  it("ignore a start while a retry waits", async (test) => {
    const { harness, runner } = await setUp(test)
    const recorded = recorder(harness, "shaky", (tries) => tries < 4)
    await harness.serve([recorded.workflow])
    await done(runner.start(recorded.workflow, "1", note("a")))
    for (const tries of [1, 2, 3]) {
      await eventually(harness, `try ${tries}`, () => recorded.began.length >= tries)
      await harness.pass(20)
      // One that comes before the try has ended, or after the next has begun, makes a further run when all is over.
      await done(runner.start(recorded.workflow, "1", note(`b${tries}`)))
    }
    await eventually(harness, "the fourth try", () => recorded.ended() >= 1)
    expect(recorded.texts().slice(0, 4)).toEqual(["a", "a", "a", "a"])
    const [first, second, third] = measurePauses(recorded.began) as [number, number, number]
    expect(first).toBeGreaterThanOrEqual(40)
    expect(second).toBeGreaterThanOrEqual(80)
    expect(third).toBeGreaterThanOrEqual(80)
  })

  it.skipIf(setUpQuick === undefined)("are tried about ten times, with growing delays", async (test) => {
    const { harness, runner } = await (setUpQuick ?? setUp)(test)
    const broken = recorder(harness, "broken", () => true)
    await harness.serve([broken.workflow])
    await done(runner.start(broken.workflow, "1", note("a")))
    await eventually(harness, "a start after the last try", async () => {
      await harness.pass((measurePauses(broken.began).at(-1) ?? 0) / 4)
      // This changes nothing until the run has been given up.
      await done(runner.start(broken.workflow, "1", note("again")))
      return broken.texts().includes("again") || broken.began.length > 12
    })
    const tries = broken.began.filter(({ input }) => input.text === "a")
    expect(tries.length).toBeGreaterThanOrEqual(8)
    expect(tries.length).toBeLessThanOrEqual(12)
    const pauses = measurePauses(tries)
    const half = Math.floor(pauses.length / 2)
    // Of each half the one in the middle, because any of them may have come late.
    expect(middle(pauses.slice(half))).toBeGreaterThanOrEqual(3 * middle(pauses.slice(0, half)))
  })

  it("do not delay others", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    const broken = recorder(harness, "broken", () => true)
    await harness.serve([recorded.workflow, broken.workflow])
    for (let id = 0; id < 8; id++) await done(runner.start(broken.workflow, `${id}`, note("broken")))
    for (let id = 0; id < 8; id++) await done(runner.start(recorded.workflow, `${id}`, note("fine")))
    await eventually(harness, "the others", () => recorded.ended() === 8)
    await eventually(harness, "a second try of each", () => broken.began.length >= 16)
  })

  it("are given up when their input cannot be read, and their id can be started again", async (test) => {
    const { harness, runner, recorded } = await setUp(test)
    const earlier: Workflow<{ text: number }> = {
      name: recorded.workflow.name,
      input: Schema.Struct({ text: Schema.Number }),
      run: () => Effect.void,
    }
    await done(runner.start(earlier, "1", { text: 1 }))
    await done(runner.start(recorded.workflow, "2", note("a")))
    await harness.serve([recorded.workflow])
    await eventually(harness, "the readable one", () => recorded.ended() === 1)
    await eventually(harness, "an empty queue", async () => (await done(runner.backlog())).waiting === 0)
    await harness.pass(200)
    await done(runner.start(recorded.workflow, "1", note("b")))
    await eventually(harness, "the new start", () => recorded.ended() === 2)
    expect(recorded.texts()).toEqual(["a", "b"])
  })
}
