import type { EventHead } from "../background/reaction.ts"
import type { XpAward, XpDay, XpDayKey } from "./entry.ts"
import type { XpRule } from "./rule.ts"

/** An event that a rule gives XP for, with the day that its cap counts by. */
export interface WorthyEvent {
  readonly event: EventHead
  readonly rule: XpRule
  readonly cause_key: string
  readonly day: XpDayKey
}

/** The day of an event, in UTC, with its user and name: what a cap counts by [G2.1]. */
export const findDay = ({ app_user_id, event_name, occurred_at }: EventHead): XpDayKey => ({
  app_user_id,
  event_name,
  day: occurred_at.toISOString().slice(0, 10),
})

const formatDay = ({ app_user_id, event_name, day }: XpDayKey) => `${app_user_id}/${day}/${event_name}`

/** The days of events, each once. */
export const listDays = (worthy: ReadonlyArray<WorthyEvent>): ReadonlyArray<XpDayKey> => [
  ...new Map(worthy.map(({ day }) => [formatDay(day), day])).values(),
]

/**
 * The awards of events in their order, each cut so that nobody gets more than the cap of a rule on a day. What is cut to 0 is
 * left out [G2.1]. `before` is what was given by day; answered are the days that change.
 */
export const capAwards = (
  worthy: ReadonlyArray<WorthyEvent>,
  before: ReadonlyArray<XpDay>,
): { readonly awards: ReadonlyArray<XpAward>; readonly days: ReadonlyArray<XpDay> } => {
  const given = new Map(before.map((day) => [formatDay(day), day.amount]))
  const changed = new Map<string, XpDay>()
  const awards: Array<XpAward> = []
  for (const { event, rule, cause_key, day } of worthy) {
    const name = formatDay(day)
    const sum = given.get(name) ?? 0
    const amount = Math.min(rule.amount, (rule.daily_cap ?? Number.POSITIVE_INFINITY) - sum)
    // The cap may be lower by now than what was given.
    if (amount <= 0) continue
    given.set(name, sum + amount)
    changed.set(name, { ...day, amount: sum + amount })
    const { app_user_id, occurred_at } = event
    awards.push({ app_user_id, amount, source: "event", reference_id: event.id, cause_key, occurred_at })
  }
  return { awards, days: [...changed.values()] }
}
