import type pg from "pg"
import { to as copyTo } from "pg-copy-streams"
import { connectTo } from "../harness/database.ts"
import { download, measureGrowth, type Reading } from "../harness/downloads.ts"
import { atMost, type Figure, measureInTurns, median, ratio } from "../harness/figure.ts"
import { type Service, setUp } from "../harness/service.ts"

const many = Number(process.env["BENCH_USERS"] ?? 1_000_000)
const few = many / 10
const rounds = 3
const mebi = 2 ** 20

/** Users with a name, a few properties, and a device for every other one of them, by one statement each. */
const fill = async (database: pg.Client, users: number) => {
  await database.query(
    `insert into app_users (id, email, display_name, anonymous_id, auth_providers, properties, first_seen_at,
       last_seen_at, is_disabled, created_at, updated_at)
     select uuidv7(), 'user-' || n || '@example.com', 'User ' || n, 'anon_' || n, '[]',
       jsonb_build_object('level', n % 50, 'plan', 'free', 'city', 'Somewhere ' || n), now(), now(), false,
       now() - make_interval(secs => n), now()
     from generate_series(1, $1::int) as n`,
    [users],
  )
  await database.query(
    `insert into push_tokens (id, app_user_id, platform, provider, token, is_active, created_at)
     select uuidv7(), id, 'ios', 'push_a', id::text, true, now() from app_users where (properties ->> 'level')::int % 2 = 0`,
  )
  await database.query("vacuum analyze")
}

const rows = `select u.id, email, anonymous_id, created_at, last_seen_at, properties, platform_strings,
    coalesce(push_token_count, 0) as push_token_count
  from app_users u left join (
    select app_user_id, string_agg(distinct platform, '|' order by platform) as platform_strings,
      count(*) as push_token_count
    from push_tokens where is_active group by 1
  ) as devices on app_user_id = u.id order by u.id`

const runCopy = (database: pg.Client, statement: string): Promise<void> =>
  new Promise((resolve, reject) => {
    database
      .query(copyTo(statement))
      .on("data", () => {})
      .on("end", resolve)
      .on("error", reject)
  })

interface Filled {
  readonly path: string
  readonly database: pg.Client
  readonly count: number
  readonly as: Readonly<Record<string, string>>
}

const makeFilledProject = async (service: Service, users: number): Promise<Filled> => {
  const { developer, projectId } = await setUp(service, 1)
  const database = await connectTo(service.dataDir, projectId)
  await fill(database, users)
  return { path: `/admin/projects/${projectId}/users/export`, database, count: users + 1, as: developer }
}

const firstBytes = async (service: Service, { path, as }: Filled): Promise<number> => {
  const first: Array<number> = []
  for (let time = 0; time < 9; time += 1) {
    first.push((await download(service, path, as, { hangUpAfter: 1 })).firstByteMillis)
  }
  return median(first)
}

/** What one export of so many users costs the server in memory, and when its first byte comes. */
export const exportCosts = async (service: Service, users: number): Promise<ReadonlyArray<Figure>> => {
  const small = await makeFilledProject(service, Math.ceil(users / 10))
  const large = await makeFilledProject(service, users)
  // What the first exports leave behind, such as compiled code, is not what one costs.
  for (let time = 0; time < 3; time += 1) await download(service, small.path, small.as)
  const growth = await measureGrowth(service, () => download(service, large.path, large.as))
  const millis = await firstBytes(service, large)
  await Promise.all([small, large].map(({ database }) => database.end()))
  const title = users.toLocaleString("en")
  return [
    atMost(`Memory of the server: growth by an export of ${title} users`, "MiB", growth / mebi, 64),
    atMost(`First byte of an export of ${title} users, p50`, "ms", millis, 200),
  ]
}

/** Exports of all users over HTTP against COPY of the same rows, and what they cost in memory. */
export const exports = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const [small, large] = [await makeFilledProject(service, few), await makeFilledProject(service, many)]
  const sizes = new Map<string, number>()
  /** Counts the lines of a file the first time; after that it must have as many bytes. */
  const take = async ({ path, count, as }: Filled, format: "csv" | "ndjson") => {
    const file = `${path}?format=${format}`
    const expected = sizes.get(file)
    const { bytes, lines } = await download(service, file, as, { countLines: expected === undefined })
    const isWhole = expected === undefined ? lines === count + (format === "csv" ? 1 : 0) : bytes === expected
    if (!isWhole) throw new Error(`${file} has ${lines} lines and ${bytes} bytes for ${count} users.`)
    sizes.set(file, bytes)
    return count
  }
  const copy = async (statement: string) => {
    await runCopy(large.database, statement)
    return large.count
  }
  await take(small, "csv")
  await take(small, "ndjson")
  const smallGrowth = await measureGrowth(service, () => take(small, "csv"))
  const largeGrowth = await measureGrowth(service, () => take(large, "csv"))
  const slow: Reading = { bytesPerSecond: 4 * mebi, hangUpAfter: 20 * mebi }
  const slowGrowth = await measureGrowth(service, () => download(service, large.path, large.as, slow))

  await take(large, "ndjson")
  const [csv, csvCopy] = await measureInTurns(
    rounds,
    () => take(large, "csv"),
    () => copy(`copy (${rows}) to stdout (format csv, header)`),
  )
  const [ndjson, ndjsonCopy] = await measureInTurns(
    rounds,
    () => take(large, "ndjson"),
    () => copy(`copy (select row_to_json(lines) from (${rows}) as lines) to stdout`),
  )
  const millis = await firstBytes(service, large)
  await Promise.all([small, large].map(({ database }) => database.end()))
  const users = many.toLocaleString("en")
  return [
    ratio(`Export of ${users} users as CSV over HTTP`, "users/s", csv, csvCopy, "COPY of the same rows", 0.4),
    ratio(`Export of ${users} users as NDJSON over HTTP`, "users/s", ndjson, ndjsonCopy, "COPY of row_to_json", 0.5),
    atMost(
      `Memory of the server: growth by an export of ${few.toLocaleString("en")} users`,
      "MiB",
      smallGrowth / mebi,
      64,
    ),
    atMost(`Memory of the server: growth by an export of ${users} users`, "MiB", largeGrowth / mebi, 64),
    atMost("Memory of the server: growth by a reader of 4 MiB/s", "MiB", slowGrowth / mebi, 64),
    atMost(`First byte of an export of ${users} users, p50`, "ms", millis, 200),
  ]
}
