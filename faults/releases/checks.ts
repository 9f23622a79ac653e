import type { ProgressClients } from "../../packages/server/test/faults/clients/progress-clients.ts"
import { type ModelEvent, modelXp } from "../../packages/server/test/faults/progress-model.ts"
import { modelStreak } from "../../packages/server/test/faults/streak-model.ts"
import type { Api } from "../../packages/server/test/harness/api.ts"
import type { TestProject } from "../../packages/server/test/harness/fixtures.ts"
import type { Sql } from "../../packages/server/test/harness/sql.ts"
import type { EverydayClients } from "./clients.ts"

/** What events are worth in the projects of this trial. */
const rules = { lesson: { amount: 10, daily_cap: 45 }, quiz: { amount: 3, daily_cap: null } }

/** A project with everything that both releases have. */
export interface Watched {
  readonly project: TestProject
  readonly boards: ReadonlyArray<string>
  readonly progress: ProgressClients
  readonly everyday: EverydayClients
}

/** Defines what both releases have. Answers the ids of the boards. */
export const define = async (api: Api, { admin, owner }: TestProject): Promise<ReadonlyArray<string>> => {
  const made = (method: string, path: string, body: object) =>
    api.ok<{ readonly id: string }>(method, `${admin}${path}`, owner.as, body)
  await made("POST", "/streaks", { name: "Lessons", qualifying_event: "lesson" })
  await made("PUT", "/xp/rules", {
    rules: Object.entries(rules).map(([event_name, rule]) => ({ event_name, ...rule })),
  })
  await made("POST", "/currencies", { code: "COIN", name: "Coins", initial_balance: 25, max_balance: 60 })
  const boards: Array<string> = []
  for (const board of [
    { name: "XP", metric: "xp" },
    { name: "XP of the week", metric: "xp", period: "weekly" },
    { name: "Points", metric: "custom", custom_event: "quiz:points" },
    { name: "Streaks", metric: "streak_length" },
  ])
    boards.push((await made("POST", "/leaderboards", board)).id)
  return boards
}

const waitingQuery = `select (select count(*) from outbox)::int as waiting, (select count(*) from outbox_dead)::int as dead`

/** How much of a project waits to be handled. */
export const countWaiting = async (sql: Sql, { id }: TestProject) =>
  (await sql.rows<{ waiting: number; dead: number }>(id, waitingQuery))[0] ?? { waiting: -1, dead: -1 }

const daysQuery = `
  with log as (
    select distinct app_user_id, (occurred_at at time zone 'utc')::date as day from engagement_events
    where event_name in ('lesson', 'quiz')
  )
  select (select count(*) from log)::int as wanted, (select count(*) from user_active_days)::int as kept`

/** Whether a reaction that only the newer release has knows what the older one has handled. */
export const areDaysKept = async (sql: Sql, { id }: TestProject): Promise<boolean> => {
  const [row] = await sql.rows<{ wanted: number; kept: number }>(id, daysQuery)
  return row !== undefined && row.wanted === row.kept
}

/** What is not as the log says: each finding is a sentence. */
export const check = async (
  sql: Sql,
  api: Api,
  { project, boards, progress, everyday }: Watched,
): Promise<ReadonlyArray<string>> => {
  const { id, admin, owner } = project
  const findings: Array<string> = []
  const expect = (isSo: boolean, what: string) => void (isSo || findings.push(what))
  const read = <Data>(method: string, path: string) => api.ok<Data>(method, `${admin}${path}`, owner.as)

  const log = await sql.rows<ModelEvent & { event_id: string }>(
    id,
    "select coalesce(external_id, right(cause_key, 36)) as event_id, app_user_id, event_name, occurred_at, properties from engagement_events where event_name in ('lesson', 'quiz')",
  )
  const stored = log.map(({ event_id }) => event_id)
  const present = new Set(stored)
  expect(present.size === stored.length, `${stored.length - present.size} events twice`)
  const acknowledged = [...progress.told.events, ...everyday.withEffects]
  const lost = acknowledged.filter((event) => !present.has(event)).length
  expect(lost === 0, `${lost} of ${acknowledged.length} events lost`)
  const { dead } = await countWaiting(sql, project)
  expect(dead === 0, `${dead} dead letters`)

  for (const [userId, events] of Map.groupBy(log, ({ app_user_id }) => app_user_id)) {
    const { total } = await read<{ total: number }>("GET", `/users/${userId}/xp`)
    expect(total === modelXp(events, rules), `XP ${total} in place of ${modelXp(events, rules)}`)
    const times = events.filter(({ event_name }) => event_name === "lesson").map(({ occurred_at }) => occurred_at)
    const { streaks } = await read<{ streaks: ReadonlyArray<{ current_count: number }> }>("GET", `/users/${userId}`)
    const model = times.length === 0 ? undefined : modelStreak(streakRules, times, 0).current_count
    expect(streaks[0]?.current_count === model, `a streak of ${streaks[0]?.current_count} in place of ${model}`)
  }
  for (const board of boards) {
    const { differences } = await read<{ differences: number }>("POST", `/leaderboards/${board}/rebuild?dry_run=true`)
    expect(differences === 0, `${differences} differences in a leaderboard`)
  }
  const { mismatches } = await read<{ mismatches: ReadonlyArray<unknown> }>("GET", "/currencies/verify")
  expect(mismatches.length === 0, `${mismatches.length} balances that are not their ledger`)
  findings.push(...(await checkPayments(sql, id, progress)), ...(await checkUsers(sql, api, project, everyday)))
  return [...findings, ...everyday.surprises]
}

const streakRules = { period: "daily", max_freezes: 0, freezes_per_n_events: null } as const

const checkPayments = async (sql: Sql, projectId: string, { told, users }: ProgressClients) => {
  const text =
    "select id, app_user_id, amount::float8 as amount from currency_transactions where transaction_type in ('grant', 'spend') and amount <> -0.0001"
  const rows = await sql.rows<{ id: string; app_user_id: string; amount: number }>(projectId, text)
  const stored = new Map(rows.map((row) => [row.id, row]))
  const wrong = [...told.payments.values()].filter(({ transactionId, userId, amount }) => {
    const row = stored.get(transactionId)
    return row?.app_user_id !== userId || row.amount !== amount
  }).length
  const more = stored.size - told.payments.size
  return [
    ...(wrong > 0 ? [`${wrong} of ${told.payments.size} payments lost`] : []),
    // At most the last call of each client was made and not acknowledged.
    ...(more > users.length ? [`${more} payments that nobody was told of`] : []),
  ]
}

/** Everybody who has signed up is there, and the list is read to its end by cursor, each user once. */
const checkUsers = async (sql: Sql, api: Api, { id, admin, owner }: TestProject, { signedUp }: EverydayClients) => {
  const rows = await sql.rows<{ id: string }>(id, "select id from app_users")
  const there = new Set(rows.map((row) => row.id))
  const listed: Array<string> = []
  for (let cursor: string | null = "start"; cursor !== null; ) {
    const { text, status } = await api.call("GET", `${admin}/users?limit=100&cursor=${cursor}`, owner.as)
    if (status !== 200) return [`The list of users is ${status}: ${text}`]
    const page: { data: ReadonlyArray<{ id: string }>; next_cursor: string | null } = JSON.parse(text)
    listed.push(...page.data.map((user) => user.id))
    cursor = page.next_cursor
  }
  const lost = signedUp.filter((user) => !there.has(user)).length
  const isWhole = listed.length === there.size && new Set(listed).size === there.size
  return [
    ...(lost > 0 ? [`${lost} of ${signedUp.length} who have signed up are not there`] : []),
    ...(isWhole ? [] : [`a list of ${listed.length} of ${there.size} users`]),
  ]
}
