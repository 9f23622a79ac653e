import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { checkForRestore } from "@hearth/adapters"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { aProject, aStreak, aUser, daysAgo, streaksOf, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { addFile, sendFile } from "../media/harness.ts"

const harness = makeHarness()
afterAll(harness.clear)

const many = "1000000 per hour"

const hearth = async (dataDir: string, ...args: ReadonlyArray<string>) => {
  const run = harness.launch("hearth", { args, environment: { DATA_DIR: dataDir } })
  const { code } = await run.ended
  return { code, out: run.output(), err: run.errors() }
}

/** What the tables of a project have, as text that two databases can be compared by. Segments are evaluated whenever it is time. */
const readAll = async (dataDir: string, projectId: string) => {
  const sql = sqlIn(dataDir)
  const tables = await sql.rows<{ name: string }>(
    projectId,
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'mikro_orm_migrations'
     and tablename not like 'segment%' order by 1`,
  )
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const { name } of tables)
    found[name] = (
      await sql.rows<{ row: string }>(projectId, `select to_jsonb(t)::text as row from "${name}" t order by 1`)
    ).map(({ row }) => row.replaceAll(projectId, "<project>"))
  return found
}

/** As `expect.poll`, for what comes before the tests. */
const until = (holds: () => Promise<void>) => vi.waitFor(holds, { timeout: 45_000 })

describe("hearth backup and hearth restore", () => {
  const dataDir = harness.folder()
  const folder = join(harness.folder(), "saved")
  let server: TestServer
  let project: TestProject
  let user: TestUser
  let address: string
  let before: Awaited<ReturnType<typeof readAll>>
  let other: TestProject
  let saved: Awaited<ReturnType<typeof hearth>>

  // A project that has users, events and a file, and a backup that was made while the service ran and others wrote.
  beforeAll(async () => {
    // One user writes for as long as a backup takes.
    server = await harness.server({ DATA_DIR: dataDir, LIMIT_USER_WRITES: many, LIMIT_USER_EVENTS: many })
    project = await aProject(server.api)
    await aStreak(server.api, project)
    user = await aUser(server.api, project)
    const events = [2, 1, 0].map((days) => ({
      event_name: "lesson_completed",
      occurred_at: daysAgo(days),
      // What has a meaning in the format of the dump.
      properties: { text: 'a\tb\\N\n\\.\n"ä€😀', null: null },
    }))
    await server.api.ok("POST", "/client/events", user.as, { events })
    await until(async () => expect(await streaksOf(server.api, project, user.id)).toMatchObject([{ current_count: 3 }]))
    const { data, upload_url } = await addFile(server.api, `${project.admin}/media`, project.owner.as, {})
    expect(await sendFile(upload_url, "a file")).toEqual([200, null])
    address = data.storage_url
    await until(async () => expect((await readAll(dataDir, project.id))["outbox"]).toEqual([]))
    before = await readAll(dataDir, project.id)
    other = await aProject(server.api)
    const writer = await aUser(server.api, other)
    let isWriting = true
    const writing = (async () => {
      while (isWriting)
        await server.api.ok("POST", "/client/events", writer.as, {
          events: Array.from({ length: 20 }, () => ({ event_name: "tick" })),
        })
    })()
    saved = await hearth(dataDir, "backup", folder)
    isWriting = false
    await writing
  })

  it("save everything while the service runs and others write, each database as it was at one moment", async () => {
    const { code, out, err } = saved
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(out).toMatch(/^2 projects, \d+ rows, .* compressed\.\n1 file of media, 6 B\.\nSaved in /)
    expect(readdirSync(folder).sort()).toEqual(["control.sql.gz", "manifest.json", "media", "media.ndjson", "projects"])
    expect(readdirSync(join(folder, ".."))).toEqual(["saved"])
    expect(await hearth(dataDir, "backup", folder)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/there already/),
    })

    const restored = await hearth(dataDir, "restore", folder, "--project", other.id, "--as-new")
    const [, copy = ""] = /as project (\S+):/.exec(restored.out) ?? []
    // Every call writes 20 events at once, and counts them for the user in the same transaction.
    const [counts] = await sqlIn(dataDir).rows<{ events: number }>(
      copy,
      "select count(*)::int as events from engagement_events",
    )
    expect((counts?.events ?? 1) % 20).toBe(0)
    expect((await server.api.ok<{ id: string }>("GET", `/admin/projects/${copy}`, other.owner.as)).id).toBe(copy)
  })

  it("end with an error where no folder can be made", async () => {
    const { code, err } = await hearth(dataDir, "backup", "/proc/hearth/saved")
    expect([code, err]).toEqual([1, "The folder /proc/hearth/saved cannot be made: ENOENT.\n"])
  })

  it("end with an error where the files of a project cannot be read, and leave nothing", async () => {
    const files = join(dataDir, "media", project.id)
    renameSync(files, `${files}-away`)
    writeFileSync(files, "")
    const target = join(harness.folder(), "saved")
    const { code, err } = await hearth(dataDir, "backup", target)
    rmSync(files)
    renameSync(`${files}-away`, files)
    expect([code, err]).toEqual([1, `The folder ${files} cannot be read: ENOTDIR.\n`])
    expect(readdirSync(join(target, ".."))).toEqual([])
  })

  it("restore one project as another one beside it, which works with the same users and its own key", async () => {
    const { code, out, err } = await hearth(dataDir, "restore", folder, "--project", project.id, "--as-new")
    expect({ code, err }).toEqual({ code: 0, err: "" })
    const [, copy = "", key = ""] = /as project (\S+):[\s\S]*Client keys: (pk_\w{32})\n/.exec(out) ?? []
    expect(copy).not.toBe(project.id)
    expect(out).toContain(`Members: ${project.owner.email} (owner)\n`)
    expect(await readAll(dataDir, copy)).toEqual(before)
    const same = { ...project, id: copy, admin: `/admin/projects/${copy}`, app: { "x-api-key": key } }
    expect(await streaksOf(server.api, same, user.id)).toMatchObject([{ current_count: 3 }])
    const assets = await server.api.ok<ReadonlyArray<{ storage_url: string }>>(
      "GET",
      `${same.admin}/media`,
      project.owner.as,
    )
    expect(await (await fetch(assets[0]?.storage_url ?? "")).text()).toBe("a file")
    // It is a project like every other: users come, events are reacted to.
    const another = await aUser(server.api, same)
    await server.api.ok("POST", "/client/events", another.as, { events: [{ event_name: "lesson_completed" }] })
    await expect.poll(() => streaksOf(server.api, same, another.id)).toMatchObject([{ current_count: 1 }])
    expect(await readAll(dataDir, project.id)).toEqual(before)
  })

  it("replace a project only when that is said", async () => {
    await server.api.ok("POST", "/client/events", user.as, { events: [{ event_name: "after_the_backup" }] })
    const refused = await hearth(dataDir, "restore", folder, "--project", project.id)
    expect(refused).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/^There is a project .* --overwrite .* --as-new /),
    })
    expect((await hearth(dataDir, "restore", folder, "--project", project.id, "--overwrite")).code).toBe(0)
    await expect.poll(() => readAll(dataDir, project.id)).toEqual(before)
    // The first calls may meet connections to what was replaced.
    await expect.poll(async () => (await server.api.call("GET", "/client/streaks", user.as)).status).toBe(200)
    expect(await (await fetch(address)).text()).toBe("a file")
  })

  it("refuse a backup that was changed or is not complete, and touch nothing", async () => {
    const broken = join(harness.folder(), "broken")
    cpSync(folder, broken, { recursive: true })
    const file = join(broken, "projects", `${project.id}.sql.gz`)
    const bytes = readFileSync(file)
    bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1
    writeFileSync(file, bytes)
    const check = () =>
      checkForRestore({ databaseUrl: "", mediaFolder: null, overwrite: true, folder: broken }, project.id)
    await expect(check()).rejects.toThrow(/was changed: projects\/.* another checksum/)
    writeFileSync(file, bytes.subarray(1))
    await expect(check()).rejects.toThrow(/was changed: projects\/.* bytes, not /)
    rmSync(file)
    await expect(check()).rejects.toThrow(/not complete: projects\/.* is missing/)
    const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))
    manifest.control.steps.push("9999-of-tomorrow")
    writeFileSync(join(broken, "manifest.json"), JSON.stringify(manifest))
    await expect(check()).rejects.toThrow(/does not know \(9999-of-tomorrow\)/)
    manifest.control.file = "../../control.sql.gz"
    writeFileSync(join(broken, "manifest.json"), JSON.stringify(manifest))
    await expect(check()).rejects.toThrow(/leads outside/)
    const refused = await hearth(dataDir, "restore", broken, "--project", project.id, "--overwrite")
    expect(refused).toMatchObject({ code: 1, out: "" })
    expect(await hearth(dataDir, "restore", folder, "--overwrite")).toMatchObject({
      code: 1,
      err: "Servers or workers run on this database: stop them first.\n",
    })
    expect(await readAll(dataDir, project.id)).toEqual(before)
  })

  it("bring everything to another machine, where who was signed in still is", async () => {
    const elsewhere = harness.folder()
    for (const key of ["token-keys.json", "secrets-key"]) cpSync(join(dataDir, key), join(elsewhere, key))
    const restored = await hearth(elsewhere, "restore", folder)
    expect(restored, restored.err).toMatchObject({
      code: 0,
      out: expect.stringMatching(/2 projects\. 1 file of media\.\n$/),
    })
    const again = await hearth(elsewhere, "restore", folder)
    expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/--overwrite replaces all of them/) })
    // A project of that machine goes, with its files.
    const replaced = await harness.server({ DATA_DIR: elsewhere })
    const gone = await aProject(replaced.api)
    const sent = await addFile(replaced.api, `${gone.admin}/media`, gone.owner.as, {})
    expect(await sendFile(sent.upload_url, "a file")).toEqual([200, null])
    // As a restore leaves it that was killed after its exchange.
    const left = `hearth_fe586323_replaced_${project.id.replaceAll("-", "")}`
    await sqlIn(elsewhere).rows("postgres", `create database ${left}`)
    const leftFiles = join(elsewhere, "media", `.replaced-${gone.id}`)
    cpSync(join(elsewhere, "media", gone.id), leftFiles, { recursive: true })
    await replaced.end("SIGTERM")
    expect(await hearth(elsewhere, "restore", folder, "--overwrite")).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`\\nNot in the backup, and gone now: ${gone.id}\\.\\n$`)),
    })
    const moved = await harness.server({ DATA_DIR: elsewhere })
    expect(await readAll(elsewhere, project.id)).toEqual(before)
    const names = await sqlIn(elsewhere).rows(
      "postgres",
      "select 1 from pg_database where datname ~ 'restoring|replaced'",
    )
    expect([names, existsSync(leftFiles)]).toEqual([[], false])
    await expect.poll(() => existsSync(join(elsewhere, "media", gone.id)), { timeout: 60_000 }).toBe(false)
    expect(await moved.api.ok("GET", "/client/streaks", user.as)).toMatchObject([{ current_count: 3 }])
    expect(await moved.api.ok("GET", "/admin/projects", project.owner.as)).toMatchObject([{ id: project.id }])
    expect(await (await fetch(address.replace(server.url, moved.url))).text()).toBe("a file")
  })
})
