import { EntityCaseNamingStrategy, type EntitySchema, MikroORM } from "@mikro-orm/postgresql"
import type { SchemaStep } from "./migration.ts"

/** A schema: the tables as they are to be, and the steps that lead there. A test compares the two. */
export interface Schema {
  readonly entities: ReadonlyArray<EntitySchema>
  readonly steps: ReadonlyArray<SchemaStep>
  /** The release that the code is of. A database may need a later one. */
  readonly release: string
}

/** What statements need to know about a table. Its columns have the names of the record's fields. */
export interface TableShape {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** Columns that hold JSON. */
  readonly json: ReadonlySet<string>
  /** The columns of each unique key, by the name of its constraint. */
  readonly uniqueKeys: ReadonlyMap<string, ReadonlyArray<string>>
}

/** MikroORM with a schema, for one database. It connects on its first statement. */
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

/** The tables of a schema by their entities. An entity of another schema is an error. */
export type Shapes = (entity: EntitySchema) => TableShape

/** The tables of a schema. Needs no database. */
export const readShapes = (schema: Schema): Shapes => {
  const metadata = ormOf(schema, "postgres://localhost/none").getMetadata()
  const naming = new EntityCaseNamingStrategy()
  const shapes = new Map<EntitySchema, TableShape>()
  for (const entity of schema.entities) {
    const { primaryKeys, props, tableName, uniques } = metadata.get(entity)
    const keys = [
      ...props.filter(({ unique }) => unique).map((column) => ({ name: undefined, properties: [column.name] })),
      ...uniques.map(({ name, properties }) => ({ name, properties: [properties].flat() as Array<string> })),
    ]
    shapes.set(entity, {
      name: tableName,
      columns: props.map((column) => column.name),
      json: new Set(props.filter(({ columnTypes }) => columnTypes[0] === "jsonb").map((column) => column.name)),
      uniqueKeys: new Map([
        [naming.indexName(tableName, primaryKeys, "primary"), primaryKeys],
        ...keys.map(
          (key) => [key.name ?? naming.indexName(tableName, key.properties, "unique"), key.properties] as const,
        ),
      ]),
    })
  }
  return (entity) => {
    const shape = shapes.get(entity)
    if (shape === undefined) throw new Error(`${entity.name} is not of this schema.`)
    return shape
  }
}

/** The number of the present schema. A greater number is later. */
export const versionOf = (schema: Schema): string => schema.steps.at(-1)?.name.slice(0, 4) ?? "0000"
