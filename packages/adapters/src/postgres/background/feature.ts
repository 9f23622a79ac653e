import type { BackgroundControlDb, BackgroundDb } from "@hearth/core/background"
import type { ControlFeature, TenantFeature } from "../feature.ts"
import { makeDeadLetters } from "./dead-letters.ts"
import { DeadLetter, IntroducedReaction, OutboxEntry, ProjectJob, Worker } from "./entities.ts"
import { makeJobs } from "./jobs.ts"
import { makeOutbox } from "./outbox.ts"
import { deadLettersAndCauses, notedJobs, projectJobs } from "./steps.ts"
import { makeIntroducedReactions, makeWorkerRegistry } from "./workers.ts"

/** What there is of the work in the background in PostgreSQL. */
export const backgroundFeature: TenantFeature<BackgroundDb> & ControlFeature<BackgroundControlDb> = {
  tenant: {
    entities: [OutboxEntry, DeadLetter, IntroducedReaction],
    steps: [deadLettersAndCauses],
    repositories: {
      outbox: (statements, _, clock) => makeOutbox(statements, clock),
      deadLetters: (statements, shapes) => makeDeadLetters(statements, shapes(DeadLetter)),
      introducedReactions: makeIntroducedReactions,
    },
  },
  control: {
    entities: [ProjectJob, Worker],
    steps: [projectJobs, notedJobs],
    repositories: { jobs: makeJobs, workers: makeWorkerRegistry },
  },
}
