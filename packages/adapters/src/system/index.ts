export { systemClock } from "./clock.ts"
export { systemIds } from "./ids.ts"
export { jsonLog, type Log, type LogFacts, type LogLevel, logLevels } from "./log.ts"
