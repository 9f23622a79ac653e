import { periodIndex } from "../../time/periods.ts"
import { wallMillis } from "../../time/zones.ts"
import type { StreakDefinition } from "../definition.ts"
import type { WalkedPeriod } from "./walk-periods.ts"

const months = "January February March April May June July August September October November December".split(" ")

const twoDigits = (value: number) => String(value).padStart(2, "0")

/** A local time in words, for example `1 March 2026, 12:00 (Europe/Berlin)`. */
const describeTime = (at: Date, zone: string | null): string => {
  const wall = new Date(wallMillis(at, zone))
  const day = `${wall.getUTCDate()} ${months[wall.getUTCMonth()]} ${wall.getUTCFullYear()}`
  return `${day}, ${twoDigits(wall.getUTCHours())}:${twoDigits(wall.getUTCMinutes())} (${zone ?? "UTC"})`
}

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`

/** What is said about a period. */
export interface ReasonParts {
  readonly definition: StreakDefinition
  readonly period: WalkedPeriod
  readonly zone: string | null
  readonly ends_at: Date
  /** The instant at which the period is missed where nothing is done. */
  readonly deadline: Date
  /** The day of the event of a done period where its user was then; null where it is of no day of the period, or not known. */
  readonly day: string | null
}

/** Whether a period was done in grace. An event of its own days is not, also where the user's zone has changed since. */
const isInGrace = ({ definition, period, ends_at, day }: ReasonParts): boolean =>
  definition.grace_period_hours > 0 &&
  period.done_at !== null &&
  period.done_at >= ends_at &&
  (day === null || periodIndex(definition.period, day) !== period.index)

const describeDone = (parts: ReasonParts, unit: string): string => {
  const { period, zone } = parts
  const at = period.done_at === null ? "" : ` on ${describeTime(period.done_at, zone)}`
  const when = `Done${at}${isInGrace(parts) ? ", within the grace after its end" : ""}`
  return period.count_after === 1
    ? `${when}: a new streak began.`
    : `${when}: the streak went on to ${plural(period.count_after, unit)}.`
}

const describeMissed = ({ definition, period }: ReasonParts, unit: string): string => {
  if (period.count_before === 0) return `Nothing was done in this ${unit}. The streak had ended before.`
  if (period.count_after > 0)
    return `This ${unit} was cut short by a move to a time zone further east, so it is not missed.`
  const none = definition.freeze_enabled ? " and no freeze was left" : ""
  return `Nothing was done in this ${unit}${none}, so the streak of ${plural(period.count_before, unit)} ended.`
}

const describeOpen = ({ definition, period, zone, deadline }: ReasonParts, unit: string): string => {
  const until = describeTime(deadline, zone)
  if (period.count_after === 0) return `There is time until ${until}: what is done then begins a new streak.`
  const covered = definition.freeze_enabled && period.freezes_after > 0
  const otherwise = covered ? "otherwise a freeze is used" : "otherwise it ends"
  return `There is time until ${until} to keep the streak of ${plural(period.count_after, unit)}; ${otherwise}.`
}

/** Why a period has made of the streak what it did: a sentence to send on to its user [G10.1]. By the rules of now. */
export const describeReason = (parts: ReasonParts): string => {
  const { definition, period } = parts
  const unit = definition.period === "daily" ? "day" : "week"
  switch (period.kind) {
    case "done":
      return describeDone(parts, unit)
    case "missed":
      return describeMissed(parts, unit)
    case "open":
      return describeOpen(parts, unit)
    case "frozen": {
      const left = plural(period.freezes_after, "freeze")
      return `Nothing was done in this ${unit}: a freeze kept the streak at ${plural(period.count_after, unit)}, with ${left} left.`
    }
  }
}
