import { Migration } from "@mikro-orm/migrations"

/** A step of a schema: its number and name, and its statements as a class that MikroORM runs, all of them or none. */
export interface SchemaStep {
  readonly name: string
  readonly class: new (...parameters: ConstructorParameters<typeof Migration>) => Migration
}

/** Declares a step. A released step never changes; later changes are steps of their own. */
export const schemaStep = (name: string, statements: ReadonlyArray<string>): SchemaStep => ({
  name,
  class: class extends Migration {
    override up() {
      for (const statement of statements) this.addSql(statement)
    }
  },
})
