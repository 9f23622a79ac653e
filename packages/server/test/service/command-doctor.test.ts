import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ControlReport, PostgresReport } from "@hearth/adapters"
import { mayReach } from "@hearth/test-services"
import { startS3Server } from "@hearth/test-services/s3"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { judgeRedis } from "../../src/cli/doctor/check-backing.ts"
import type { Finding } from "../../src/cli/doctor/finding.ts"
import { judgeDatabase } from "../../src/cli/doctor/judge-database.ts"
import { makeHarness } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"

const control: ControlReport = {
  database: "hearth",
  missingSteps: [],
  projects: { current: ["hearth_a"], behind: [], tooNew: [], lost: [], leftOver: [] },
  sealedWith: ["0123456789ab"],
  workerSilentSeconds: 20,
  lateJobs: 0,
}
const report: PostgresReport = {
  version: "18.1",
  versionNumber: 180_001,
  answerMillis: 1,
  aheadMillis: -3,
  user: "hearth",
  mayCreateDatabases: true,
  isReplica: false,
  isReadOnly: false,
  durability: { fsync: "on", full_page_writes: "on", synchronous_commit: "on" },
  maxConnections: 200,
  usedConnections: 12,
  control,
  controlFailure: null,
}
const expected = { isEmbedded: false, secretKeys: ["0123456789ab"] }

const judged = (change: Partial<PostgresReport>) =>
  judgeDatabase({ ...report, ...change }, expected).filter(({ status }) => status !== "ok")
const withControl = (change: Partial<ControlReport>) => judged({ control: { ...control, ...change } })

describe("what the doctor says about PostgreSQL", () => {
  it("is nothing where all is well, or nothing is there yet", () => {
    expect(judged({})).toEqual([])
    expect(judged({ control: null })).toEqual([])
  })

  it("is that the secrets could not be checked, where their keys cannot be read", () => {
    const found = judgeDatabase(report, { isEmbedded: true, secretKeys: null }).filter(({ status }) => status !== "ok")
    expect(found).toMatchObject([
      {
        check: "secrets",
        status: "warning",
        message: expect.stringMatching(/could not be checked.*DATA_DIR\/secrets-key/),
      },
    ])
  })

  it.each([
    ["postgres", "warning", /older/, () => judged({ version: "13.2", versionNumber: 130_002 })],
    ["rights", "failed", /alter role "hearth" createdb/, () => judged({ mayCreateDatabases: false })],
    ["writes", "failed", /replica.*the primary/, () => judged({ isReplica: true, isReadOnly: true })],
    ["writes", "failed", /default_transaction_read_only/, () => judged({ isReadOnly: true })],
    ["durability", "failed", /fsync = on/, () => judged({ durability: { ...report.durability, fsync: "off" } })],
    [
      "durability",
      "warning",
      /synchronous_commit/,
      () => judged({ durability: { ...report.durability, synchronous_commit: "off" } }),
    ],
    ["connections", "warning", /room for one\./, () => judged({ maxConnections: 97 })],
    ["connections", "warning", /fewer processes/, () => judged({ usedConnections: 199 })],
    ["clock", "warning", /1500 ms ahead/, () => judged({ aheadMillis: 1_500 })],
    ["clock", "failed", /60000 ms behind.*NTP/, () => judged({ aheadMillis: -60_000 })],
    ["schema", "warning", /hearth migrate/, () => withControl({ missingSteps: ["0001-x"] })],
    [
      "projects",
      "failed",
      /no database: a\..*restore/,
      () => withControl({ projects: { ...control.projects, lost: ["a"] } }),
    ],
    ["projects", "failed", /later release/, () => withControl({ projects: { ...control.projects, tooNew: ["a"] } })],
    ["projects", "warning", /migrate/, () => withControl({ projects: { ...control.projects, behind: ["a", "b"] } })],
    [
      "restore",
      "warning",
      /left of it: hearth_replaced_a\..*drop database "hearth_replaced_a"/,
      () => withControl({ projects: { ...control.projects, leftOver: ["hearth_replaced_a"] } }),
    ],
    ["secrets", "failed", /ffffffffffff/, () => withControl({ sealedWith: ["ffffffffffff"] })],
    ["worker", "warning", /hearth worker/, () => withControl({ workerSilentSeconds: null })],
    ["worker", "warning", /for 500 s/, () => withControl({ workerSilentSeconds: 500 })],
    ["worker", "warning", /7 jobs/, () => withControl({ lateJobs: 7 })],
  ])("%s: %s", (check, status, text, judge) => {
    const [finding, ...others] = judge()
    expect(others).toEqual([])
    expect(finding).toMatchObject({ check, status, remedy: expect.stringMatching(/./) })
    expect(`${finding?.message} ${finding?.remedy}`).toMatch(text)
  })

  it("asks for noeviction in Redis, and for one that is not too old", () => {
    const redis = { version: "7.4.1", evictionPolicy: "noeviction", persists: true, refusal: null }
    expect(judgeRedis(redis).status).toBe("ok")
    expect(judgeRedis({ ...redis, evictionPolicy: null, persists: null }).status).toBe("ok")
    expect(judgeRedis({ ...redis, evictionPolicy: "allkeys-lru" })).toMatchObject({
      status: "warning",
      remedy: expect.stringContaining("maxmemory-policy noeviction"),
    })
    expect(judgeRedis({ ...redis, version: "5.0.7" }).status).toBe("failed")
    expect(judgeRedis({ ...redis, refusal: "OOM command not allowed" })).toMatchObject({
      status: "failed",
      message: expect.stringContaining("takes no writes: OOM command not allowed"),
    })
  })
})

describe("hearth doctor and hearth migrate", () => {
  const harness = makeHarness()
  let environment: Readonly<Record<string, string>>
  let sql: Sql

  beforeAll(async () => {
    ;({ environment, sql } = await harness.database())
  })
  afterAll(harness.clear)

  const hearth = async (args: ReadonlyArray<string>, change: Readonly<Record<string, string>> = {}) => {
    const run = harness.launch("hearth", { args, environment: { ...environment, ...change } })
    const { code } = await run.ended
    return { code, out: run.output(), err: run.errors() }
  }
  const findings = (out: string) =>
    new Map((JSON.parse(out).checks as ReadonlyArray<Finding>).map((finding) => [finding.check, finding]))

  it("tell what is wrong with the settings, with exit code 1", async () => {
    const { code, out } = await hearth(["doctor"], { PORT: "http", SECRETS_KEY: "" })
    expect(code).toBe(1)
    expect(out).toMatch(/^failed {3}settings {5}PORT: must be a port, 0 to 65535; it is "http"\. \S/m)
    expect(out).toMatch(/^failed {3}settings {5}SECRETS_KEY: needed with DATABASE_URL/m)
  })

  it("look at the settings of a worker, and at the folders that are named", async () => {
    const { code, out } = await hearth(["doctor"], { WORKER_PORT: "nonsense" })
    expect(code).toBe(1)
    expect(out).toMatch(/^failed {3}settings {5}WORKER_PORT: must be a port, 0 to 65535; it is "nonsense"\. \S/m)
    const file = await hearth(["doctor"], { STORAGE_URL: "file:///etc/passwd" })
    expect(file).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^failed {3}media {8}\/etc\/passwd is no folder\. \S/m),
    })
    const folder = harness.folder()
    const media = async (name: string) =>
      findings((await hearth(["doctor", "--json"], { STORAGE_URL: `file://${name}` })).out).get("media")?.message
    expect(await media(folder)).toMatch(new RegExp(`are free for ${folder}\\.$`))
    const missing = join(folder, "disk/media")
    expect(await media(missing)).toMatch(new RegExp(`are free for ${missing}, which is not there yet\\.$`))
  })

  const ordinary = { uid: 1, gid: 1 }
  const isAble = process.getuid?.() === 0 && mayReach(ordinary, import.meta.dirname)
  it.skipIf(!isAble)("say what is another user's (skipped: this test needs root)", async () => {
    const DATA_DIR = harness.folder()
    mkdirSync(join(DATA_DIR, "postgres"))
    writeFileSync(join(DATA_DIR, "token-keys.json"), "{}", { mode: 0o600 })
    const run = harness.launch("hearth", { args: ["doctor", "--json"], environment: { DATA_DIR }, ...ordinary })
    await run.ended
    const found = findings(run.output())
    const remedy = "Let it, or run hearth as the user that runs the service."
    const message = `This user (uid 1) may not read ${join(DATA_DIR, "token-keys.json")}.`
    expect(found.get("keys")).toMatchObject({ status: "failed", message, remedy })
    expect(found.get("disk")).toMatchObject({ message: `This user (uid 1) may not write ${DATA_DIR}.`, remedy })
    expect(found.get("postgres")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(/postgres belongs to another user \(uid 0\); start as that user or as root/),
      remedy: "Run hearth as the user that runs the service.",
    })
  })

  it("ask the bucket of media", async () => {
    const bucket = await startS3Server()
    const media = async (STORAGE_URL: string) =>
      findings((await hearth(["doctor", "--json"], { STORAGE_URL })).out).get("media")
    const [right, other] = [
      await media(bucket.storageUrl),
      await media(bucket.storageUrl.replace(/@[^/]+/, "@no-such-bucket")),
    ]
    await bucket.stop()
    const away = await media(bucket.storageUrl)
    expect(right).toEqual({ check: "media", status: "ok", message: "The bucket of STORAGE_URL answers.", remedy: null })
    for (const [finding, text] of [
      [other, /NoSuchBucket|does not exist/],
      [away, /ECONNREFUSED/],
    ] as const) {
      expect(finding).toMatchObject({ status: "failed", message: expect.stringMatching(text) })
      expect(finding?.remedy).toContain("docs/media.md")
    }
  })

  it("bring all databases up to date, and say so; a project's that cannot be is named", async () => {
    const first = await hearth(["migrate"])
    expect(first).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringMatching(/^1\/1 {2}hearth {2}did 0001-developers/),
    })
    expect((await hearth(["migrate"])).out).toBe(
      "1/1  hearth  is up to date\n1 database: 0 brought up to date, 1 up to date before, 0 failed.\n",
    )
    const empty = `hearth_${"0".repeat(31)}1`
    await sql.rows("postgres", `create database ${empty}`)
    // Of another installation, until a project here has it.
    expect((await hearth(["migrate"])).out).toContain(
      "1 database: 0 brought up to date, 1 up to date before, 0 failed.",
    )
    expect(findings((await hearth(["doctor", "--json"])).out).get("projects")).toMatchObject({ status: "ok" })
    await sql.rows(
      "hearth",
      `insert into projects (id, name, allowed_origins, created_at, updated_at, is_ready)
       values ($1, 'Empty', '[]', now(), now(), true)`,
      [empty.slice("hearth_".length)],
    )
    const third = await hearth(["migrate"])
    expect(third.code).toBe(1)
    expect(third.err).toBe(`2/2  ${empty}  failed: The database ${empty} is empty: restore it, or drop it.\n`)
    const { code, out } = await hearth(["doctor", "--json"])
    const found = findings(out)
    // The database of the tests does not write to the disk, and its mail server is not there.
    expect([...found.values()].filter(({ status }) => status === "failed").map(({ check }) => check)).toEqual([
      "durability",
      "mail",
    ])
    expect(code).toBe(1)
    expect(JSON.parse(out).status).toBe("failed")
    expect(found.get("projects")).toMatchObject({ status: "warning", message: expect.stringContaining(empty) })
    expect(found.get("worker")).toMatchObject({ status: "warning", remedy: "Start a worker: hearth worker." })
    await sql.rows("postgres", `drop database ${empty}`)
  })

  it("see a user without the right to create databases, and a server that does not answer", async () => {
    await hearth(["migrate"])
    await sql.rows("postgres", "create role poor login password 'poor'")
    const url = new URL(environment["DATABASE_URL"] ?? "")
    Object.assign(url, { username: "poor", password: "poor" })
    const { out } = await hearth(["doctor", "--json"], { DATABASE_URL: url.href })
    expect(findings(out).get("rights")).toMatchObject({ status: "failed" })
    expect(findings(out).get("schema")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("permission denied"),
    })
    const away = await hearth(["doctor"], {
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
      REDIS_URL: "redis://127.0.0.1:1",
    })
    expect(away.code).toBe(1)
    expect(away.out).toMatch(
      /^failed {3}postgres {5}.*cannot be reached.*ECONNREFUSED.*\. Start PostgreSQL, or correct/m,
    )
    expect(away.out).toMatch(/^failed {3}redis {8}.*ECONNREFUSED/m)
    url.pathname = "/no-such-database"
    const missing = await hearth(["doctor"], { DATABASE_URL: url.href })
    expect(missing.out).toMatch(/^failed {3}postgres {5}.*no-such-database.*does not exist\. Create it with createdb/m)
    url.search = `?options=${encodeURIComponent("-c role=no_such_role")}`
    url.pathname = new URL(environment["DATABASE_URL"] ?? "").pathname
    const stranger = await hearth(["doctor"], { DATABASE_URL: url.href })
    expect(stranger.out).toMatch(
      /^failed {3}postgres {5}.*no_such_role.*does not exist\. Start PostgreSQL, or correct/m,
    )
    expect(away.out).toMatch(/^ok {7}disk {9}/m)
  })
})
