import type { FeatureWork } from "../background/work.ts"
import type { Evaluation } from "./evaluation.ts"

/** What segments do in the background: each is evaluated every 15 minutes, and when somebody asks. */
export const makeSegmentsWork = ({ evaluateSegment, evaluateSegments }: Evaluation): FeatureWork<unknown> => ({
  jobs: [evaluateSegments],
  workflows: [evaluateSegment],
})
