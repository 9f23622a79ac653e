import type { FeatureWork } from "../background/work.ts"
import type { Evaluation } from "./evaluation.ts"

/** The background work of segments: each is evaluated every 15 minutes and on demand. */
export const makeSegmentsWork = ({ evaluateSegment, evaluateSegments }: Evaluation): FeatureWork<unknown> => ({
  jobs: [evaluateSegments],
  workflows: [evaluateSegment],
})
