/** Milliseconds of a day without a change of clocks. */
export const dayMillis = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en-US", {
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
  formats.set(zone, format)
  return format
}

/** Whether `name` is a time zone of the IANA database, for example `Europe/Berlin` or `UTC`. Offsets like `+02:00` are not [E14]. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** The wall clock of `zone` at `instant`, as the milliseconds at which a clock in UTC would show the same. Null is UTC. */
export const wallMillis = (instant: Date, zone: string | null): number => {
  if (zone === null || zone === "UTC") return instant.getTime()
  const parts: Record<string, number> = {}
  let beforeChrist = false
  for (const { type, value } of formatOf(zone).formatToParts(instant)) {
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

/**
 * The instant at which day `day` (counted from 1970-01-01) begins in `zone`. Where the clocks skip midnight it is the
 * moment after the gap; where they show it twice it is the second time, so that the day before is not cut short.
 */
export const startOfDay = (day: number, zone: string | null): Date => {
  const midnight = day * dayMillis
  if (zone === null || zone === "UTC") return new Date(midnight)
  const offsetAt = (millis: number) => wallMillis(new Date(millis), zone) - Math.floor(millis / 1000) * 1000
  const candidates = [offsetAt(midnight - dayMillis), offsetAt(midnight + dayMillis)].map((offset) => midnight - offset)
  const reached = candidates.filter((millis) => wallMillis(new Date(millis), zone) >= midnight)
  return new Date(Math.max(...(reached.length > 0 ? reached : candidates)))
}
