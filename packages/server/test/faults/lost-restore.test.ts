import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type PostgresProxy, startPostgresProxy } from "@hearth/test-services"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"
import { addFile, sendFile } from "../media/harness.ts"

const commit = "commit\0"
// What a project has that its backup has not.
const old = "old"

describe("a restore whose connection is cut between its commit and the answer", () => {
  const harness = makeHarness()
  const folder = join(harness.folder(), "saved")
  let environment: Readonly<Record<string, string>>
  let sql: Sql
  let proxy: PostgresProxy
  let project: TestProject

  const hearth = async (args: ReadonlyArray<string>, url = environment["DATABASE_URL"] ?? "") => {
    const run = harness.launch("hearth", { args, environment: { ...environment, DATABASE_URL: url } })
    const { code } = await run.ended
    return { code, err: run.errors() }
  }
  const mediaFolder = () => join(environment["DATA_DIR"] ?? "", "media")
  /** Whose the files and the database of the project are, and what a restore has left. */
  const find = async () => ({
    files: readdirSync(join(mediaFolder(), project.id)).includes(old) ? "old" : "restored",
    database:
      (await sql.rows(project.id, "select to_regclass($1) as old", [old]))[0]?.["old"] === null ? "restored" : "old",
    left: [
      ...readdirSync(mediaFolder()).filter((name) => /^\.re/.test(name)),
      ...(await sql.rows("postgres", "select 1 from pg_database where datname ~ '_(restoring|replaced)_'")),
    ],
  })

  beforeAll(async () => {
    const database = await harness.database()
    environment = database.environment
    sql = database.sql
    proxy = await startPostgresProxy(environment["DATABASE_URL"] ?? "")
    const server = await harness.server(environment)
    project = await aProject(server.api)
    const { upload_url } = await addFile(server.api, `${project.admin}/media`, project.owner.as)
    expect(await sendFile(upload_url, "a file")).toEqual([200, null])
    expect(await hearth(["backup", folder])).toEqual({ code: 0, err: "" })
    await server.end("SIGTERM")
  })
  afterAll(async () => {
    await harness.clear()
    await proxy.close()
  })

  beforeEach(async () => {
    writeFileSync(join(mediaFolder(), project.id, old), "")
    await sql.rows(project.id, `create table if not exists "${old}" ()`)
  })

  const restore = async (where: "before" | "after", ...args: ReadonlyArray<string>) => {
    const cut = proxy.cutAt(commit, where, "hearth")
    const restored = await hearth(
      ["restore", folder, "--overwrite", ...args],
      proxy.through(environment["DATABASE_URL"] ?? ""),
    )
    await cut
    return restored
  }

  it.each([["everything"], ["a project", "--project"]])("before it: %s is as it was", async (_, ...option) => {
    const { code } = await restore("before", ...option.flatMap((name) => [name, project.id]))
    expect(code).toBe(1)
    expect(await find()).toEqual({ files: "old", database: "old", left: [] })
  })

  it.each([["a project", "--project"], ["everything"]])("after it: %s is restored", async (_, ...option) => {
    const restored = await restore("after", ...option.flatMap((name) => [name, project.id]))
    expect(await find()).toEqual({ files: "restored", database: "restored", left: [] })
    expect(restored).toEqual({ code: 0, err: "" })
  })
})
