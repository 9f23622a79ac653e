import type pg from "pg"
import { connectTo } from "../harness/database.ts"
import type { Figure } from "../harness/figure.ts"
import { call, type Service, setUp } from "../harness/service.ts"

const many = Number(process.env["BENCH_EVENTS"] ?? 10_000_000)
const users = 1_000
const names = 40
const pages = 200
const pageSize = 100
const dayMillis = 86_400_000

const fill = async (database: pg.Client, userIds: ReadonlyArray<string>) => {
  await database.query(
    `insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
     select uuidv7(), ($2::uuid[])[1 + n % $3], 'event_' || n % $4, jsonb_build_object('n', n),
       now() - make_interval(secs => n * 80 * 86400.0 / $1)
     from generate_series(1, $1::int) as n`,
    [many, userIds, users, names],
  )
  await database.query("vacuum analyze engagement_events")
}

const makeUsers = async (database: pg.Client): Promise<ReadonlyArray<string>> => {
  const { rows } = await database.query<{ id: string }>(
    `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
       is_disabled, created_at, updated_at)
     select uuidv7(), 'x', 'anon_' || n, '[]', '{}', now(), now(), false, now(), now()
     from generate_series(1, $1::int) as n returning id`,
    [users],
  )
  return rows.map(({ id }) => id)
}

const p95 = (times: ReadonlyArray<number>) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN

const timed = async <A>(work: () => Promise<A>, times: Array<number>): Promise<A> => {
  const began = performance.now()
  const answer = await work()
  times.push(performance.now() - began)
  return answer
}

const columns = `id, app_user_id, event_name, properties, occurred_at`

/** Pages of the log over HTTP against the same pages by a plain statement on one connection. */
export const tail = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const { developer, projectId } = await setUp(service, 1)
  const database = await connectTo(service.dataDir, projectId)
  const userIds = await makeUsers(database)
  await fill(database, userIds)
  const since = new Date(Date.now() - 81 * dayMillis)
  const path = `/admin/projects/${projectId}/events?limit=${pageSize}&since=${since.toISOString()}`

  const compare = async (name: string, filter: string, condition: string, value: string): Promise<Figure> => {
    const [http, plain]: [Array<number>, Array<number>] = [[], []]
    for (let page = 0; page < pages; page += 1) {
      // Positions spread over the log, each with pages before it and after it.
      const at = new Date(Date.now() - ((page + 1) * 79 * dayMillis) / (pages + 1))
      const position = { ts: at.toISOString(), id: userIds[0] as string }
      const cursor = Buffer.from(JSON.stringify(position)).toString("base64url")
      const query = () =>
        database.query(
          `select ${columns} from engagement_events
           where occurred_at >= $1 and (occurred_at, id) < ($2, $3) ${condition}
           order by occurred_at desc, id desc limit ${pageSize}`,
          [since, at, position.id, ...(condition === "" ? [] : [value])],
        )
      // Whoever asks first for a place in the log waits for the disk.
      await query()
      const events = await timed(() => call(service, "GET", `${path}${filter}&cursor=${cursor}`, developer), http)
      const { rows } = await timed(query, plain)
      if (events.length !== rows.length || events[0]?.id !== rows[0]?.id) throw new Error("The pages differ.")
    }
    const [measured, bound] = [p95(http), p95(plain)]
    return {
      name: `A page of ${pageSize} out of ${many.toLocaleString("en")} events${name}, p95`,
      measured: `${measured.toFixed(1)} ms = ${(measured / bound).toFixed(1)} ×`,
      bound: `≤ 3 × the plain query on one connection (${bound.toFixed(1)} ms)`,
      kept: measured <= 3 * bound,
    }
  }
  const [user = ""] = userIds
  // Both sides are measured warm: the route compiled, the pages of the log in memory.
  for (let turn = 0; turn < 500; turn += 1) await call(service, "GET", path, developer)
  const figures = [
    await compare("", "", "", ""),
    await compare(" of one name", "&event_name=event_7", "and event_name = $4", "event_7"),
    await compare(" of one user", `&user_id=${user}`, "and app_user_id = $4", user),
  ]
  await database.end()
  return figures
}
