import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { connectTo } from "../harness/database.ts"
import { atMost, type Figure } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"

const projects = 500
const checks = 20_000

const heap = () => {
  for (let round = 0; round < 4; round += 1) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** The cost of known, idle projects, and of checking a cached session token. */
export const idleProjects = async (): Promise<ReadonlyArray<Figure>> => {
  const hearth = await openInProcess()
  const { core } = hearth
  const first = await hearth.newProject("First")
  const { session_token } = await Effect.runPromise(core.auth.anonymous(first.id))
  const check = Effect.runPromise.bind(null, core.access.session(first.id, session_token))
  for (let index = 0; index < 2_000; index += 1) await check()
  const cpu = process.cpuUsage()
  for (let index = 0; index < checks; index += 1) await check()
  const { user, system } = process.cpuUsage(cpu)

  const before = heap()
  const ids: Array<string> = []
  for (let index = 0; index < projects; index += 1) {
    const { id } = await hearth.newProject(`Idle ${index}`)
    ids.push(id)
    await Effect.runPromise(core.auth.anonymous(id))
  }
  await sleep(5_000)
  const each = Math.max(0, heap() - before) / projects / 1024 / 1024
  const database = await connectTo(hearth.dataDir, first.id)
  const { rows } = await database.query(
    "select count(*)::int as open from pg_stat_activity where application_name = 'hearth' and datname <> 'hearth' and pid <> pg_backend_pid()",
  )
  await database.end()
  await hearth.close()
  return [
    atMost("Token check on a warm cache: CPU", "ms", (user + system) / 1000 / checks, 0.02, 4),
    atMost("500 known, idle projects: open connections", "connections", rows[0].open, 0),
    atMost("500 known, idle projects: heap of each", "MB", each, 0.1, 3),
  ]
}
