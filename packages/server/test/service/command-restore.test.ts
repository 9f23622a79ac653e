import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { openBucket } from "@hearth/adapters"
import { startS3Server } from "@hearth/test-services/s3"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { databaseUrlOf } from "../harness/data-dir.ts"
import { aDeveloper, aProject, aUser, type TestDeveloper, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, someJwtKeys, someSecretsKey, sqlIn, type TestServer } from "../harness/harness.ts"
import { databaseOf, type Sql } from "../harness/sql.ts"
import { addFile, sendFile } from "../media/harness.ts"

const harness = makeHarness()
afterAll(harness.clear)

describe("hearth backup and hearth restore, where they cannot", () => {
  const hearth = async (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) => {
    const run = harness.launch("hearth", { args, environment })
    const { code } = await run.ended
    return { code, errors: run.errors() }
  }
  const away = { DATABASE_URL: "postgres://a:b@127.0.0.1:1/x", JWT_KEYS: someJwtKeys(), SECRETS_KEY: someSecretsKey() }

  it("make no database for a backup that is none", async () => {
    const dataDir = join(harness.folder(), "new")
    const refused = await hearth(["restore", "/nowhere"], { DATA_DIR: dataDir })
    expect(refused).toEqual({ code: 1, errors: "/nowhere is no backup: it has no manifest.json.\n" })
    expect(existsSync(join(dataDir, "postgres"))).toBe(false)
  })

  it("say in a sentence that the database cannot be reached, or the folder not be made", async () => {
    const { errors } = await hearth(["backup", join(harness.folder(), "saved")], away)
    expect(errors).toMatch(/^The database x cannot be reached: .*ECONNREFUSED/)
    const manifest = harness.folder()
    writeFileSync(join(manifest, "manifest.json"), "{}")
    expect((await hearth(["restore", manifest, "--check"], away)).errors).toMatch(/^The manifest of .* format: .*\.\n$/)
  })
})

describe("hearth backup and hearth restore, beside a service", () => {
  const dataDir = harness.folder()
  const folder = join(harness.folder(), "saved")
  let sql: Sql
  let server: TestServer
  let project: TestProject
  let admin: TestDeveloper
  let viewer: TestDeveloper

  const start = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
    harness.launch("hearth", { args, environment: { DATA_DIR: dataDir, ...environment } })
  const hearth = async (args: ReadonlyArray<string>, environment?: Readonly<Record<string, string>>) => {
    const run = start(args, environment)
    const { code } = await run.ended
    return { code, out: run.output(), err: run.errors() }
  }
  const restore = (...args: ReadonlyArray<string>) => hearth(["restore", folder, "--project", project.id, ...args])
  const statusFor = async ({ as }: TestDeveloper) => (await server.api.call("GET", project.admin, as)).status
  const listDatabases = async () =>
    (await sql.rows<{ name: string }>("postgres", "select datname as name from pg_database order by 1")).map(
      ({ name }) => name,
    )

  beforeAll(async () => {
    sql = sqlIn(dataDir)
    server = await harness.server({ DATA_DIR: dataDir })
    project = await aProject(server.api)
    admin = await aDeveloper(server.api)
    viewer = await aDeveloper(server.api)
    for (const [{ email }, role] of [[admin, "admin"] as const, [viewer, "viewer"] as const])
      await server.api.ok("POST", `${project.admin}/members`, project.owner.as, { email, role })
    const { upload_url } = await addFile(server.api, `${project.admin}/media`, project.owner.as, {})
    expect(await sendFile(upload_url, "a file")).toEqual([200, null])
    expect(await hearth(["backup", folder])).toMatchObject({ code: 0 })
  })

  describe("members and client keys", () => {
    let fresh: string
    let namesake: TestDeveloper

    // The admin's account is gone, and somebody else has signed up with its address. The viewer is no member any more.
    beforeAll(async () => {
      const { api } = server
      await api.ok("DELETE", `${project.admin}/members/${viewer.id}`, project.owner.as)
      await sql.rows("hearth", "delete from developers where id = $1", [admin.id])
      const { email } = admin
      const { access_token, developer } = await api.ok<{ access_token: string; developer: { id: string } }>(
        ...(["POST", "/auth/developer/signup", {}, { email, password: "of somebody else" }] as const),
      )
      namesake = { ...admin, id: developer.id, as: { authorization: `Bearer ${access_token}` } }
      const keys = await api.ok<ReadonlyArray<{ id: string }>>("GET", `${project.admin}/api-keys`, project.owner.as)
      for (const { id } of keys) await api.ok("DELETE", `${project.admin}/api-keys/${id}`, project.owner.as)
      fresh = (await api.ok<{ key: string }>("POST", `${project.admin}/api-keys`, project.owner.as, {})).key
    })

    it("are those of now: nobody comes back who was removed, and no key that was revoked", async () => {
      const { code, out, err } = await restore("--overwrite")
      expect({ code, err }).toEqual({ code: 0, err: "" })
      expect(out).toContain(`Client keys: ${fresh}\nMembers: ${project.owner.email} (owner)\n`)
      expect(out).toContain(
        `Members of the backup who are none now: ${admin.email} (admin, whose address another account has here), ${viewer.email} (viewer)\n`,
      )
      await expect.poll(() => statusFor(project.owner)).toBe(200)
      expect([await statusFor(viewer), await statusFor(namesake)]).toEqual([403, 403])
      await aUser(server.api, { ...project, app: { "x-api-key": fresh } })
      expect((await server.api.call("POST", "/client/auth/anonymous", project.app)).status).toBe(401)
      const copy = await restore("--as-new")
      expect(copy.out).toContain(`Members: ${project.owner.email} (owner)\n`)
    })

    it("come back when that is said, but no account only because it has the address of one", async () => {
      const { code, out } = await restore("--overwrite", "--members")
      expect({ code, out }).toEqual({
        code: 0,
        out: expect.stringContaining(
          `Members: ${project.owner.email} (owner), ${viewer.email} (viewer)\nMembers of the backup who are none now: ${admin.email} (`,
        ),
      })
      await expect.poll(() => statusFor(viewer)).toBe(200)
      expect(await statusFor(namesake)).toBe(403)
    })

    it("have to be named where the project is gone, and nothing is touched before", async () => {
      await server.api.ok("DELETE", project.admin, project.owner.as)
      const before = await listDatabases()
      expect(await restore()).toMatchObject({
        code: 1,
        out: "",
        err: expect.stringMatching(
          new RegExp(
            `^Nobody would own the project: .* ${project.owner.email} \\(owner\\), .*--members .*--owner <email> `,
          ),
        ),
      })
      expect(await restore("--owner", "nobody@example.com")).toMatchObject({
        code: 1,
        err: "There is no account nobody@example.com here that could own the project.\n",
      })
      expect(await listDatabases()).toEqual(before)
      expect((await restore("--owner", viewer.email.toUpperCase())).out).toContain(`Members: ${viewer.email} (owner)\n`)
      await expect.poll(() => statusFor(viewer)).toBe(200)
      expect(await statusFor(project.owner)).toBe(403)
      expect((await hearth(["restore", folder, "--members"])).code).toBe(2)
    })
  })

  it("bring one project to an empty folder, and name its members where nobody would own it", async () => {
    const home = harness.folder()
    const elsewhere = { DATA_DIR: join(home, "data") }
    const args = ["restore", folder, "--project", project.id]
    const owner = `${project.owner.email} (owner, without an account here), `
    expect(await hearth(args, elsewhere)).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `Nobody would own the project: it is not here, so it has no members now. The members of the backup: ${owner}`,
      ),
    })
    expect(readdirSync(home)).toEqual([])
    expect(await hearth([...args, "--members"], elsewhere)).toMatchObject({
      ...{ code: 0, err: "" },
      out: expect.stringContaining(`Members: ${owner}`),
    })
  })

  it("bring files of media from the disk into a bucket, where their addresses lead to them", async () => {
    const s3 = await startS3Server()
    const STORAGE_URL = s3.storageUrl
    const asNew = ["restore", folder, "--project", project.id, "--as-new"]
    s3.fail(true)
    expect(await hearth(asNew, { STORAGE_URL })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The files of media cannot be put into the bucket of STORAGE_URL: /),
    })
    expect((await listDatabases()).filter((name) => name.includes("restoring"))).toEqual([])
    s3.fail(false)
    const { out } = await hearth(asNew, { STORAGE_URL })
    expect(out).toMatch(/rows\. 1 file of media, in the bucket of STORAGE_URL\.\n/)
    const [, id = ""] = /as project (\S+):/.exec(out) ?? []
    const storage = await openBucket(STORAGE_URL)
    const [file] = await sql.rows<{ path: string }>(id, "select path from media_assets")
    expect(await (await fetch(storage?.storage.address(file?.path ?? "") ?? "")).text()).toBe("a file")
    storage?.close()
    await s3.stop()
  })

  it("name a copy, however long the name is", async () => {
    const { api } = server
    const other = await aProject(api)
    await api.ok("PATCH", other.admin, other.owner.as, { name: "😀".repeat(200) })
    const long = join(harness.folder(), "long")
    expect((await hearth(["backup", long, "--project", other.id])).code).toBe(0)
    const { out, err } = await hearth(["restore", long, "--project", other.id, "--as-new"])
    expect(err).toBe("")
    const [, copy = ""] = /as project (\S+):/.exec(out) ?? []
    expect(await api.ok("GET", `/admin/projects/${copy}`, other.owner.as)).toMatchObject({
      name: `${"😀".repeat(189)} (restored)`,
    })
  })

  it("say where files of a bucket have to be copied, which are found there then", async () => {
    const bucket = { STORAGE_URL: "s3://key:secret@hearth?endpoint=http://127.0.0.1:9" }
    const { out } = await restore("--as-new")
    expect(out).toMatch(/rows\. 1 file of media\.\n/)
    const [, id = ""] = /as project (\S+):/.exec(out) ?? []
    const without = join(harness.folder(), "without")
    expect((await hearth(["backup", without, "--project", id], bucket)).out).toContain(
      "The files of media are in the bucket of STORAGE_URL, and not in the backup: save the bucket by its own means, after this.\n",
    )
    const again = ["restore", without, "--project", id, "--as-new"]
    expect((await hearth(again, bucket)).out).toMatch(/in the bucket of STORAGE_URL: copy \S+\/ to \S+\/ in it\.\n/)
    const onDisk = (await hearth([...again, "--owner", project.owner.email])).out
    const [, copy = "", target = ""] =
      /as project (\S+):.* were in a bucket, and are not in the backup: copy its \S+\/ to (\S+)\.\n/.exec(onDisk) ?? []
    const [file] = await sql.rows<{ path: string }>(copy, "select path from media_assets")
    mkdirSync(target)
    writeFileSync(join(target, basename(file?.path ?? "")), "a file")
    const files = await server.api.ok<ReadonlyArray<{ storage_url: string }>>(
      ...(["GET", `/admin/projects/${copy}/media`, project.owner.as] as const),
    )
    expect(await (await fetch(files[0]?.storage_url ?? "")).text()).toBe("a file")
  })

  const listCommands = (waiting = "") =>
    sql.rows("postgres", `select 1 from pg_stat_activity where application_name = 'hearth operator' ${waiting}`)

  /** Runs a command until it waits for the lock of a table, and does something meanwhile. */
  const whileWaiting = async <A>(
    database: string,
    table: string,
    args: ReadonlyArray<string>,
    work: (run: ReturnType<typeof start>) => Promise<A>,
  ): Promise<A> => {
    const session = await sql.session(database)
    try {
      await session.run(`begin; lock table ${table} in access exclusive mode`)
      const run = start(args)
      await expect.poll(() => listCommands("and wait_event_type = 'Lock'")).toHaveLength(1)
      return await work(run)
    } finally {
      await session.end()
    }
  }

  /** Ends a command that waits for a lock with a signal, and answers what it said. */
  const interrupt = (signal: "SIGINT" | "SIGTERM", ...what: readonly [string, string, ReadonlyArray<string>]) =>
    whileWaiting(...what, async (run) => {
      const { code } = await run.end(signal)
      expect(await listCommands("and wait_event_type = 'Lock'")).toEqual([])
      return { code, out: run.output(), err: run.errors() }
    })

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("leave nothing of a backup that %s ends", async (signal, code) => {
    const home = harness.folder()
    const { id } = await aProject(server.api)
    expect(await interrupt(signal, id, "streak_definitions", ["backup", join(home, "cut")])).toEqual({
      code,
      out: "",
      err: expect.stringMatching(
        /^Stopping, .*\nThe backup was stopped: there is no \S+cut, and nothing of it is left\.\n$/,
      ),
    })
    expect(readdirSync(home)).toEqual([])
  })

  it("let a second backup to the same folder wait, and begin again where one was killed", async () => {
    const home = harness.folder()
    const target = join(home, "twice")
    const first = await whileWaiting(project.id, "streak_definitions", ["backup", target], async (run) => {
      expect(await hearth(["backup", target])).toEqual({
        ...{ code: 1, out: "" },
        err: `Another backup to ${target} is under way (pid ${run.pid}): wait until it has ended, or name another folder.\n`,
      })
      return run
    })
    expect({ code: (await first.ended).code, err: first.errors() }).toEqual({ code: 0, err: "" })
    expect(readdirSync(home)).toEqual(["twice"])
    expect(readdirSync(target)).not.toContainEqual(expect.stringContaining("owner"))
    expect((await hearth(["restore", target, "--check"])).out).toMatch(/^The backup is complete/)

    const cut = join(home, "cut")
    await whileWaiting(project.id, "streak_definitions", ["backup", cut], (run) => run.end("SIGKILL"))
    expect(readdirSync(home)).toContain("cut.partial")
    expect(await hearth(["backup", cut])).toMatchObject({ code: 0, err: "" })
    expect(readdirSync(home)).toEqual(["cut", "twice"])
  })

  it("touch no database of another installation on the same PostgreSQL", async () => {
    const { environment, sql: other } = await harness.database()
    const run = (...args: ReadonlyArray<string>) => hearth(args, environment)
    const empty = join(harness.folder(), "empty")
    expect((await run("migrate")).code).toBe(0)
    expect((await run("backup", empty)).code).toBe(0)
    await other.rows("postgres", `create database ${databaseOf(project.id)}`)
    expect(await run("restore", empty, "--overwrite")).toMatchObject({ code: 0 })
    for (const args of [["--overwrite"], ["--project", project.id, "--members"]])
      expect(await run("restore", folder, ...args)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`has the database ${databaseOf(project.id)}, which is of no project of hearth: `),
      })
    expect(await other.rows(project.id, "select 1 as one")).toHaveLength(1)
    expect((await run("restore", folder, "--project", project.id, "--as-new", "--members")).code).toBe(0)
  })

  it("touch nothing that a restore of another installation on the same PostgreSQL has loaded", async () => {
    await sql.rows("postgres", "create database elsewhere")
    const DATABASE_URL = Object.assign(new URL(databaseUrlOf(dataDir)), { pathname: "/elsewhere" }).href
    const other = { DATABASE_URL, JWT_KEYS: someJwtKeys(), SECRETS_KEY: someSecretsKey(), DATA_DIR: harness.folder() }
    expect((await hearth(["migrate"], other)).code).toBe(0)
    const args = ["restore", folder, "--project", project.id, "--as-new"]
    const own = await whileWaiting("hearth", "api_keys", args, async (run) => {
      const { out } = await hearth(["doctor", "--json"], other)
      expect(out).toContain('"projects"')
      expect(out).not.toContain("restoring")
      expect(await hearth([...args, "--members"], other)).toMatchObject({ code: 0, err: "" })
      return run
    })
    expect({ code: (await own.ended).code, err: own.errors() }).toEqual({ code: 0, err: "" })
  })

  it("leave everything as it was where a restore is ended, and begin again with the same command", async () => {
    const other = await aProject(server.api)
    const home = join(harness.folder(), "other")
    expect((await hearth(["backup", home, "--project", other.id])).code).toBe(0)
    await server.api.ok("PATCH", other.admin, other.owner.as, { name: "Later" })
    const args = ["restore", home, "--project", other.id, "--overwrite"]
    await whileWaiting("hearth", "api_keys", args, (run) => run.end("SIGKILL"))
    await expect.poll(() => listCommands()).toEqual([])
    const left = (await listDatabases()).filter((name) => name.includes("restoring"))
    expect(left).toHaveLength(1)
    expect((await hearth(["doctor"])).out).toContain(`a database is left of it: ${left[0]}. The next restore`)
    expect(await interrupt("SIGINT", "hearth", "api_keys", args)).toMatchObject({
      code: 130,
      err: expect.stringContaining("all is as it was. Begin again with the same command.\n"),
    })
    expect((await listDatabases()).filter((name) => name.includes("restoring"))).toEqual([])
    expect(existsSync(join(dataDir, "media", `.restoring-${other.id}`))).toBe(false)
    expect(await server.api.ok("GET", other.admin, other.owner.as)).toMatchObject({ name: "Later" })
    const another = await sql.session("hearth")
    await another.run("select pg_advisory_lock(hashtextextended('hearth restore', 0))")
    expect((await hearth(args)).err).toBe("Another restore runs on this database: wait until it has ended.\n")
    await another.end()
    expect((await hearth(args)).code).toBe(0)
    expect(await server.api.ok("GET", other.admin, other.owner.as)).toMatchObject({ name: "Test" })
  })
})
