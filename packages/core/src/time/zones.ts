import { reportUnknownZone } from "./unknown-zones.ts"

/** Milliseconds of a day without a change of clocks. */
export const dayMillis = 86_400_000

// By name in lower case: a name means the same in any case, and callers must not be able to fill this with variants.
const formats = new Map<string, Intl.DateTimeFormat>()

// So that a user with an unknown zone does not cost an exception for every event. Bounded, because callers choose the names.
const refused = new Set<string>()
const mostRefused = 1_000

const makeFormat = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  })

// The runtime accepts other abbreviations too, and reads BST as Dhaka. The IANA database has only these.
const abbreviations = new Set("cet eet est gmt hst met mst prc roc rok uct utc wet".split(" "))

const isZoneName = (key: string): boolean => !key.startsWith("systemv/") && (key.length !== 3 || abbreviations.has(key))

/** The format of a zone; null for a name that this runtime does not know as one of the IANA database. */
const findFormat = (zone: string): Intl.DateTimeFormat | null => {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(zone)) return null
  const key = zone.toLowerCase()
  const known = formats.get(key)
  if (known !== undefined) return known
  if (refused.has(key) || !isZoneName(key)) return null
  try {
    const format = makeFormat(key)
    formats.set(key, format)
    return format
  } catch {
    if (refused.size < mostRefused) refused.add(key)
    return null
  }
}

/** Whether `name` is a time zone of the IANA database, for example `Europe/Berlin` or `UTC`. Offsets like `+02:00` are not [E14]. */
export const isTimeZone = (name: string): boolean => findFormat(name) !== null

/**
 * The local time of `zone` at `instant`, as the milliseconds at which UTC shows the same time. Null is UTC. So is a zone that
 * this runtime does not know, which is signalled: another runtime may have stored it, and only its user is to notice.
 */
export const wallMillis = (instant: Date, zone: string | null): number => {
  if (zone === null || zone === "UTC") return instant.getTime()
  const format = findFormat(zone)
  if (format === null) {
    reportUnknownZone(zone)
    return instant.getTime()
  }
  const parts: Record<string, number> = {}
  let beforeChrist = false
  for (const { type, value } of format.formatToParts(instant)) {
    if (type === "era") beforeChrist = value.startsWith("B")
    else if (type !== "literal") parts[type] = Number(value)
  }
  const year = beforeChrist ? 1 - (parts["year"] ?? 0) : (parts["year"] ?? 0)
  const wall = new Date(0)
  wall.setUTCFullYear(year, (parts["month"] ?? 1) - 1, parts["day"] ?? 1)
  wall.setUTCHours(parts["hour"] ?? 0, parts["minute"] ?? 0, parts["second"] ?? 0)
  return wall.getTime()
}

/** The calendar day of `zone` at `instant`, counted from 1970-01-01. */
export const localDay = (instant: Date, zone: string | null): number =>
  Math.floor(wallMillis(instant, zone) / dayMillis)

// No zone was ever further from UTC than this.
const furthestMillis = 26 * 3_600_000

/** Finds the first instant in (`before`, `after`] at which `day` has begun, by binary search. */
const findCrossing = (day: number, zone: string, before: number, after: number): number => {
  let [low, high] = [before, after]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (localDay(new Date(middle), zone) < day) low = middle
    else high = middle
  }
  return high
}

/**
 * The instant at which day `day` (counted from 1970-01-01) begins in `zone`. When the clocks skip midnight it is the end of
 * the gap. When they go back over midnight it is the second one, so that the day before is not cut short.
 */
export const startOfDay = (day: number, zone: string | null): Date => {
  const midnight = day * dayMillis
  if (zone === null || zone === "UTC") return new Date(midnight)
  const offsetAt = (millis: number) => wallMillis(new Date(millis), zone) - millis
  // The clocks change at most once within a day of a midnight, so one of the offsets around it is the offset at it.
  const offsets = new Set([offsetAt(midnight - dayMillis), offsetAt(midnight + dayMillis)])
  const starts = [...offsets]
    .map((offset) => midnight - offset)
    .filter((millis) => wallMillis(new Date(millis), zone) === midnight && localDay(new Date(millis - 1), zone) < day)
  if (starts.length > 0) return new Date(Math.max(...starts))
  return new Date(findCrossing(day, zone, midnight - furthestMillis, midnight + furthestMillis))
}
