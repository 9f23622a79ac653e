import type { AnyWorkflow } from "@hearth/core"
import { type Processor, UnrecoverableError } from "bullmq"
import { Cause, Effect, Exit, Schema } from "effect"
import type { RunData } from "./job.ts"
import type { QueueLog } from "./log.ts"

/**
 * Runs the workflow that a job names. One that this worker does not serve is left for a later try, perhaps by a newer
 * worker; one whose input cannot be read is given up at once.
 */
export const runJob =
  (workflows: ReadonlyArray<AnyWorkflow>, log: QueueLog): Processor<RunData, void> =>
  async ({ name, data, attemptsMade }) => {
    const { project_id } = Object(data.input) as { readonly project_id?: unknown }
    const facts = { workflow: name, id: data.id, project_id, tries: attemptsMade + 1 }
    const workflow = workflows.find((served) => served.name === name)
    if (workflow === undefined) {
      log("A run was left: its workflow is not served here.", facts)
      throw new Error(`No workflow is named ${name} here.`)
    }
    const input = Schema.decodeUnknownExit(workflow.input)(data.input)
    if (Exit.isFailure(input)) {
      const error = Cause.pretty(input.cause)
      log("A run was given up: its input cannot be read.", { ...facts, error })
      throw new UnrecoverableError(error)
    }
    const exit = await Effect.runPromiseExit(workflow.run(input.value))
    if (Exit.isSuccess(exit)) return
    const error = Cause.pretty(exit.cause)
    log("A run died.", { ...facts, error })
    throw new Error(error)
  }
