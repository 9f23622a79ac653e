import type { ClockWatch, OpenQueue, Postgres } from "@hearth/adapters"
import { Counter, Gauge, type Registry } from "prom-client"
import { registerProjectDatabases } from "./project-databases.ts"
import { registerQueueMetrics } from "./queue-metrics.ts"

const kinds = ["control", "tenants"] as const

/** Registers metrics of the queue, the databases and the clock. They are read when the metrics are. */
export const registerBackingMetrics = (
  registry: Registry,
  { postgres, queue, clocks }: { postgres: Postgres; queue: OpenQueue; clocks: ClockWatch },
) => {
  const registers = [registry]
  registerProjectDatabases(registry, postgres.schemas)
  registerQueueMetrics(registry, queue.runner)
  new Gauge({
    name: "hearth_clock_ahead_seconds",
    help: "How far the clock of the process is ahead of PostgreSQL's; negative where it is behind.",
    registers,
    collect() {
      this.set(clocks.aheadMillis() / 1_000)
    },
  })
  new Gauge({
    name: "hearth_database_connections",
    help: "Connections to PostgreSQL, and callers that wait for one.",
    labelNames: ["databases", "state"],
    registers,
    collect() {
      for (const [databases, { inUse, idle, waiting }] of Object.entries(postgres.figures())) {
        this.set({ databases, state: "in_use" }, inUse)
        this.set({ databases, state: "idle" }, idle)
        this.set({ databases, state: "waited_for" }, waiting)
      }
    },
  })
  new Gauge({
    name: "hearth_database_line",
    help: "Calls that wait for their turn without a connection.",
    labelNames: ["databases"],
    registers,
    collect() {
      for (const databases of kinds) this.set({ databases }, postgres.lines()[databases].inLine)
    },
  })
  new Counter({
    name: "hearth_database_refused_total",
    help: "Calls that were turned away because a database was busy: its line, its connections, a lock or a deadlock.",
    labelNames: ["databases", "reason"],
    registers,
    collect() {
      this.reset()
      for (const databases of kinds)
        for (const [reason, count] of Object.entries(postgres.lines()[databases].refused))
          this.inc({ databases, reason }, count)
    },
  })
}
