import type { RefusalsControlDb } from "@hearth/core/refusals"
import type { ControlFeature } from "../feature.ts"
import { RefusedCall, refusedCalls } from "./entities.ts"
import { makeRefusedCalls } from "./refused-calls.ts"

/** Refused calls in PostgreSQL. */
export const refusalsFeature: ControlFeature<RefusalsControlDb> = {
  control: {
    entities: [RefusedCall],
    steps: [refusedCalls],
    repositories: { refusedCalls: makeRefusedCalls },
  },
}
