import { EntityCaseNamingStrategy, type EntityProperty, type EntitySchema, JsonType } from "@mikro-orm/core"
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
  /** Columns that can be null. */
  readonly nullable: ReadonlySet<string>
  /** The columns of each unique key, by the name of its constraint. */
  readonly uniqueKeys: ReadonlyMap<string, ReadonlyArray<string>>
}

/** The tables of a schema by their entities. An entity of another schema is an error. */
export type Shapes = (entity: EntitySchema) => TableShape

// Of MikroORM a service loads what entities are written in, and nothing else: the rest takes several megabytes, for schemas to be compared.
const naming = new EntityCaseNamingStrategy()

// A kind of column is a class, and an instance of it once MikroORM has read the schema.
const isJson = ({ type, customType }: EntityProperty) =>
  (type as unknown) === JsonType || customType instanceof JsonType

const readShape = (entity: EntitySchema): TableShape => {
  const { properties, tableName, uniques = [] } = entity.init().meta
  const columns = Object.values(properties)
  const primaryKey = columns.filter(({ primary }) => primary).map(({ name }) => name)
  const keys = [
    ...columns.filter(({ unique }) => unique).map(({ name }) => ({ name: undefined, properties: [name] })),
    ...uniques.map(({ name, properties }) => ({ name, properties: [properties].flat() as Array<string> })),
  ]
  return {
    name: tableName,
    columns: columns.map(({ name }) => name),
    json: new Set(columns.filter(isJson).map(({ name }) => name)),
    nullable: new Set(columns.filter(({ nullable }) => nullable === true).map(({ name }) => name)),
    uniqueKeys: new Map([
      [naming.indexName(tableName, primaryKey, "primary"), primaryKey],
      ...keys.map(
        (key) => [key.name ?? naming.indexName(tableName, key.properties, "unique"), key.properties] as const,
      ),
    ]),
  }
}

/** The tables of a schema. Needs no database. */
export const readShapes = (schema: Schema): Shapes => {
  const shapes = new Map(schema.entities.map((entity) => [entity, readShape(entity)]))
  return (entity) => {
    const shape = shapes.get(entity)
    if (shape === undefined) throw new Error(`${entity.name} is not of this schema.`)
    return shape
  }
}

/** The number of the present schema. A greater number is later. */
export const versionOf = (schema: Schema): string => schema.steps.at(-1)?.name.slice(0, 4) ?? "0000"
