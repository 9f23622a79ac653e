export { EmbeddedDatabaseFailure } from "./failure.ts"
export { type EmbeddedDatabase, type EmbeddedDatabaseOptions, startEmbeddedDatabase } from "./start.ts"
