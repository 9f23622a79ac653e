export { defaultRetention, type RetentionSettings } from "./settings.ts"
export { makeSweep, type Sweepable, type SweepOptions } from "./sweep.ts"
