import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { apiAt } from "../harness/api.ts"
import { aProject, aStreak, aUser, streaksOf, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness } from "../harness/harness.ts"
import type { RunningProcess } from "../harness/process.ts"

/** An operator has an empty folder, the address of a PostgreSQL, and follows what the sentences say. Each step needs the one before. */
// An operator, step by step.
describe("the first day of an operator", { shuffle: false }, () => {
  const harness = makeHarness()
  const cwd = harness.folder()
  const dotenv = join(cwd, ".env")
  let server: RunningProcess
  let worker: RunningProcess
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    const { environment } = await harness.database()
    writeFileSync(dotenv, `DATABASE_URL=${environment["DATABASE_URL"]}\nPORT=0\nWORKER_PORT=0\nLOG_LEVEL=info\n`)
  })
  afterAll(harness.clear)

  const start = (...args: ReadonlyArray<string>) => harness.launch("hearth", { args, cwd })
  const hearth = async (...args: ReadonlyArray<string>) => {
    const run = start(...args)
    const { code } = await run.ended
    return { code, out: run.output(), err: run.errors() }
  }

  it("is told at once all that is missing, and the command that makes it", async () => {
    const { code, err } = await hearth("start")
    expect(code).toBe(1)
    expect(err).toMatch(/^JWT_KEYS: .*`hearth keys`/m)
    expect(err).toMatch(/^SECRETS_KEY: .*`hearth keys`/m)
  })

  it("makes the keys, and nothing is missing any more", async () => {
    const keys = await hearth("keys")
    expect(keys).toMatchObject({ code: 0, err: "" })
    appendFileSync(dotenv, keys.out)
    const doctor = await hearth("doctor", "--json")
    const failed = (JSON.parse(doctor.out).checks as ReadonlyArray<{ check: string; status: string }>)
      .filter(({ status }) => status === "failed")
      .map(({ check }) => check)
    // The database of the tests does not write to the disk.
    expect(failed).toEqual(["durability"])
  })

  it("brings the databases up to date before anything runs", async () => {
    expect(await hearth("migrate")).toMatchObject({ code: 0, out: expect.stringMatching(/1 brought up to date/) })
  })

  it("starts a server and a worker, which say where they are and what they are connected to", async () => {
    server = start("start")
    worker = start("worker")
    const [line] = await server.says(/^\{.*"server started".*\}$/m)
    expect(JSON.parse(line)).toMatchObject({ version: expect.any(String), url: expect.stringMatching(/^http:/) })
    expect(line).not.toContain("password")
    const [begun] = await worker.says(/^\{.*"worker started".*\}$/m)
    const { operators: url } = JSON.parse(begun)
    expect((await fetch(new URL("/health/ready", url))).status).toBe(200)
    expect(await (await fetch(new URL("/metrics", url))).text()).toContain("hearth_")
  })

  it("sees that events which the server has taken are handled by the worker", async () => {
    const [, url = ""] = await server.says(/API +(\S+)\/v1/)
    const api = apiAt(() => url)
    project = await aProject(api)
    await aStreak(api, project)
    user = await aUser(api, project)
    await api.ok("POST", "/client/events", user.as, { event_name: "lesson_completed" })
    await expect.poll(() => streaksOf(api, project, user.id)).toMatchObject([{ current_count: 1 }])
    expect((await hearth("doctor")).out).toMatch(/^ok {7}worker {7}/m)
  })

  it("backs it up while it runs", async () => {
    const backup = await hearth("backup", "first")
    expect(backup, backup.err).toMatchObject({ code: 0 })
    const manifest = readFileSync(join(cwd, "first/manifest.json"), "utf8")
    expect(manifest).toContain(project.id)
    for (const secret of readFileSync(dotenv, "utf8").match(/(?<=_KEYS?=').+(?=')/g) ?? [])
      expect(manifest).not.toContain(secret)
  })

  it("stops both, and what they were doing is done", async () => {
    expect(await server.end("SIGTERM")).toEqual({ code: 0, signal: null })
    expect(await worker.end("SIGTERM")).toEqual({ code: 0, signal: null })
    expect(server.errors()).toContain("server stopped")
    expect(worker.errors()).toContain("worker stopped")
  })

  it("finds a project that was deleted by mistake in the backup", async () => {
    server = start("start")
    const [, url = ""] = await server.says(/API +(\S+)\/v1/)
    const api = apiAt(() => url)
    await api.ok("DELETE", project.admin, project.owner.as)
    await expect.poll(async () => (await api.call("GET", project.admin, project.owner.as)).status).toBe(403)
    const refused = await hearth("restore", "first", "--project", project.id)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`${project.owner.email} (owner)`) })
    expect(refused.err).toContain("--members brings them back")
    const restored = await hearth("restore", "first", "--project", project.id, "--members")
    expect(restored, restored.err).toMatchObject({ code: 0 })
    expect(await streaksOf(api, project, user.id)).toMatchObject([{ current_count: 1 }])
  })
})
