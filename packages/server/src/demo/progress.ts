import type { ApiClient } from "./api-client.ts"
import type { Commit } from "./history.ts"

const [perCommit, dailyCap] = [10, 50]
const [manyCommits, reward] = [100, 1_000]

/** A caller of the admin plane of one project. */
export type AdminClient = (method: string, path: string, body?: unknown) => Promise<Awaited<ReturnType<ApiClient>>>

/** Makes commits worth XP, up to a cap a day, and rewards who has made a hundred. */
export const setUpProgress = async (admin: AdminClient): Promise<void> => {
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
}

/** The XP that authors must have: what their days are worth, and the reward. */
export const addUpXp = (commits: ReadonlyArray<Commit>): ReadonlyMap<string, number> => {
  const byUser = Map.groupBy(commits, ({ user }) => user)
  return new Map(
    [...byUser].map(([user, own]) => {
      const days = Map.groupBy(own, ({ occurred_at }) => new Date(occurred_at).toISOString().slice(0, 10))
      const earned = [...days.values()].reduce((sum, day) => sum + Math.min(day.length * perCommit, dailyCap), 0)
      return [user, earned + (own.length >= manyCommits ? reward : 0)]
    }),
  )
}
