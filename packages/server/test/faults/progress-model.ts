/** An event of the log, as far as progress depends on it. */
export interface ModelEvent {
  readonly app_user_id: string
  readonly event_name: string
  readonly occurred_at: Date
  readonly properties: Readonly<Record<string, unknown>>
}

/** A rule of the fault tests: an amount for an event, with a cap of the day or none. */
export interface ModelRule {
  readonly amount: number
  readonly daily_cap: number | null
}

const dayText = (at: Date) => at.toISOString().slice(0, 10)

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

/** What the log is worth by the rules: per name and day in UTC at most its cap [G2.1]. */
export const modelXp = (events: ReadonlyArray<ModelEvent>, rules: Readonly<Record<string, ModelRule>>): number =>
  sum(
    [...Map.groupBy(events, ({ event_name, occurred_at }) => `${dayText(occurred_at)} ${event_name}`).values()].map(
      (group) => {
        const rule = rules[group[0]?.event_name ?? ""]
        return rule === undefined ? 0 : Math.min(rule.daily_cap ?? Number.POSITIVE_INFINITY, group.length * rule.amount)
      },
    ),
  )

/** The sum of the numbers in `points`, in quarters, so that floating point is exact. */
export const modelPoints = (events: ReadonlyArray<ModelEvent>): number =>
  sum(
    events.map(({ properties }) => {
      const { points } = properties
      return typeof points === "number" ? points : 0
    }),
  )

/** The users by score, the greatest first; of equal ones the earlier `reached_at`, then the smaller id [G3.2]. */
export const modelBoard = (
  scores: ReadonlyArray<{ readonly id: string; readonly score: number; readonly reached_at: Date }>,
): ReadonlyArray<{ readonly app_user_id: string; readonly score: number; readonly rank: number }> =>
  scores
    .toSorted((a, b) => b.score - a.score || a.reached_at.getTime() - b.reached_at.getTime() || (a.id < b.id ? -1 : 1))
    .map(({ id, score }) => ({
      app_user_id: id,
      score,
      rank: 1 + scores.filter((other) => other.score > score).length,
    }))
