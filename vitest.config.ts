import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

// Vitest leaves a core to others, which is half of a small machine. Many suites wait for processes and timers, and all share one
// PostgreSQL: more workers than four would only wait for it.
const maxWorkers = Math.min(4, availableParallelism())

export default defineConfig({ test: { projects: ["packages/*"], isolate: false, maxWorkers } })
