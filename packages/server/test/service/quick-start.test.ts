import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { aProject, aStreak, aUser, daysAgo, streaksOf, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const readme = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8")
// The two commands that start and test it are what the harness and whoever runs this do.
const steps = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)]
  .map(([, block = ""]) => block)
  .filter((block) => !block.startsWith("npx -y pnpm@12"))
  .join("\n")

/** Runs commands in one shell, and answers the lines of JSON that they print. */
const bash = async (script: string, cwd: string) => {
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd })
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).data)
}

describe("the quick start", () => {
  const harness = makeHarness()
  const environment = { DATA_DIR: harness.folder() }
  const folder = harness.folder()
  let server: TestServer
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    server = await harness.server(environment)
    project = await aProject(server.api)
    await aStreak(server.api, project)
    user = await aUser(server.api, project)
    const events = [2, 1, 0].map((days) => ({ event_name: "lesson_completed", occurred_at: daysAgo(days) }))
    await server.api.ok("POST", "/client/events", user.as, { events })
    const isCounted = async () =>
      expect(await streaksOf(server.api, project, user.id)).toMatchObject([{ current_count: 3 }])
    await vi.waitFor(isCounted, { timeout: 45_000 })
  })
  afterAll(harness.clear)

  it("prints on start where the API, the reference and the data are", () => {
    const port = new URL(server.url).port
    expect(server.output()).toContain(`API        http://127.0.0.1:${port}/v1\n`)
    expect(server.output()).toContain(`Reference  http://127.0.0.1:${port}/docs\n`)
    expect(server.output()).toContain(`Mails      http://127.0.0.1:${port}/dev\n`)
    expect(server.output()).toContain(`Data       ${environment.DATA_DIR}/postgres\n`)
  })

  it.each(["at first", "again"])("does %s what the README's commands say, as they are written", async () => {
    const script = steps.replace(/^api=.*$/m, `api=${server.url}/v1`)
    expect(script).not.toBe(steps)
    const [defined, recorded, streaks, explained, timeline, ...repeats] = await bash(script, folder)
    expect(defined).toMatchObject({ name: "Daily lesson", qualifying_event: "lesson_completed" })
    expect(recorded).toMatchObject({ inserted: 2 })
    expect(streaks).toMatchObject([{ current_count: 2, status: "active" }])
    expect(explained).toMatchObject({ matches: false, tree: { conditions: [{ count: 3, actual: 2, matches: false }] } })
    expect(timeline).toMatchObject([
      { kind: "done", reason: expect.stringMatching(/2 days/) },
      { kind: "done", reason: expect.stringMatching(/a new streak/) },
    ])
    expect(repeats).toMatchObject([
      { inserted: 1, skipped: 0 },
      { inserted: 0, skipped: 1 },
    ])
  })

  it("counts events of past days", async () => {
    const another = await aUser(server.api, project)
    const events = [2, 1, 0].map((days) => ({ event_name: "lesson_completed", occurred_at: daysAgo(days) }))
    const recorded = await server.api.ok("POST", "/client/events", another.as, { events })
    expect(recorded).toEqual({ inserted: 3, skipped: 0, tracked: 3 })
    await expect.poll(() => streaksOf(server.api, project, another.id)).toMatchObject([{ current_count: 3 }])
  })

  it("replays the demo's ten years of commits, after which every author has the right streaks and XP", async () => {
    const demo = harness.launch("hearth", { args: ["demo"], environment: { PORT: new URL(server.url).port } })
    expect(await demo.ended, demo.errors()).toEqual({ code: 0, signal: null })
    expect(demo.output()).toContain(`into the running service at ${server.url}\n`)
    expect(demo.output()).toContain("266 of 266 authors have the longest daily and weekly streaks, and the XP")
    expect(demo.output()).toMatch(/\n {2}author {10}XP {2}level\n {2}\S+ +\d+ {2}Pillar\n/)
    expect(demo.output()).toMatch(/\nThe week of \d{4}-\d\d-\d\d, by XP:\n\n {2}rank .*\n {5}1 {2}author-/)
    expect(demo.output()).toMatch(/\n\d+ authors have unlocked "A hundred commits"\.\n/)
  })

  it.each(["SIGTERM", "SIGINT", "SIGKILL"] as const)("keeps all data through %s and a restart", async (signal) => {
    const { code } = await server.end(signal)
    expect(code).toBe(signal === "SIGKILL" ? null : 0)
    server = await harness.server(environment)
    expect(await streaksOf(server.api, project, user.id)).toMatchObject([{ current_count: 3, longest_count: 3 }])
    expect(await server.api.ok("GET", "/client/streaks", user.as)).toMatchObject([{ current_count: 3 }])
    expect(await server.api.ok("GET", "/admin/projects", project.owner.as)).toMatchObject([{ id: project.id }])
    expect(server.errors()).toBe("")
  })
})
