import type { RefusalsControlDb } from "@hearth/core/refusals"
import type { ControlFeature } from "../feature.ts"
import { memoryRefusedCalls, refusedCallShape } from "./memory.ts"

/** Refused calls in tests. */
export const refusalsFeature: ControlFeature<RefusalsControlDb> = {
  control: {
    shapes: [refusedCallShape],
    make: ({ statements }) => ({ refusedCalls: memoryRefusedCalls(statements) }),
  },
}
