export { openPostgres, type Postgres, type PostgresFigures, type PostgresOptions } from "./open-postgres.ts"
