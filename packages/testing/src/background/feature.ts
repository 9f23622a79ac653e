import type { BackgroundControlDb, BackgroundDb } from "@hearth/core/background"
import type { ControlFeature, TenantFeature } from "../feature.ts"
import { projectShape } from "../projects/memory.ts"
import { deadLettersContract } from "./dead-letters.contract.ts"
import { jobsContract } from "./jobs.contract.ts"
import { memoryOutbox } from "./memory.ts"
import { deadLetterShape, memoryDeadLetters } from "./memory-dead-letters.ts"
import { jobShape, memoryJobs } from "./memory-jobs.ts"
import { outboxShape } from "./memory-outbox-rows.ts"
import { outboxContract } from "./outbox.contract.ts"

const jobs = jobShape(projectShape.name)

/** What there is in tests of the work in the background. */
export const backgroundFeature: TenantFeature<BackgroundDb> & ControlFeature<BackgroundControlDb> = {
  tenant: {
    shapes: [outboxShape, deadLetterShape],
    make: ({ statements, clock }) => ({
      outbox: memoryOutbox(statements, clock),
      deadLetters: memoryDeadLetters(statements),
    }),
    contracts: [outboxContract, deadLettersContract],
  },
  control: {
    shapes: [jobs],
    make: ({ statements }) => ({ jobs: memoryJobs(statements, jobs, projectShape) }),
    contracts: [jobsContract],
  },
}
