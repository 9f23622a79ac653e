import { Effect } from "effect"
import { connectTo } from "../harness/database.ts"
import { addToStreaks } from "../harness/fan-out-statements.ts"
import { atMost, type Figure, median } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"

const users = 2_000
const batchSize = 500
const batches = 40
const rounds = 5
const day = 86_400_000

// The least that the reaction must do, as one statement per batch of events: what was counted, periods, and the streaks that
// follow from them.
const setStatement = `
  with batch as (
    select * from jsonb_to_recordset($1::jsonb) as rows (app_user_id uuid, period_key date, occurred_at timestamptz)
  ), counted as (
    insert into qualifying_events (app_user_id, streak_definition_id, occurred_at, day, events)
    select app_user_id, $2::uuid, occurred_at, min(period_key), count(*) from batch group by app_user_id, occurred_at
    on conflict do nothing
  ), done as (
    insert into streak_events (app_user_id, streak_definition_id, period_key, kind, occurred_at)
    select distinct on (app_user_id, period_key) app_user_id, $2::uuid, period_key, 'done', occurred_at from batch
    on conflict do nothing returning app_user_id, period_key, occurred_at
  )${addToStreaks}`

/** Each of them is earlier than all that the user has done, so that the streak is counted from there on. */
const lateEvents = 2_000

/** The CPU time of the process, in ms, for late events of one user in one batch: the median of five, each of earlier days. */
const measureLate = async (
  { core }: Awaited<ReturnType<typeof openInProcess>>,
  projectId: string,
  userId: string,
  before: number,
): Promise<number> => {
  const times: Array<number> = []
  for (let round = 1; round <= rounds; round += 1) {
    const first = before - round * (lateEvents + 100) * day
    for (let from = 0; from < lateEvents; from += batchSize) {
      const events = Array.from({ length: batchSize }, (_, index) => {
        const occurred_at = new Date(first + (from + index) * day).toISOString()
        return { app_user_id: userId, event_name: "late", occurred_at }
      })
      await Effect.runPromise(core.events.record(projectId, { events }))
    }
    const began = process.cpuUsage()
    await Effect.runPromise(core.background.process(projectId))
    const { user, system } = process.cpuUsage(began)
    times.push((user + system) / 1000)
  }
  return median(times)
}

/** The reactions to events that all count for a daily streak, one transaction per batch, against a set statement. */
export const reactions = async (): Promise<ReadonlyArray<Figure>> => {
  // The clock moves with the events, so that no streak expires between them.
  let now = Date.now() - 300 * day
  const hearth = await openInProcess({ now: () => new Date(now) })
  const project = await hearth.newProject("Reactions")
  const { core } = hearth
  const rules = { grace_period_hours: 0, freeze_enabled: false, max_freezes: 1, freezes_per_n_events: null }
  const definition = { name: "Daily", description: null, period: "daily" as const, ...rules }
  await Effect.runPromise(core.streaks.create(project.id, { ...definition, qualifying_event: "lesson_completed" }))
  await Effect.runPromise(
    core.streaks.create(project.id, { ...definition, grace_period_hours: 6, qualifying_event: "late" }),
  )
  const other = await Effect.runPromise(core.streaks.create(project.id, { ...definition, qualifying_event: "never" }))
  const userIds: Array<string> = []
  for (let index = 0; index < users; index += 1) {
    userIds.push((await Effect.runPromise(core.auth.anonymous(project.id))).user.id)
  }
  const database = await connectTo(hearth.dataDir, project.id)
  const start = now
  const rates: [Array<number>, Array<number>] = [[], []]
  let sent = 0
  for (let round = 0; round < rounds; round += 1) {
    // Every event is of a new day of its user, so every one of them moves a streak.
    const events = Array.from({ length: batches * batchSize }, (_, index) => {
      const position = sent + index
      const occurred = new Date(start + Math.floor(position / users) * day)
      return { app_user_id: userIds[position % users] ?? "", occurred_at: occurred.toISOString() }
    })
    sent += events.length
    now = start + Math.ceil(sent / users) * day
    const slices = Array.from({ length: batches }, (_, index) =>
      events.slice(index * batchSize, (index + 1) * batchSize),
    )
    for (const slice of slices) {
      const body = { events: slice.map((event) => ({ ...event, event_name: "lesson_completed" })) }
      await Effect.runPromise(core.events.record(project.id, body))
    }
    let began = performance.now()
    await Effect.runPromise(core.background.process(project.id))
    rates[0].push(events.length / ((performance.now() - began) / 1000))
    began = performance.now()
    for (const slice of slices) {
      const rows = slice.map((event) => ({ ...event, period_key: event.occurred_at.slice(0, 10) }))
      await database.query(setStatement, [JSON.stringify(rows), other.id])
    }
    rates[1].push(events.length / ((performance.now() - began) / 1000))
  }
  await database.end()
  const late = await measureLate(hearth, project.id, userIds[0] ?? "", start)
  await hearth.close()
  const [reacted, plain] = [median(rates[0]), median(rates[1])]
  return [
    {
      name: "Reactions, a daily streak on every event",
      measured: `${Math.round(reacted).toLocaleString("en")} events/s = ${(reacted / plain).toFixed(2)} ×`,
      bound: `≥ 0.6 × the set statement (${Math.round(plain).toLocaleString("en")} events/s)`,
      kept: reacted >= 0.6 * plain,
    },
    atMost("Reactions, 2,000 late events of one user in one batch, CPU of the process", "ms", late, 200),
  ]
}
