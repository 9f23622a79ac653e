export { locatePackage } from "./binaries.ts"
export { EmbeddedDatabaseFailure, WrongUserFailure } from "./failure.ts"
export { findRunningDatabase, hasCluster } from "./find-running.ts"
export { type EmbeddedDatabase, type EmbeddedDatabaseOptions, startEmbeddedDatabase } from "./start.ts"
