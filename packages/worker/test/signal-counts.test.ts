import { openLog } from "@hearth/adapters"
import type { Signal } from "@hearth/core"
import { signalsContract } from "@hearth/testing/contracts"
import { Registry } from "prom-client"
import { expect, it } from "vitest"
import { countSignals } from "../src/signal-counts.ts"

const counted = (now?: () => number) => {
  const registry = new Registry()
  const lines: Array<string> = []
  const log = openLog({ level: "info", format: "json", target: { write: (line) => lines.push(line) } })
  const signals = countSignals(registry, log, now)
  const taken = async (name: Signal["name"]) => {
    const metric = await registry.getSingleMetric("hearth_signals_total")?.get()
    return metric?.values.find(({ labels }) => labels["name"] === name)?.value ?? 0
  }
  return { signals, taken, lines, registry }
}

signalsContract("counted and logged", counted)

it("logs as a warning, with the project, what needs attention, and nothing of what is usual", () => {
  const { signals, lines } = counted()
  signals.emit({ name: "login_failed", plane: "client" })
  signals.emit({ name: "task_failed", project_id: "p", task: "expiry", reason: "Error: refused" })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", message: "task failed", signal: "task_failed", project_id: "p", task: "expiry" },
  ])
})

it("logs once a minute that the queue is away, however many projects meet it, and counts each", async () => {
  let now = 0
  const { signals, lines, taken } = counted(() => now)
  const nudge = (project_id: string) => signals.emit({ name: "nudge_failed", project_id })
  for (const project of ["p", "q", "p"]) nudge(project)
  signals.emit({ name: "job_not_started", project_id: "p", job: "media.files" })
  now = 59_999
  nudge("q")
  now = 60_000
  nudge("r")
  const logged = lines.map((line) => JSON.parse(line)).map(({ signal, project_id }) => `${signal} ${project_id}`)
  expect(logged).toEqual(["nudge_failed p", "job_not_started p", "nudge_failed r"])
  expect(await taken("nudge_failed")).toBe(5)
})
