import type { ApiClient } from "./api-client.ts"
import type { Commit } from "./history.ts"

const [perCommit, dailyCap] = [10, 50]
const [manyCommits, reward] = [100, 1_000]

/** A caller of the admin plane of one project. */
export type AdminClient = (method: string, path: string, body?: unknown) => Promise<Awaited<ReturnType<ApiClient>>>

/** Makes commits worth XP, up to a cap a day, rewards who has made a hundred, and ranks weeks. Answers the leaderboard's id. */
export const setUpProgress = async (admin: AdminClient): Promise<string> => {
  await admin("PUT", "/xp/rules", { rules: [{ event_name: "commit", amount: perCommit, daily_cap: dailyCap }] })
  await admin("PUT", "/xp/levels", {
    levels: [0, 100, 1_000, 10_000].map((xp_required, at) => ({
      name: ["Newcomer", "Contributor", "Regular", "Pillar"][at],
      xp_required,
    })),
  })
  await admin("POST", "/achievements", {
    key: "hundred-commits",
    name: "A hundred commits",
    xp_reward: reward,
    criteria: { all: [{ event: "commit", count: manyCommits }] },
  })
  const board = await admin("POST", "/leaderboards", { name: "XP of the week", metric: "xp", period: "weekly" })
  return board.id
}

const dayOf = ({ occurred_at }: Commit) => new Date(occurred_at).toISOString().slice(0, 10)

/** What commits of one author are worth. */
const addUpDays = (commits: ReadonlyArray<Commit>): number =>
  [...Map.groupBy(commits, dayOf).values()].reduce((sum, day) => sum + Math.min(day.length * perCommit, dailyCap), 0)

const byUser = (commits: ReadonlyArray<Commit>) => [...Map.groupBy(commits, ({ user }) => user)]

/** The XP that authors must have: what their days are worth, and the reward. */
export const addUpXp = (commits: ReadonlyArray<Commit>): ReadonlyMap<string, number> =>
  new Map(
    byUser(commits).map(([user, own]) => [user, addUpDays(own) + (own.length >= manyCommits ? reward : 0)] as const),
  )

const dayMillis = 86_400_000

/** The Monday of the week of the last commit, and the XP that authors must have in that week. */
export const addUpLastWeek = (commits: ReadonlyArray<Commit>) => {
  const last = Math.max(...commits.map(({ occurred_at }) => Date.parse(occurred_at)))
  // 1 January 1970 was a Thursday.
  const week = (Math.floor((Math.floor(last / dayMillis) + 3) / 7) * 7 - 3) * dayMillis
  const own = commits.filter(({ occurred_at }) => Date.parse(occurred_at) >= week)
  return { monday: new Date(week).toISOString(), xp: new Map(byUser(own).map(([user, of]) => [user, addUpDays(of)])) }
}
