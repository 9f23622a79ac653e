import { Effect } from "effect"
import type pg from "pg"
import { connectTo } from "../harness/database.ts"
import { addScores, countEvents, giveXp, handled, unlock } from "../harness/fan-out-statements.ts"
import { type Figure, median, ratio } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"

// As large as the largest batch that is handled at once: four events of each user.
const users = 500
const eventsPerUser = 4
const batchSize = users * eventsPerUser
const recordedAtOnce = 500
const rounds = 20
const day = 86_400_000
const hour = 3_600_000

/** An event as the hand-written statements are given it. */
interface Given {
  readonly id: string
  readonly app_user_id: string
  readonly event_name: string
  readonly occurred_at: string
}

/** A batch of one day, on which every user has four events. */
const makeBatch = (userIds: ReadonlyArray<string>, id: () => string, start: number): ReadonlyArray<Given> =>
  Array.from({ length: batchSize }, (_, index) => ({
    id: id(),
    app_user_id: userIds[index % users] ?? "",
    event_name: "lesson_completed",
    occurred_at: new Date(start + Math.floor(index / users) * hour).toISOString(),
  }))

/** A project where every event counts for a streak and a leaderboard, is worth XP, and may unlock an achievement. */
const setUp = async ({ core, newProject }: Awaited<ReturnType<typeof openInProcess>>) => {
  const project = await newProject("Fan-out")
  const run = Effect.runPromise
  const rules = { grace_period_hours: 0, freeze_enabled: false, max_freezes: 1, freezes_per_n_events: null }
  const streak = { name: "Daily", description: null, period: "daily" as const, ...rules }
  const definition = await run(core.streaks.create(project.id, { ...streak, qualifying_event: "lesson_completed" }))
  const worth = { event_name: "lesson_completed", amount: 10, daily_cap: 1_000 }
  await run(core.xp.replaceRules(project.id, { rules: [worth] }))
  await run(core.xp.replaceLevels(project.id, { levels: [{ name: "First", xp_required: 100 }] }))
  // Nobody unlocks it: then it is considered with every batch.
  const criteria = { all: [{ event: "lesson_completed", count: 1_000_000 }] }
  const labels = { key: "never", name: "Never", description: null, icon_url: null, xp_reward: 0 }
  const switches = { is_hidden: false, sort_order: 0, is_active: true }
  const achievement = await run(core.achievements.create(project.id, { ...labels, ...switches, criteria }))
  const ranking = { metric: "xp", period: "weekly", max_entries: 100, custom_event: null } as const
  const board = await run(core.leaderboards.create(project.id, { name: "Weekly", ...ranking }))
  await run(core.background.process(project.id))
  const people = async () => {
    const ids: Array<string> = []
    for (let index = 0; index < users; index += 1) ids.push((await run(core.auth.anonymous(project.id))).user.id)
    return ids
  }
  const ids = { streakId: definition.id, achievementId: achievement.id, boardId: board.id }
  return { projectId: project.id, ids, own: await people(), others: await people() }
}

/** Writes events as apps do. What waits of them is left to the caller. */
const record = async (
  { core }: Awaited<ReturnType<typeof openInProcess>>,
  projectId: string,
  events: ReadonlyArray<Given>,
) => {
  for (let from = 0; from < events.length; from += recordedAtOnce) {
    const slice = events.slice(from, from + recordedAtOnce).map(({ id: _, ...event }) => event)
    await Effect.runPromise(core.events.record(projectId, { events: slice }))
  }
}

const perSecond = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return batchSize / ((performance.now() - began) / 1_000)
}

/** The same effects by hand: one statement each. */
const byHand = async (
  database: pg.Client,
  batch: ReadonlyArray<Given>,
  { streakId, achievementId, boardId }: Awaited<ReturnType<typeof setUp>>["ids"],
) => {
  const rows = JSON.stringify(batch)
  await database.query("begin")
  await database.query(countEvents, [rows, streakId])
  await database.query(giveXp, [rows])
  await database.query(unlock, [rows, achievementId, 1_000_000])
  await database.query(addScores, [rows, boardId])
  await database.query(handled)
  await database.query("commit")
}

/**
 * What all features do for batches of 2,000 events of 500 users (a streak, an XP rule, an achievement, a leaderboard), against
 * one set statement for each that does the same.
 */
export const fanOut = async (): Promise<ReadonlyArray<Figure>> => {
  const first = Date.now() - 300 * day
  // The clock moves with the events, so that no streak expires between them.
  let now = first
  const hearth = await openInProcess({ now: () => new Date(now) })
  const { projectId, ids, own, others } = await setUp(hearth)
  const database = await connectTo(hearth.dataDir, projectId)
  const rates: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    const start = first + round * day
    now = start + day
    const given = makeBatch(others, hearth.ids.uuid, start)
    await record(hearth, projectId, given)
    await database.query(handled)
    rates[1].push(await perSecond(() => byHand(database, given, ids)))
    await record(hearth, projectId, makeBatch(own, hearth.ids.uuid, start))
    rates[0].push(await perSecond(() => Effect.runPromise(hearth.core.background.process(projectId))))
  }
  await database.end()
  await hearth.close()
  return [
    ratio(
      "Fan-out, a streak, an XP rule, an achievement and a leaderboard on every event",
      "events/s",
      median(rates[0]),
      median(rates[1]),
      "set statements for the same",
      0.5,
    ),
  ]
}
