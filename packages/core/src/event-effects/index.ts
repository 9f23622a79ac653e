export { EventEffects, RecordedEffects } from "./effects.ts"
export type { AskedEvent, EventEffectsDb, EventEffectsStore, KeptEffects } from "./port.ts"
export { keptMillis, makeRecordEffects, mostWaiting } from "./record-effects.ts"
export { makeEventEffectsWork } from "./work.ts"
