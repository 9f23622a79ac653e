import { setTimeout } from "node:timers/promises"
import type { ApiClient } from "./api-client.ts"
import { type Commit, type LongestRuns, readCommits, readLongestRuns } from "./history.ts"
import { type AdminClient, addUpLastWeek, addUpXp, setUpProgress } from "./progress.ts"

/** What the service counted for an author, and what it should be. */
export interface Outcome {
  readonly expected: LongestRuns & { readonly xp: number }
  readonly daily: number
  readonly weekly: number
  readonly xp: number
  /** The name of the level. */
  readonly level: string
  readonly hasUnlocked: boolean
}

/** Starts the progress report of a step. */
export type Progress = (label: string, total: number) => (done: number) => void

const batchSize = 500
// How many users are created or read at the same time.
const concurrency = 8
const timeoutMillis = 90_000
const pauseMillis = 500

const inParallel = async <A, B>(
  items: ReadonlyArray<A>,
  work: (item: A) => Promise<B>,
  progress: (done: number) => void = () => {},
): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  let next = 0
  let done = 0
  const loop = async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as A)
      progress(++done)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return results
}

const setUp = async (call: ApiClient) => {
  const account = {
    email: `demo-${crypto.randomUUID()}@example.com`,
    password: crypto.randomUUID(),
  }
  const { access_token } = await call("POST", "/auth/developer/signup", account)
  const developer = { authorization: `Bearer ${access_token}` }
  const project = await call("POST", "/admin/projects", { name: "Ten years of commits" }, developer)
  const admin: AdminClient = (method, path, body) =>
    call(method, `/admin/projects/${project.id}${path}`, body, developer)
  for (const period of ["daily", "weekly"]) {
    await admin("POST", "/streaks", { name: `Commits, ${period}`, qualifying_event: "commit", period })
  }
  return { account, project, admin, boardId: await setUpProgress(admin) }
}

/** The longest runs of a user in both streaks, as the service has them now. */
const readLongest = async (admin: AdminClient, path: string) => {
  const user = await admin("GET", path)
  const longest = (period: string): number =>
    user.streaks.find((streak: { streak_definitions: { name: string } }) =>
      streak.streak_definitions.name.endsWith(period),
    )?.longest_count ?? 0
  return { daily: longest("daily"), weekly: longest("weekly") }
}

/** The XP of a user, and whether the achievement is unlocked. */
const readProgress = async (admin: AdminClient, path: string) => {
  const { total, level } = await admin("GET", `${path}/xp`)
  const [achievement] = await admin("GET", `${path}/achievements`)
  return { xp: total as number, level: level.name as string, hasUnlocked: achievement.unlocked_at !== null }
}

/** The leaderboard of the last week with commits, and whether it has who and what it should have. */
const readLastWeek = async (
  admin: AdminClient,
  path: string,
  commits: ReadonlyArray<Commit>,
  names: ReadonlyMap<string, string>,
) => {
  const { monday, xp } = addUpLastWeek(commits)
  const rows: ReadonlyArray<{ readonly app_user_id: string; readonly rank: number; readonly score: number }> =
    await admin("GET", `${path}?at=${monday}&limit=1000`)
  const entries = rows.map(({ app_user_id, rank, score }) => ({ user: names.get(app_user_id) ?? "", rank, score }))
  const isRight = entries.length === xp.size && entries.every(({ user, score }) => xp.get(user) === score)
  return { monday, entries, isRight }
}

/**
 * Replays the history through the public API: a project of its own, a user for every author, two streaks, XP, an achievement and
 * a leaderboard, the events in batches. Waits until the reactions have caught up, and answers what was counted for every author.
 */
export const replay = async (call: ApiClient, progress: Progress) => {
  const { account, project, admin, boardId } = await setUp(call)
  const commits = readCommits()
  const runs = readLongestRuns()

  const userProgress = progress("users ", runs.length)
  const key = { "x-api-key": project.client_api_key }
  const made = await inParallel(runs, () => call("POST", "/client/auth/anonymous", undefined, key), userProgress)
  const userIds = new Map(runs.map(({ user }, index) => [user, made[index].user.id as string]))

  const eventProgress = progress("events", commits.length)
  let inserted = 0
  for (let start = 0; start < commits.length; start += batchSize) {
    const batch = commits.slice(start, start + batchSize)
    const events = batch.map(({ user, ...event }) => ({ ...event, app_user_id: userIds.get(user) }))
    inserted += (await admin("POST", "/events", { events })).inserted
    eventProgress(start + batch.length)
  }

  const xp = addUpXp(commits)
  const readOutcome = async (author: LongestRuns): Promise<Outcome> => {
    const path = `/users/${userIds.get(author.user)}`
    const expected = { ...author, xp: xp.get(author.user) ?? 0 }
    return { expected, ...(await readLongest(admin, path)), ...(await readProgress(admin, path)) }
  }
  const countProgress = progress("counted", runs.length)
  const deadline = Date.now() + timeoutMillis
  let outcomes = await inParallel(runs, readOutcome)
  for (;;) {
    countProgress(outcomes.filter(isCorrect).length)
    if (outcomes.every(isCorrect) || Date.now() >= deadline) break
    // Reading takes what counting needs: those who are right are not read again.
    await setTimeout(pauseMillis)
    outcomes = await inParallel(outcomes, async (known) => (isCorrect(known) ? known : readOutcome(known.expected)))
  }
  const matching = outcomes.filter(isCorrect).length
  const names = new Map([...userIds].map(([user, id]) => [id, user]))
  const week = await readLastWeek(admin, `/leaderboards/${boardId}/entries`, commits, names)
  return { account, project, inserted, outcomes, matching, week }
}

/** Whether the service counted as expected. */
const isCorrect = ({ expected, daily, weekly, xp }: Outcome): boolean =>
  expected.daily === daily && expected.weekly === weekly && expected.xp === xp
