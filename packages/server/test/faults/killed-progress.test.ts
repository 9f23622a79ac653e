import { randomInt } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { apiAt } from "../harness/api.ts"
import { postmasterOf } from "../harness/data-dir.ts"
import { aProject, aStreak, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { type ProgressClients, startProgressClients } from "./clients/progress-clients.ts"
import { waitingIn } from "./invariants.ts"
import { type ModelEvent, modelBoard, modelPoints, modelXp } from "./progress-model.ts"

const cycles = Number(process.env["HEARTH_FAULT_CYCLES"] ?? 20)

const rules = { lesson: { amount: 10, daily_cap: 45 }, quiz: { amount: 3, daily_cap: null } }

const achievements = [
  { key: "twenty", xp_reward: 100, criteria: { all: [{ event: "lesson", count: 20 }] } },
  { key: "points", xp_reward: 7, criteria: { any: [{ event: "quiz", sum: { property: "points", value: 500 } }] } },
]

const boards = [
  { name: "XP", metric: "xp" },
  { name: "XP of the week", metric: "xp", period: "weekly" },
  { name: "Lessons", metric: "custom", custom_event: "lesson", max_entries: 3 },
  { name: "Points", metric: "custom", custom_event: "quiz:points" },
  { name: "Points of the month", metric: "custom", custom_event: "quiz:points", period: "monthly" },
  { name: "Streaks", metric: "streak_length" },
  { name: "Streaks of the day", metric: "streak_length", period: "daily" },
]

interface Entry {
  readonly app_user_id: string
  readonly score: number
  readonly rank: number | null
}

// Its tests are the steps of one story.
describe(`progress and money of a service that is killed ${cycles} times`, {
  shuffle: false,
  timeout: 60_000 + cycles * 30_000,
}, () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const sql = sqlIn(dataDir)
  const api = apiAt(() => server.url)
  const boardIds = new Map<string, string>()
  let server: TestServer
  let project: TestProject
  let clients: ProgressClients

  const start = async () => {
    server = await harness.server({ DATA_DIR: dataDir })
  }

  const admin = <A>(method: string, path: string, body?: unknown) =>
    api.ok<A>(method, `${project.admin}${path}`, project.owner.as, body)

  const ofUser = async (userId: string): Promise<ReadonlyArray<ModelEvent>> =>
    sql.rows<ModelEvent>(
      project.id,
      `select app_user_id, event_name, occurred_at, properties from engagement_events
       where app_user_id = $1 and event_name in ('lesson', 'quiz')`,
      [userId],
    )

  const entriesOf = (name: string) => admin<ReadonlyArray<Entry>>("GET", `/leaderboards/${boardIds.get(name)}/entries`)

  beforeAll(async () => {
    await start()
    project = await aProject(api)
    await aStreak(api, project, { qualifying_event: "lesson" })
    await admin("PUT", "/xp/rules", {
      rules: Object.entries(rules).map(([event_name, rule]) => ({ event_name, ...rule })),
    })
    await admin("PUT", "/xp/levels", {
      levels: [100, 300, 500].map((xp_required) => ({ name: `${xp_required}`, xp_required })),
    })
    for (const achievement of achievements)
      await admin("POST", "/achievements", { name: achievement.key, ...achievement })
    for (const board of boards) {
      boardIds.set(board.name, (await admin<{ id: string }>("POST", "/leaderboards", board)).id)
    }
    await admin("POST", "/currencies", { code: "COIN", name: "Coins", initial_balance: 25, max_balance: 60 })
    clients = await startProgressClients(api, project, 8)
  })
  afterAll(async () => {
    await clients?.stop()
    await harness.clear()
  })

  const killDatabase = () => {
    const pid = postmasterOf(dataDir)
    if (pid !== null) process.kill(pid, "SIGKILL")
  }

  const kill = async (cycle: number) => {
    const before = clients.told.events.size
    await expect.poll(() => clients.told.events.size > before, { interval: 5 }).toBe(true)
    await wait(randomInt(300))
    if (cycle % 5 >= 3) killDatabase()
    if (cycle % 5 === 4) return void (await server.says(/was started again/))
    await server.end("SIGKILL")
    await start()
  }

  it("goes on after every kill, and handles all events in the end", async () => {
    for (let cycle = 0; cycle < cycles; cycle += 1) await kill(cycle)
    await clients.stop()
    await server.end("SIGKILL")
    await start()
    await expect.poll(() => waitingIn(sql, project.id), { timeout: 60_000, interval: 50 }).toBe(0)
    expect(clients.told.events.size).toBeGreaterThan(cycles * 20)
    expect(clients.told.payments.size).toBeGreaterThan(cycles)
  })

  it("has the XP that follows from the log and the unlocks, each cause once", async () => {
    for (const { id } of clients.users) {
      const events = await ofUser(id)
      const unlocked = achievements.filter(({ key }) =>
        key === "twenty"
          ? events.filter(({ event_name }) => event_name === "lesson").length >= 20
          : modelPoints(events.filter(({ event_name }) => event_name === "quiz")) >= 500,
      )
      const held = await admin<ReadonlyArray<{ key: string; unlocked_at: string | null }>>(
        "GET",
        `/users/${id}/achievements`,
      )
      expect(held.flatMap(({ key, unlocked_at }) => (unlocked_at === null ? [] : [key])).toSorted()).toEqual(
        unlocked.map(({ key }) => key).toSorted(),
      )
      const rewards = unlocked.reduce((total, { xp_reward }) => total + xp_reward, 0)
      const { total } = await admin<{ total: number }>("GET", `/users/${id}/xp`)
      expect(total).toBe(modelXp(events, rules) + rewards)
      const log = await sql.rows<{ kind: string; count: number; sum: number }>(
        project.id,
        `select event_name as kind, count(*)::int as count, coalesce(sum((properties ->> 'amount')::int), 0)::int as sum
         from engagement_events where app_user_id = $1 and event_name in ('xp_awarded', 'level_reached', 'achievement_unlocked')
         group by event_name`,
        [id],
      )
      const told = new Map(log.map((row) => [row.kind, row]))
      expect(told.get("xp_awarded")?.sum ?? 0).toBe(total)
      expect(told.get("achievement_unlocked")?.count ?? 0).toBe(unlocked.length)
      expect(told.get("level_reached")?.count ?? 0).toBe([100, 300, 500].filter((level) => level <= total).length)
    }
  })

  it("has the boards that follow from the log", async () => {
    const scores = async (read: (events: ReadonlyArray<ModelEvent>) => number | null, name: string) => {
      const all = await Promise.all(
        clients.users.map(async ({ id }) => {
          const events = (await ofUser(id)).filter(({ event_name }) => event_name === name)
          const score = read(events)
          const counted = events.filter(
            ({ properties }) => name === "lesson" || typeof properties["points"] === "number",
          )
          const reached_at = new Date(Math.max(...counted.map(({ occurred_at }) => occurred_at.getTime())))
          return score === null || counted.length === 0 ? [] : [{ id, score, reached_at }]
        }),
      )
      return modelBoard(all.flat())
    }
    const lessons = await scores((events) => events.length, "lesson")
    expect(await entriesOf("Lessons")).toMatchObject(
      lessons.map((entry) => ({ ...entry, rank: entry.rank > 3 ? null : entry.rank })),
    )
    expect(await entriesOf("Points")).toMatchObject(await scores(modelPoints, "quiz"))
    const xp = await Promise.all(
      clients.users.map(async ({ id }) => (await admin<{ total: number }>("GET", `/users/${id}/xp`)).total),
    )
    expect((await entriesOf("XP")).map(({ score }) => score)).toEqual(
      xp.filter((total) => total > 0).toSorted((a, b) => b - a),
    )
    for (const [name, id] of boardIds) {
      const proof = await admin<{ differences: number }>("POST", `/leaderboards/${id}/rebuild?dry_run=true`)
      expect({ name, ...proof }).toEqual({ name, differences: 0 })
    }
  })

  it("has every acknowledged payment once, and balances that equal their transactions", async () => {
    const rows = await sql.rows<{ id: string; app_user_id: string; amount: number }>(
      project.id,
      "select id, app_user_id, amount::float8 as amount from currency_transactions where transaction_type in ('grant', 'spend')",
    )
    const stored = new Map(rows.map((row) => [row.id, row]))
    for (const { transactionId, userId, amount } of clients.told.payments.values()) {
      expect(stored.get(transactionId)).toEqual({ id: transactionId, app_user_id: userId, amount })
    }
    // At most the last call of each client was made and not acknowledged.
    expect(stored.size - clients.told.payments.size).toBeLessThanOrEqual(4)
    expect(await admin("GET", "/currencies/verify")).toMatchObject({ mismatches: [] })
  })
})
