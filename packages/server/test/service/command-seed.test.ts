import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHistory } from "../../src/seed/people.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

describe("hearth seed", () => {
  const harness = makeHarness()
  let server: TestServer

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
  })
  afterAll(harness.clear)

  it("makes a project in which every command that it prints shows something", async () => {
    const run = harness.launch("hearth", {
      args: ["seed", "My example"],
      environment: { PORT: new URL(server.url).port, DATA_DIR: harness.folder() },
    })
    expect(await run.ended, run.errors()).toEqual({ code: 0, signal: null })
    const events = makeHistory(Date.now()).length
    expect(events).toBeGreaterThan(300)
    expect(run.output()).toContain(`My example: 12 users, ${events} events.\n`)

    const [, tries = ""] = /^(api=[\s\S]*)$/m.exec(run.output()) ?? []
    const script = tries.replace(/^And as .*$/m, "")
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { cwd: harness.folder() })
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(answers).toHaveLength(script.match(/^(as|admin) (GET|POST) /gm)?.length ?? 0)
    for (const { data } of answers) expect(Array.isArray(data) ? data.length : 1).toBeGreaterThan(0)
    const [streaks, xp, achievements, board] = answers
    expect(streaks.data[0].current_count).toBeGreaterThanOrEqual(28)
    expect(xp.data).toMatchObject({ level: { name: "Fluent" } })
    expect(achievements.data.every(({ unlocked_at }: { unlocked_at: string | null }) => unlocked_at !== null)).toBe(
      true,
    )
    expect(board.data).toHaveLength(5)
  })

  it("says that its address has gone, where the service was started for it on any free port", async () => {
    const environment = { PORT: "0", DATA_DIR: harness.folder() }
    const run = harness.launch("hearth", { args: ["seed"], environment })
    expect(await run.ended, run.errors()).toEqual({ code: 0, signal: null })
    expect(run.output()).toMatch(/is stopped: hearth start, and put the address that it prints after api=\.\n$/)
  })

  it("tells the same history whenever it is asked for the same moment, with an id of its own for each event", () => {
    const now = Date.parse("2026-11-22T12:00:00Z")
    const history = makeHistory(now)
    expect(makeHistory(now)).toEqual(history)
    expect(new Set(history.map(({ event_id }) => event_id)).size).toBe(history.length)
    expect(history.every(({ occurred_at }) => Date.parse(occurred_at) < now)).toBe(true)
  })
})
