import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn } from "../harness/harness.ts"
import { databaseOf } from "../harness/sql.ts"

// Its tests are the steps of one story.
describe("hearth backup where the database of one project is gone", { shuffle: false }, () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const parent = harness.folder()
  const folder = join(parent, "saved")
  let lost: TestProject
  let broken: TestProject
  let others: ReadonlyArray<TestProject>
  let endServer: () => Promise<unknown>

  const hearth = async (...args: ReadonlyArray<string>) => {
    const run = harness.launch("hearth", { args, environment: { DATA_DIR: dataDir } })
    const { code } = await run.ended
    return { code, out: run.output(), err: run.errors() }
  }

  beforeAll(async () => {
    const { api, end } = await harness.server({ DATA_DIR: dataDir })
    endServer = () => end("SIGTERM")
    const first = await aProject(api)
    lost = await aProject(api, first.owner)
    broken = await aProject(api, first.owner)
    others = [first, await aProject(api, first.owner)]
    const sql = sqlIn(dataDir)
    await sql.rows("postgres", `drop database ${databaseOf(lost.id)} with (force)`)
    await sql.rows(broken.id, "alter table mikro_orm_migrations rename to elsewhere")
  })
  afterAll(harness.clear)

  const saved = () => readdirSync(join(folder, "projects")).toSorted()
  const names = () => others.map(({ id }) => `${id}.sql.gz`).toSorted()

  it("saves the others, names the one, and exits with 1", async () => {
    const { code, out, err } = await hearth("backup", folder)
    expect(out).toMatch(/^2 projects, .*\n0 files of media, 0 B\.\nSaved in /)
    expect(
      err.split("\n").map((line) => /^Project .* \((.*)\) is not in the backup\. (.*)$/.exec(line)?.slice(1)),
    ).toEqual([
      [lost.id, expect.stringMatching(/^The database \S+ cannot be reached: database "\S+" does not exist\.$/)],
      [broken.id, 'relation "mikro_orm_migrations" does not exist.'],
      undefined,
    ])
    expect(code).toBe(1)
    expect(saved()).toEqual(names())
  })

  it("has no row of the workers of then", () => {
    expect(gunzipSync(readFileSync(join(folder, "control.sql.gz"))).toString()).not.toContain('COPY "workers"')
  })

  it("is a backup of the others, which says what is missing", async () => {
    const check = await hearth("restore", folder, "--check")
    expect(check).toMatchObject({ code: 0, err: "" })
    expect(check.out.split("\n")).toEqual([
      expect.stringMatching(/^The backup is complete: 2 projects, /),
      expect.stringMatching(new RegExp(`\\(${lost.id}\\) is not in it: its database could not be read then\\.$`)),
      expect.stringMatching(new RegExp(`\\(${broken.id}\\) is not in it: `)),
      "",
    ])
    const one = await hearth("restore", folder, "--project", others[0]?.id ?? "", "--as-new")
    expect(one).toMatchObject({ code: 0, err: "" })
  })

  it("leaves nothing where that project alone was to be saved", async () => {
    const { code, err } = await hearth("backup", join(parent, "one"), "--project", lost.id)
    expect([code, err]).toEqual([1, expect.stringMatching(/ does not exist\n$/)])
    expect(readdirSync(parent)).toEqual(["saved"])
  })

  it("takes nothing from who is not in it, when everything is replaced", async () => {
    const sql = sqlIn(dataDir)
    await sql.rows(broken.id, "alter table elsewhere rename to mikro_orm_migrations")
    await endServer()
    const { code, out, err } = await hearth("restore", folder, "--overwrite")
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toContain(`(${broken.id}) is not in it: its database could not be read then. It is here as it was.`)
    expect(out).toContain(`(${lost.id}) is not in it: its database could not be read then.\n`)
    expect(/gone now: .*/.exec(out)?.[0].split(lost.id)).toHaveLength(2)
    const { api } = await harness.server({ DATA_DIR: dataDir })
    const signedUp = await api.call("POST", "/client/auth/anonymous", broken.app)
    expect(signedUp.status).toBe(201)
  })
})
