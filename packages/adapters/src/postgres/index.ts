export { openPostgres, type Postgres, type PostgresFigures, type PostgresOptions } from "./open-postgres.ts"
export { type ControlReport, inspectPostgres, type PostgresReport } from "./operations/inspect.ts"
export { type MigratedDatabase, migrateAll } from "./operations/migrate-all.ts"
