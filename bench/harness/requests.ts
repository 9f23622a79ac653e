import { connectTo } from "./database.ts"
import { atMost, type Figure, median, runConcurrently } from "./figure.ts"
import { call, type Service, setUp } from "./service.ts"

const calls = 10_000
// Calls before the code is compiled are not measured.
const warmUp = 15_000
const clients = 32
const projects = 20

const countCommits = async (database: { query(text: string): Promise<{ rows: Array<{ commits: string }> }> }) => {
  // PostgreSQL writes the statistics of a session after ten idle seconds.
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  const { rows } = await database.query(
    "select xact_commit as commits from pg_stat_database where datname = current_database()",
  )
  return Number(rows[0]?.commits)
}

/** What one request costs the server. */
export const requests = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const { client, developer, projectId } = await setUp(service, 1)
  const me = () => call(service, "GET", "/client/users/me", client)
  await runConcurrently(clients, warmUp, me)
  const database = await connectTo(service.dataDir, projectId)
  const before = await countCommits(database)
  const cpu = service.cpuMillis()
  await runConcurrently(clients, calls, me)
  const spent = service.cpuMillis() - cpu
  const queries = (await countCommits(database)) - before
  await database.end()

  const times: Array<number> = []
  for (let index = 0; index < projects; index += 1) {
    const began = performance.now()
    await call(service, "POST", "/admin/projects", developer, JSON.stringify({ name: `Project ${index}` }))
    times.push(performance.now() - began)
  }
  return [
    atMost("GET /client/users/me: CPU of the server per call", "ms", spent / calls, 0.2, 3),
    atMost("GET /client/users/me: queries per call", "queries", queries / calls, 1.05, 2),
    atMost("New project, p50", "ms", median(times), 100),
  ]
}
