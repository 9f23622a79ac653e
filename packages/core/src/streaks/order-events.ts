import type { QualifyingEventRow } from "./streak-rows.ts"

/** Local times of an instant are less than two days apart, whatever their zones. */
export const mostApartMillis = 2 * 86_400_000

// So many events are looked at in all, whoever sends thousands within two days. Those that a day was first done by come first.
const mostLooks = 100_000

const isCountedBefore = (one: QualifyingEventRow, other: QualifyingEventRow): boolean =>
  other.counted_at !== null && (one.counted_at === null || one.counted_at < other.counted_at)

/** Whether the day of `one` was counted before `other` came, in another zone. */
const hasStayed = (one: QualifyingEventRow, other: QualifyingEventRow): boolean =>
  one.zone !== other.zone && isCountedBefore(one, other)

/**
 * The place of an event of an earlier day than one that occurred before it: before those of later days that came after it was counted.
 * And how many others were looked at for that.
 */
const findPlace = (ordered: ReadonlyArray<QualifyingEventRow>, event: QualifyingEventRow) => {
  const since = event.occurred_at.getTime() - mostApartMillis
  let [place, at] = [ordered.length, ordered.length]
  while (at > 0) {
    at -= 1
    const before = ordered[at]
    if (before === undefined || before.occurred_at.getTime() < since) break
    if (before.day <= event.day) continue
    // Its user has flown west: it repeats the later day.
    if (!hasStayed(event, before)) break
    place = at
  }
  return { place, looks: ordered.length - at }
}

/**
 * The events of a streak in the order in which they are counted, given in the order in which they occurred. It differs only where a
 * zone has changed: a late event, of a later day in the new zone, comes behind those of earlier days that were counted before it
 * came, although they occurred after it. So a period that was done stays done [E2].
 */
export const orderEvents = (events: ReadonlyArray<QualifyingEventRow>): ReadonlyArray<QualifyingEventRow> => {
  const ordered: Array<QualifyingEventRow> = []
  let [latest, looks] = ["", 0]
  for (const event of events) {
    if (event.day >= latest) latest = event.day
    else if (looks < mostLooks) {
      const found = findPlace(ordered, event)
      looks += found.looks
      ordered.splice(found.place, 0, event)
      continue
    }
    ordered.push(event)
  }
  return ordered
}
