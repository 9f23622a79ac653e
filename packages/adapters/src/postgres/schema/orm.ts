import { EntityCaseNamingStrategy, MikroORM } from "@mikro-orm/postgresql"
import type { Schema } from "./schema.ts"

/** MikroORM with a schema, for one database. It connects on its first statement. Only for comparing schemas. */
export const ormOf = (schema: Schema, url: string): MikroORM =>
  new MikroORM({
    entities: [...schema.entities],
    clientUrl: url,
    // The driver reads the parts of an address that MikroORM ignores, such as `sslmode`.
    driverOptions: { connectionString: url, application_name: "hearth" },
    namingStrategy: EntityCaseNamingStrategy,
    // Otherwise it would create a dropped database again, empty.
    ensureDatabase: false,
    pool: { min: 0, max: 2 },
    logger: () => {},
  })
