import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { schemaStep } from "../../../src/postgres/schema/migration.ts"
import { ormOf, type Schema } from "../../../src/postgres/schema/schema.ts"
import { controlSchema, sortSteps, tenantSchema } from "../../../src/postgres/schema/schemas.ts"
import { ids, type TestServer, testServer } from "../server.ts"

describe("schemas", () => {
  let server: TestServer
  const project = ids.uuid()
  beforeAll(async () => {
    server = testServer()
    const { tenants } = await server.open()
    await Effect.runPromise(tenants.create(project))
  })
  afterAll(() => server.close())

  const planes: ReadonlyArray<readonly [string, Schema, () => string]> = [
    ["control", controlSchema, () => `${server.prefix}control`],
    ["project", tenantSchema, () => server.databaseOf(project)],
  ]

  it.for(planes)("the steps lead to what the entities describe: %s", async ([, schema, database]) => {
    const orm = ormOf(schema, server.urlOf(database()))
    try {
      expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe("")
    } finally {
      await orm.close(true)
    }
  })

  it.for(planes)("steps have each number once, without a hole: %s", ([, { steps }]) => {
    expect(steps.map(({ name }) => name.slice(0, 5))).toEqual(steps.map((_, at) => `${`${at + 1}`.padStart(4, "0")}-`))
  })

  it("steps come in the order of their numbers, whichever feature brings them", () => {
    const [one, two, three, ten] = ["0001-b", "0002-a", "0003-c", "0010-a"].map((name) => schemaStep(name, []))
    if (!(one && two && three && ten)) throw new Error("Four were made.")
    expect(sortSteps([two, ten, one, three])).toEqual([one, two, three, ten])
  })

  it.for(planes)("text sorts by code point and folds the case of all letters: %s", async ([, , database]) => {
    const [row] = await server.rows<{ sorted: ReadonlyArray<string>; folded: boolean; encoding: string }>(
      database(),
      `select array(select t from unnest(array['b','B','a','é','z','🦊','\uFFFD']) t order by t) as sorted,
              'ÄPFEL' ilike 'äpfel' as folded, pg_encoding_to_char(encoding) as encoding
       from pg_database where datname = current_database()`,
    )
    expect(row).toEqual({ sorted: ["B", "a", "b", "z", "é", "\uFFFD", "🦊"], folded: true, encoding: "UTF8" })
  })
})
