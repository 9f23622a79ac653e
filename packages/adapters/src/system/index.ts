export { systemClock } from "./clock.ts"
export { systemIds } from "./ids.ts"
export { readKeptFile } from "./kept-file.ts"
export { type Log, type LogFacts, type LogLevel, type LogOptions, openLog } from "./log.ts"
