import { databaseUrl } from "@hearth/test-services"
import { defineEntity, p } from "@mikro-orm/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { schemaStep } from "../../../src/postgres/schema/migration.ts"
import { describeMissingSteps } from "../../../src/postgres/schema/missing-step.ts"
import { ormOf } from "../../../src/postgres/schema/orm.ts"
import { readShapes, type Schema } from "../../../src/postgres/schema/schema.ts"
import { controlSchema, sortSteps, tenantSchema } from "../../../src/postgres/schema/schemas.ts"
import { User } from "../../../src/postgres/users/entities.ts"
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

  it.for(planes)(
    "the tables are what MikroORM makes of the entities, before and after it has read them: %s",
    ([, schema]) => {
      const first = schema.entities.map(readShapes(schema))
      const metadata = ormOf(schema, "postgres://localhost/none").getMetadata()
      expect(schema.entities.map(readShapes(schema))).toEqual(first)
      expect(first.map(({ name, columns, json }) => [name, columns, [...json]])).toEqual(
        schema.entities.map((entity) => {
          const { props, tableName } = metadata.get(entity)
          const json = props.filter(({ columnTypes }) => columnTypes[0] === "jsonb")
          return [tableName, props.map(({ name }) => name), json.map(({ name }) => name)]
        }),
      )
      const keys = first.flatMap(({ uniqueKeys }) => [...uniqueKeys.keys()])
      const indexes = schema.entities.flatMap((entity) => metadata.get(entity).uniques.map(({ name }) => name ?? ""))
      expect(keys).toEqual(expect.arrayContaining(indexes.filter((name) => name !== "")))
    },
  )

  it.for(planes)("steps have consecutive numbers: %s", ([, { steps }]) => {
    expect(steps.map(({ name }) => name.slice(0, 5))).toEqual(steps.map((_, at) => `${`${at + 1}`.padStart(4, "0")}-`))
  })

  it("steps of all features are sorted by number", () => {
    const [one, two, three, ten] = ["0001-b", "0002-a", "0003-c", "0010-a"].map((name) => schemaStep(name, []))
    if (!(one && two && three && ten)) throw new Error("Four were made.")
    expect(sortSteps([two, ten, one, three])).toEqual([one, two, three, ten])
  })

  describe("what the next step needs", () => {
    const Note = defineEntity({
      name: "Note",
      tableName: "notes",
      properties: {
        id: p.uuid().primary(),
        app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade"),
        text: p.text().nullable(),
      },
    })
    const describeSteps = (schema: Schema) =>
      describeMissingSteps(databaseUrl(), "add-notes", { project: schema, control: controlSchema })
    const scratches = () =>
      server.rows("postgres", "select datname from pg_database where starts_with(datname, 'hearth_scratch_')")

    it("is nothing where the steps lead to the entities", async () => {
      expect(await describeSteps(tenantSchema)).toBe(
        "-- project: nothing is missing.\n\n-- control: nothing is missing.\n",
      )
    })

    it("is the SQL of an entity without a step, under the next number", async () => {
      const text = await describeSteps({ ...tenantSchema, entities: [...tenantSchema.entities, Note] })
      const number = `${tenantSchema.steps.length + 1}`.padStart(4, "0")
      expect(text).toContain(`-- project: ${number}-add-notes\ncreate table "notes"`)
      expect(text).toMatch(/alter table "notes" .* references "app_users" \("id"\) on delete cascade/)
      expect(text).toContain("-- control: nothing is missing.")
      expect(await scratches()).toEqual([])
    })

    it("leaves no database behind when a step fails", async () => {
      const steps = [...tenantSchema.steps, schemaStep("9999-broken", ["select from nothing_there"])]
      await expect(describeSteps({ ...tenantSchema, steps })).rejects.toThrow("nothing_there")
      expect(await scratches()).toEqual([])
    })
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
