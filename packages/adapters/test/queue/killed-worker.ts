import type { Workflow } from "@hearth/core"
import { Effect, Schema } from "effect"
import { openQueue, type QueueOptions } from "../../src/queue/index.ts"

// A worker process that is killed during a run. Its options are the first argument, in JSON.
const options: QueueOptions = JSON.parse(process.argv[2] ?? "")

const endless: Workflow<string> = {
  name: "endless",
  input: Schema.String,
  run: () =>
    Effect.suspend(() => {
      process.stdout.write("began\n")
      return Effect.never
    }),
}

const queue = await openQueue(options)
await Effect.runPromise(queue.serve([endless], { concurrency: 1 }))
