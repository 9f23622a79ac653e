/** What decides the order of a leaderboard. */
export interface Standing {
  readonly app_user_id: string
  /** The score in ten-thousandths. */
  readonly units: bigint
  readonly reached_at: Date
}

/** The order of a leaderboard: the greater score, then who reached it earlier, then the smaller user id [G3.2]. */
export const compareStandings = (a: Standing, b: Standing): number => {
  if (a.units !== b.units) return a.units > b.units ? -1 : 1
  const earlier = a.reached_at.getTime() - b.reached_at.getTime()
  return earlier === 0 ? (a.app_user_id < b.app_user_id ? -1 : 1) : earlier
}

/** The ranks of standings in their order: 1, 2, 2, 4. Null where a rank is greater than `last`; ties at the bound keep it [G3.5]. */
export const rankStandings = (standings: ReadonlyArray<Standing>, last: number): ReadonlyArray<number | null> => {
  let rank = 0
  return standings.map(({ units }, at) => {
    if (at === 0 || standings[at - 1]?.units !== units) rank = at + 1
    return rank > last ? null : rank
  })
}

/**
 * Where a page begins that has the entry at `position` (from 0) in its middle: at the ends it is shifted, not cut [G3.5].
 */
export const centreOffset = (position: number, limit: number, total: number): number =>
  Math.max(0, Math.min(position - Math.floor(limit / 2), total - limit))
