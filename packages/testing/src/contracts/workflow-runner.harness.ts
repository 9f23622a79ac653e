import type { AnyWorkflow, QueueUnavailable, Workflow, WorkflowRunner } from "@hearth/core"
import { DateTime, Effect, Schema } from "effect"
import { expect, type TestContext } from "vitest"

/** What the contract needs of a runner under test. In memory `pass` moves the clock; with a real queue it waits. */
export interface WorkflowRunnerHarness {
  readonly runner: WorkflowRunner
  /** Runs these workflows, several at a time or one after the other, until it is drained. */
  serve(workflows: ReadonlyArray<AnyWorkflow>): Promise<{ drain(): Promise<void> }>
  now(): Date
  /** Lets time pass. Runs that become due are started, and not waited for. */
  pass(millis: number): Promise<void>
  /** When a schedule fires next, null where there is none. */
  nextTick(workflow: AnyWorkflow, id: string): Promise<Date | null>
  close(): Promise<void>
}

/** Each harness has an empty queue of its own. The first pause before a new try is at most a second. */
export type MakeWorkflowRunner = () => Promise<WorkflowRunnerHarness>

/** The input of the contract's workflows. Its encoded side differs from its decoded one. */
export const Note = Schema.Struct({ text: Schema.String, on: Schema.DateTimeUtcFromString })
export type Note = typeof Note.Type

/** The day in the notes of the contract. */
export const ON = DateTime.makeUnsafe("2026-03-01T12:00:00.000Z")

/** A note of this text. */
export const note = (text: string): Note => ({ text, on: ON })

/** Makes what a test needs, and closes it when the test has finished. */
export type SetUp = (test: Pick<TestContext, "onTestFinished">) => Promise<{
  harness: WorkflowRunnerHarness
  runner: WorkflowRunnerHarness["runner"]
  recorded: ReturnType<typeof recorder>
}>

/** A workflow that records its runs. `hold` makes them wait until `release`. */
export const recorder = (
  harness: Pick<WorkflowRunnerHarness, "now">,
  name = "note",
  fails = (_try: number) => false,
) => {
  const began: Array<{ readonly input: Note; readonly at: Date }> = []
  let ended = 0
  let gate = Promise.resolve()
  let release = () => {}
  const workflow: Workflow<Note> = {
    name,
    input: Note,
    run: (input) =>
      Effect.promise(async () => {
        began.push({ input, at: harness.now() })
        await gate
        if (fails(began.length)) throw new Error(`${name} fails as it should`)
        ended += 1
      }),
  }
  return {
    workflow,
    began,
    texts: () => began.map(({ input }) => input.text),
    ended: () => ended,
    hold: () => {
      gate = new Promise((resolve) => {
        release = resolve
      })
    },
    release: () => release(),
  }
}

/** Runs an effect of the port, which must not fail. */
export const done = <A>(effect: Effect.Effect<A, QueueUnavailable>): Promise<A> => Effect.runPromise(effect)

/** Lets time pass in small steps until `holds`. Fails after 45 real seconds. */
export const eventually = async (
  harness: WorkflowRunnerHarness,
  what: string,
  holds: () => boolean | Promise<boolean>,
) => {
  const deadline = performance.now() + 45_000
  while (!(await holds())) {
    expect(performance.now(), `still waiting: ${what}`).toBeLessThan(deadline)
    await harness.pass(20)
  }
}
