import { connectTo } from "../harness/database.ts"
import { atMost, type Figure, median, runConcurrently } from "../harness/figure.ts"
import { call, type Service, setUp } from "../harness/service.ts"

const clients = 8
const pauseMillis = 200

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

type Project = Pick<Awaited<ReturnType<typeof setUp>>, "developer" | "projectId">

/** A project whose events give XP, and the time from an event of its user to the XP for it. */
const aNeighbour = async (service: Service) => {
  const project = await setUp(service, 1)
  const rules = JSON.stringify({ rules: [{ event_name: "lesson", amount: 1 }] })
  await call(service, "PUT", `/admin/projects/${project.projectId}/xp/rules`, project.developer, rules)
  let sent = 0
  const react = async () => {
    const began = performance.now()
    await call(service, "POST", "/client/events", project.client, '{"event_name":"lesson"}')
    sent += 1
    while ((await call(service, "GET", "/client/xp", project.client)).total !== sent) await wait(20)
    return performance.now() - began
  }
  return async (name: string, millis: number): Promise<ReadonlyArray<Figure>> => {
    const times: Array<number> = []
    const end = performance.now() + millis
    while (performance.now() < end) {
      times.push(await react())
      await wait(pauseMillis)
    }
    return [
      atMost(`An event of another project until its XP, ${name}: the median`, "ms", median(times), 500),
      atMost(`An event of another project until its XP, ${name}: the longest`, "ms", Math.max(...times), 3_000),
    ]
  }
}

const inProject =
  ({ projectId, developer }: Project, service: Service) =>
  (method: string, path: string, body: unknown) =>
    call(service, method, `/admin/projects/${projectId}${path}`, developer, JSON.stringify(body))

/** Six projects have each 3,000 events to handle, each for 300 streaks. */
export const besideBacklogs = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const measure = await aNeighbour(service)
  const { developer } = await setUp(service, 0)
  for (let made = 0; made < 6; made += 1) {
    const project = await call(service, "POST", "/admin/projects", developer, JSON.stringify({ name: "Busy" }))
    const ask = inProject({ projectId: project.id, developer }, service)
    const key = { "x-api-key": project.client_api_key as string }
    const events: Array<object> = []
    await runConcurrently(clients, 500, async () => {
      const { user } = await call(service, "POST", "/client/auth/anonymous", key)
      events.push({ app_user_id: user.id, event_name: "lesson" })
    })
    await runConcurrently(clients, 300, (n) => ask("POST", "/streaks", { name: `${n}`, qualifying_event: "lesson" }))
    for (let batch = 0; batch < 6; batch += 1) await ask("POST", "/events", { events })
  }
  return measure("while six have long backlogs", 30_000)
}

/** A project gets 300 segments at once, each about 5,000 users with 60 events. */
export const besideSegments = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const [measure, project] = [await aNeighbour(service), await setUp(service, 1)]
  const database = await connectTo(service.dataDir, project.projectId)
  await database.query(`insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at,
      last_seen_at, is_disabled, created_at, updated_at)
    select gen_random_uuid(), 'x', 'a' || n, '[]', '{}', now(), now(), false, now(), now() from generate_series(1, 5000) n`)
  await database.query(`insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
    select gen_random_uuid(), u.id, 'lesson_' || n % 7, '{}', now() - n * interval '1 minute'
    from app_users u, generate_series(1, 60) n`)
  await database.query("analyze")
  await database.end()
  const ask = inProject(project, service)
  const conditions = [1, 2, 3].map((n) => ({ event: `lesson_${n}`, op: "gte", count: n, within: "30d" }))
  const segment = { rules: { operator: "AND", conditions } }
  const made = runConcurrently(clients, 300, (n) => ask("POST", "/segments", { name: `${n}`, ...segment }))
  const figures = await measure("while one has 300 new segments", 30_000)
  await made
  return figures
}

/** A project has 200 schedules that draw each minute from a library of 300,000 items. */
export const besideSchedules = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const [measure, project] = [await aNeighbour(service), await setUp(service, 1)]
  const ask = inProject(project, service)
  const { id: library_id } = await ask("POST", "/content/libraries", { name: "Quotes", content_type: "quote" })
  const database = await connectTo(service.dataDir, project.projectId)
  await database.query(
    `insert into content_items (id, library_id, title, body, tags, metadata, is_premium, is_active, sort_order, moderation,
      created_at, updated_at)
     select gen_random_uuid(), $1, 'x', 'y', '[]', '{}', false, true, n, 'shown', now(), now() from generate_series(1, 300000) n`,
    [library_id],
  )
  await database.query("analyze")
  await database.end()
  const schedule = { library_id, schedule_type: "random", config: { cron: "* * * * *" } }
  await runConcurrently(clients, 200, (n) => ask("POST", "/content/schedules", { name: `${n}`, ...schedule }))
  return measure("while one draws from 300,000 items 200 times a minute", 120_000)
}
