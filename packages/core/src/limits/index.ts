export { isLoopback, limitSubject } from "./address.ts"
export {
  type Claim,
  type CounterState,
  type CounterStore,
  makeCounters,
  nameCounter,
  type TakeResult,
} from "./counters.ts"
export { type CallerAddress, type Limits, makeLimits } from "./limits.ts"
export { limitedFeatures, type ProjectLimits } from "./project-limits.ts"
export { isUsableLimit, makeRateLimiter } from "./rate-limiter.ts"
export { defaultLimits, embeddedLimits, type LimitList, type LimitSettings } from "./settings.ts"
