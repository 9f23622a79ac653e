export { systemClock } from "./clock.ts"
export { systemIds } from "./ids.ts"
export { type Log, type LogFacts, type LogLevel, type LogOptions, openLog } from "./log.ts"
