import { openLog } from "@hearth/adapters"
import type { Signal } from "@hearth/core"
import { signalsContract } from "@hearth/testing/contracts"
import { Registry } from "prom-client"
import { expect, it } from "vitest"
import { countSignals } from "../src/signal-counts.ts"

const counted = () => {
  const registry = new Registry()
  const lines: Array<string> = []
  const log = openLog({ level: "info", format: "json", target: { write: (line) => lines.push(line) } })
  const signals = countSignals(registry, log)
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
