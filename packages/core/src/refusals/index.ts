export type { RefusalsControlDb, RefusedBounds, RefusedCalls, RefusedQuery } from "./port.ts"
export { type Refused, RefusedCall, RefusedCaller, RefusedCallRow } from "./record.ts"
export { makeRefusals } from "./refusals.ts"
