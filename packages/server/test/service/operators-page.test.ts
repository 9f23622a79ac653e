import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readCommits } from "../../src/demo/history.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const page = readFileSync(new URL("../../../../docs/operators.md", import.meta.url), "utf8")
const [, ...blocks] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block)

/** The number of authors with three commits or more in the window of the page. */
const committers = (): number => {
  const counts = new Map<string, number>()
  const begin = Date.now() - Math.ceil((Date.now() - Date.parse("2026-05-24")) / 864e5) * 864e5
  for (const { user, occurred_at } of readCommits()) {
    if (Date.parse(occurred_at) >= begin) counts.set(user, (counts.get(user) ?? 0) + 1)
  }
  return [...counts.values()].filter((count) => count >= 3).length
}

describe("docs/operators.md", { timeout: 180_000 }, () => {
  const harness = makeHarness()
  const folder = harness.folder()
  let server: TestServer
  let demoOutput: string

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    const demo = harness.launch("hearth", { args: ["demo"], environment: { PORT: new URL(server.url).port } })
    expect(await demo.ended, demo.errors()).toEqual({ code: 0, signal: null })
    demoOutput = demo.output()
  })
  afterAll(harness.clear)

  const answer = (name: string) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"))
  const lines = (name: string) => readFileSync(`${folder}/${name}`, "utf8").trimEnd().split("\n")

  it("runs as it is written, from the first request to the last", async () => {
    const [, project, email, password] = /Project (\S+) of (\S+) \(password (\S+)\)/.exec(demoOutput) ?? []
    const script = blocks
      .join("\n")
      .replace(/^api=.*$/m, `api=${server.url}/v1`)
      .replace(/^project=.*$/m, `project=${project}; email=${email}; password=${password}`)
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd: folder })
    expect(stdout).not.toContain('"error"')
    const printed = stdout.split("\n")

    const expected = committers()
    expect(expected).toBeGreaterThan(2)
    expect(printed[0]).toBe(String(expected))
    expect(answer("preview").data.user_count).toBe(expected)
    expect(printed[1]).toMatch(/"entitlement_id":"premium","is_active":true.*\}(\d+)$/)
    expect(printed[1]?.endsWith(`}${expected - 1}`)).toBe(true)
    expect(printed[2]).toMatch(new RegExp(`"status":"evaluating".*\\}${expected - 1}$`))
    expect(stdout).toMatch(/"updated":2,"failed":\[\]\}\}true\n$/)

    expect(answer("dead")).toMatchObject({ data: [], total: 0 })
    expect(answer("retried")).toEqual({ data: { retrying: 0 } })
    const figures = lines("connections.txt")
    for (const figure of ["connections", "line", "refused_total"])
      expect(figures).toContainEqual(expect.stringContaining(`hearth_database_${figure}{`))

    const [outside, inside] = [answer("out").data, answer("in").data]
    expect(outside).toMatchObject({ matches: false, is_member: false, is_manual: false })
    expect(outside.tree.conditions).toMatchObject([{ matches: true }, { actual: true, matches: false }])
    expect(inside).toMatchObject({ matches: true, is_member: true })
    expect(inside.tree.conditions[0].actual).toBeGreaterThanOrEqual(3)

    const users = answer("users")
    expect(users.total).toBe(expected - 1)
    expect(users.data).toHaveLength(Math.min(5, expected - 1))
    expect(lines("users.csv")).toHaveLength(expected)
    expect(lines("users.csv").some((line) => line.includes(outside.user_id))).toBe(false)
    expect(lines("users.csv").some((line) => line.startsWith(inside.user_id))).toBe(true)
    expect(lines("users.ndjson").map((line) => JSON.parse(line).id)).toContain(inside.user_id)
  })

  it("pages through events without a gap, and counts them", () => {
    const own = answer("events")
    expect(own.data).toHaveLength(3)
    const everything = lines("everything.ndjson").filter((line) => line.startsWith('{"section":"engagement_events"'))
    expect(everything).toHaveLength(own.total)
    // Beside the commits there is what they have set off.
    const commits = everything.filter((line) => JSON.parse(line).data.event_name === "commit")
    expect(commits.length).toBeLessThan(own.total)
    expect(lines("events.csv")).toHaveLength(commits.length + 1)
    const since = readCommits().filter(({ occurred_at }) => occurred_at >= "2026-05-24")
    const pages = [...answer("page1").data, ...answer("page2").data]
    const instants = since.map(({ occurred_at }) => Date.parse(occurred_at)).toSorted((a, b) => b - a)
    expect(pages.map(({ occurred_at }: { occurred_at: string }) => Date.parse(occurred_at))).toEqual(
      instants.slice(0, 200),
    )
    expect(new Set(pages.map(({ id }: { id: string }) => id)).size).toBe(Math.min(200, since.length))
    const before = since.filter(({ occurred_at }) => occurred_at < "2026-08-22").length
    expect(answer("days").data.total).toBe(before)
  })
})
