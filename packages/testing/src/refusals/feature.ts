import type { RefusalsControlDb } from "@hearth/core/refusals"
import type { ControlFeature } from "../feature.ts"
import { fields, instant, orNull, slice, text, uuid } from "../memory/arguments.ts"
import { memoryRefusedCalls, refusedCallShape } from "./memory.ts"

/** Refused calls in tests. */
export const refusalsFeature: ControlFeature<RefusalsControlDb> = {
  control: {
    shapes: [refusedCallShape],
    rules: { refusedCalls: { page: [uuid, fields({ code: orNull(text), since: instant }), slice] } },
    make: ({ statements }) => ({ refusedCalls: memoryRefusedCalls(statements) }),
  },
}
