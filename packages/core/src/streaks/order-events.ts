import type { QualifyingEventRow } from "./streak-rows.ts"

/** Local times of an instant are less than two days apart, whatever their zones. */
export const mostApart = 2 * 86_400_000

const isCountedBefore = (one: QualifyingEventRow, other: QualifyingEventRow): boolean =>
  other.counted_at !== null && (one.counted_at === null || one.counted_at < other.counted_at)

/** Whether the day of `one` was counted before `other` came, in another zone. */
const hasStayed = (one: QualifyingEventRow, other: QualifyingEventRow): boolean =>
  one.zone !== other.zone && isCountedBefore(one, other)

/** The place of an event of an earlier day than one that occurred before it: before those of later days that came after it was counted. */
const findPlace = (ordered: ReadonlyArray<QualifyingEventRow>, event: QualifyingEventRow): number => {
  let place = ordered.length
  for (let at = ordered.length - 1; at >= 0; at -= 1) {
    const before = ordered[at]
    if (before === undefined || before.occurred_at.getTime() < event.occurred_at.getTime() - mostApart) break
    if (before.day <= event.day) continue
    // Its user has flown west: it repeats the later day.
    if (!hasStayed(event, before)) break
    place = at
  }
  return place
}

/**
 * The events of a streak in the order in which they are counted, given in the order in which they occurred. It differs only where a
 * zone has changed: a late event, of a later day in the new zone, comes behind those of earlier days that were counted before it
 * came, although they occurred after it. So a period that was done stays done [E2].
 */
export const orderEvents = (events: ReadonlyArray<QualifyingEventRow>): ReadonlyArray<QualifyingEventRow> => {
  const ordered: Array<QualifyingEventRow> = []
  let latest = ""
  for (const event of events) {
    if (event.day >= latest) {
      latest = event.day
      ordered.push(event)
    } else ordered.splice(findPlace(ordered, event), 0, event)
  }
  return ordered
}
