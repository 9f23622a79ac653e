import { TenantBusy } from "@hearth/core"
import { answerOnce } from "@hearth/core/idempotency"
import { aUser } from "@hearth/testing"
import { Effect, Schema as Fields } from "effect"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Postgres, PostgresOptions } from "../../../src/postgres/index.ts"
import { concurrentStep, contractingStep, type SchemaStep, schemaStep } from "../../../src/postgres/schema/migration.ts"
import { compareReleases } from "../../../src/postgres/schema/release.ts"
import { type Schema, versionOf } from "../../../src/postgres/schema/schema.ts"
import { controlSchema, tenantSchema } from "../../../src/postgres/schema/schemas.ts"
import { nameTemplates } from "../../../src/postgres/schema/tenant-databases.ts"
import { ids, type TestServer, testServer } from "../server.ts"

const withSteps = (schema: Schema, release: string, ...steps: ReadonlyArray<SchemaStep>): Schema => ({
  ...schema,
  release,
  steps: [...schema.steps, ...steps],
})
const nextName = (schema: Schema, at: number, name: string) =>
  `${`${Number(versionOf(schema)) + at}`.padStart(4, "0")}-${name}`

/** The releases after this one: one that expands the schemas, and one that takes away what this release uses. */
const expanding: SchemaStep = schemaStep(nextName(tenantSchema, 1, "color"), [
  "alter table app_users add column color text not null default 'blue'",
  "create table colors (id int primary key)",
])
const contracting = contractingStep(nextName(tenantSchema, 2, "no-names"), "8.0.0", [
  "alter table app_users drop column display_name",
])
const expanded: PostgresOptions["schemas"] = {
  control: withSteps(
    controlSchema,
    "8.0.0",
    schemaStep(nextName(controlSchema, 1, "color"), ["alter table projects add column color text"]),
  ),
  tenant: withSteps(tenantSchema, "8.0.0", expanding),
}
const contracted: PostgresOptions["schemas"] = {
  control: { ...(expanded?.control as Schema), release: "9.0.0" },
  tenant: withSteps(tenantSchema, "9.0.0", expanding, contracting),
}

describe("two releases at once (docs/adr/0016)", () => {
  let server: TestServer
  beforeEach(() => {
    server = testServer()
  })
  afterEach(() => server.close())

  const insertUser = ({ tenants }: Postgres, id: string) =>
    Effect.runPromise(
      Effect.flip(
        Effect.flip(
          tenants.transact(id, (db) =>
            Effect.as(db.users.insert(aUser({ id: ids.uuid(), anonymous_id: ids.uuid() })), "done" as const),
          ),
        ),
      ).pipe(Effect.catch((failure) => Effect.succeed(failure))),
    )
  const countUsers = async ({ tenants }: Postgres, id: string) =>
    (await Effect.runPromise(tenants.read(id, (db) => db.users.list({}, [])))).length
  const columns = async (id: string) => {
    const text = "select column_name as name from information_schema.columns where table_name = 'app_users'"
    return (await server.rows<{ readonly name: string }>(server.databaseOf(id), text)).map(({ name }) => name)
  }

  it("the earlier one works on what the later one has expanded, in every direction", async () => {
    const earlier = await server.open()
    const made = await server.project(earlier)
    // Statements are prepared by now on this process's connections.
    expect(await insertUser(earlier, made)).toBe("done")
    expect(await countUsers(earlier, made)).toBe(1)

    const later = await server.open({ ...(expanded && { schemas: expanded }) })
    later.schemas.start()
    await expect.poll(() => later.schemas.figures().current).toBe(1)
    expect(await columns(made)).toContain("color")
    for (let n = 0; n < 10; n += 1) {
      expect(await insertUser(earlier, made)).toBe("done")
      expect(await insertUser(later, made)).toBe("done")
    }
    expect([await countUsers(earlier, made), await countUsers(later, made)]).toEqual([21, 21])

    // A project of each, used by the other one; and the earlier one is started again.
    const [byEarlier, byLater] = [await server.project(earlier), await server.project(later)]
    const again = await server.open()
    for (const id of [byEarlier, byLater]) {
      for (const process of [earlier, later, again]) expect(await insertUser(process, id)).toBe("done")
      expect(await columns(id)).toContain("color")
    }
  })

  it("a call under a key that an earlier one has claimed by its row gets that one's answer", async () => {
    const present = await server.open()
    const id = await server.project(present)
    const once = (key: string, answer: string) => {
      const call = { operation: "tests.call", caller: null, key, input: null, owner: null, answer: Fields.String }
      const work = Effect.succeed(answer)
      return Effect.runPromise(present.tenants.transact(id, (db) => answerOnce(db, { ...call, now: new Date() }, work)))
    }
    await once("other", "another")
    const earlier = await server.session(server.databaseOf(id))
    await earlier.run(
      `begin; insert into idempotent_answers (scope, key, input, data, created_at)
       select scope, 'claimed', input, '"the first"', created_at from idempotent_answers`,
    )
    const answer = once("claimed", "the second")
    await expect.poll(() => server.waiting(server.databaseOf(id))).toBe(1)
    await earlier.run("commit")
    await earlier.end()
    expect(await answer).toBe("the first")
  })

  it("the earlier one stops where a later one has contracted, with a sentence, and only there", async () => {
    const warnings: Array<string> = []
    const earlier = await server.open({ onWarning: (_, cause) => void warnings.push(String(cause)) })
    const [used, unused] = [await server.project(earlier), await server.project(earlier)]
    expect(await insertUser(earlier, used)).toBe("done")
    const later = await server.open({ ...(contracted && { schemas: contracted }) })
    await Effect.runPromise(later.tenants.read(used, (db) => db.segments.list({}, [])))
    expect(await columns(used)).not.toContain("display_name")

    expect(await insertUser(earlier, used)).toBeInstanceOf(TenantBusy)
    expect(await insertUser(earlier, used)).toBeInstanceOf(TenantBusy)
    expect(await insertUser(earlier, unused)).toBe("done")
    expect(warnings).toEqual([expect.stringContaining("needs Hearth 8.0.0 or later")])
    // The release that the step names goes on.
    const between = await server.open({ ...(expanded && { schemas: expanded }) })
    expect(await Effect.runPromise(between.tenants.read(used, (db) => db.segments.list({}, [])))).toEqual([])
    // And a project is not made from a template that the earlier one cannot work with.
    later.schemas.start()
    const template = `${nameTemplates(server)}${contracting.name.slice(0, 4)}`
    await expect.poll(server.databases).toContain(template)
    const projects = async () => (await server.databases()).filter((name) => /_[0-9a-f]{32}$/.test(name))
    const before = await projects()
    await expect(server.project(earlier)).rejects.toThrow("needs Hearth 8.0.0 or later")
    expect(await projects()).toEqual(before)
  })

  describe("an index that is built concurrently", () => {
    const step = concurrentStep(
      nextName(tenantSchema, 1, "names-index"),
      "create index concurrently app_users_name_next on app_users (display_name)",
    )
    const indexed = { control: controlSchema, tenant: withSteps(tenantSchema, "8.0.0", step) }
    const isValid = async (id: string) => {
      const text = "select indisvalid from pg_index where indexrelid = to_regclass('app_users_name_next')"
      return (await server.rows<{ readonly indisvalid: boolean }>(server.databaseOf(id), text))[0]?.indisvalid ?? null
    }

    it("is built while the database is used, though a transaction keeps it waiting", async () => {
      const earlier = await server.open()
      const id = await server.project(earlier)
      const client = new pg.Client({ connectionString: server.urlOf(server.databaseOf(id)), application_name: "test" })
      // When a test fails, its databases are dropped under it.
      client.on("error", () => {})
      await client.connect()
      await client.query("begin")
      await client.query("update app_users set display_name = display_name")
      const later = await server.open({ schemas: indexed })
      expect(await insertUser(later, id)).toBe("done")
      expect(await insertUser(earlier, id)).toBe("done")
      await expect.poll(() => isValid(id)).toBe(false)
      expect(await insertUser(later, id)).toBe("done")
      await client.query("commit")
      await client.end()
      await expect.poll(() => isValid(id)).toBe(true)
      await expect.poll(() => later.schemas.figures().current).toBe(1)
    })

    it("is dropped and built again where it was left half made, and kept where it was finished", async () => {
      const earlier = await server.open()
      const [half, whole] = [await server.project(earlier), await server.project(earlier)]
      for (const id of [half, whole]) {
        await server.rows(server.databaseOf(id), step.statements[0] ?? "")
      }
      await server.rows(
        server.databaseOf(half),
        "update pg_index set indisvalid = false where indexrelid = to_regclass('app_users_name_next')",
      )
      const oid = async (id: string) =>
        (
          await server.rows<{ oid: number }>(
            server.databaseOf(id),
            "select 'app_users_name_next'::regclass::oid as oid",
          )
        )[0]
      const before = [await oid(half), await oid(whole)]
      const later = await server.open({ schemas: indexed })
      later.schemas.start()
      await expect.poll(() => later.schemas.figures().current).toBe(2)
      expect([await isValid(half), await isValid(whole)]).toEqual([true, true])
      expect(await oid(half)).not.toEqual(before[0])
      expect(await oid(whole)).toEqual(before[1])
    })

    it("is one statement that names its index", () => {
      expect(() => concurrentStep("0099-a", "create index a on b (c)")).toThrow("0099-a must be one")
    })
  })

  describe("the rule, in the steps of this release", () => {
    // What was there before the first release may have been anything.
    const first: Readonly<Record<string, string>> = { control: "0004", project: "0005" }
    const takesAway =
      /\b(drop (table|column|view|function|type)|rename (column|to|constraint)|alter column \w+ (set data )?type|set not null)\b|add column \w+ (?!.*\bdefault\b).*not null/i

    it.each([
      ["control", controlSchema],
      ["project", tenantSchema],
    ])("only contracting steps take away what the release before uses: %s", (name, { steps }) => {
      const wrong = steps
        .filter((step) => step.name.slice(0, 4) > (first[name] ?? "") && step.needs === undefined)
        .filter((step) => step.statements.some((statement) => takesAway.test(statement)))
      expect(wrong.map((step) => step.name)).toEqual([])
    })

    it("knows what takes something away", () => {
      for (const statement of [
        "alter table a drop column b",
        "drop table a",
        "alter table a rename to b",
        "alter table a rename column b to c",
        "alter table a alter column b type bigint",
        "alter table a alter column b set not null",
        "alter table a add column b text not null",
      ])
        expect([statement, takesAway.test(statement)]).toEqual([statement, true])
      for (const statement of [
        "alter table a add column b text",
        "alter table a add column b text not null default ''",
        "alter table a alter column b drop not null",
        "alter table a drop constraint b_check",
        "create table a (b text not null)",
        "drop index a_b_index",
      ])
        expect([statement, takesAway.test(statement)]).toEqual([statement, false])
    })

    it("no step needs a release after this one", () => {
      const needs = [...controlSchema.steps, ...tenantSchema.steps].flatMap((step) => step.needs ?? [])
      expect(needs.filter((release) => compareReleases(tenantSchema.release, release) < 0)).toEqual([])
    })

    it("releases are ordered by their numbers", () => {
      expect(compareReleases("0.9.0", "0.10.0")).toBeLessThan(0)
      expect(compareReleases("1.0.0", "0.99.99")).toBeGreaterThan(0)
      expect(compareReleases("1.2.3-rc.1", "1.2.3")).toBe(0)
    })
  })
})
