import type { BackgroundControlDb, BackgroundDb } from "@hearth/core/background"
import type { ControlFeature, TenantFeature } from "../feature.ts"
import {
  any,
  fields,
  instant,
  keepList,
  limit,
  optional,
  orNull,
  place,
  slice,
  text,
  uuid,
} from "../memory/arguments.ts"
import { projectShape } from "../projects/memory.ts"
import { memoryOutbox } from "./memory.ts"
import { deadLetterShape, memoryDeadLetters } from "./memory-dead-letters.ts"
import { jobShape, memoryJobs } from "./memory-jobs.ts"
import { outboxShape } from "./memory-outbox-rows.ts"
import { introducedShape, memoryIntroducedReactions, memoryWorkerRegistry, workerShape } from "./memory-workers.ts"

const jobs = jobShape(projectShape.name)

/** What there is in tests of the work in the background. */
export const backgroundFeature: TenantFeature<BackgroundDb> & ControlFeature<BackgroundControlDb> = {
  tenant: {
    shapes: [outboxShape, deadLetterShape, introducedShape],
    rules: {
      outbox: { look: [keepList(text)] },
      deadLetters: {
        find: [uuid],
        page: [any, slice],
        listAfter: [any, place, slice],
        nextDue: [instant, keepList(text)],
        nextTryAt: [keepList(text)],
        retry: [fields({ id: uuid, reaction: orNull(text) }), instant],
        remove: [uuid],
        countSince: [text, instant],
      },
      introducedReactions: { remove: [text] },
    },
    make: ({ statements, clock }) => ({
      outbox: memoryOutbox(statements, clock),
      deadLetters: memoryDeadLetters(statements),
      introducedReactions: memoryIntroducedReactions(statements),
    }),
  },
  control: {
    shapes: [jobs, workerShape],
    rules: {
      jobs: {
        markPending: [uuid, text, instant, instant],
        versions: [uuid],
        schedule: [uuid, instant, keepList(fields({ job: text, run_at: orNull(instant) }))],
        due: [keepList(text), instant, optional(limit)],
      },
    },
    make: ({ statements }) => ({
      jobs: memoryJobs(statements, jobs, projectShape),
      workers: memoryWorkerRegistry(statements),
    }),
  },
}
