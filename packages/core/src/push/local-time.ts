import { dayMillis, isTimeZone, wallMillis } from "../time/zones.ts"

// Who is later than this when a campaign starts is left out [E9].
const mostLateMillis = 2 * 3_600_000

/** The name under which users of a zone are grouped: `UTC` for those without one, and for a zone that nobody knows. */
export const nameZone = (zone: string | null): string => (zone === null || !isTimeZone(zone) ? "UTC" : zone)

/**
 * The instant at which a zone (null is UTC) shows a date (`YYYY-MM-DD`) and a time (`HH:MM:SS`). A time that the clocks skip is
 * later by what they skip; of one that they show twice it is the first [E9].
 */
export const findLocalInstant = (date: string, time: string, zone: string | null): Date => {
  const wall = Date.parse(`${date}T${time}Z`)
  const offsetAt = (millis: number) => wallMillis(new Date(millis), zone) - millis
  // The clocks change at most once within a day of it, so one of the offsets around it is the offset at it.
  const before = offsetAt(wall - dayMillis)
  const instants = [before, offsetAt(wall + dayMillis)].map((offset) => wall - offset)
  const shown = instants.filter((millis) => wallMillis(new Date(millis), zone) === wall)
  return new Date(shown.length > 0 ? Math.min(...shown) : wall - before)
}

/** Whether users whose time this is are left out of a campaign that starts at `startsAt` [E9]. */
export const isTooLate = (fireAt: Date, startsAt: Date): boolean =>
  startsAt.getTime() - fireAt.getTime() > mostLateMillis

/** When a campaign fires in each of these zones, by zone as it is given. */
export const findZoneTimes = (
  { local_date, local_time }: { readonly local_date: string; readonly local_time: string },
  zones: ReadonlyArray<string | null>,
): ReadonlyMap<string | null, Date> =>
  new Map(zones.map((zone) => [zone, findLocalInstant(local_date, local_time, zone)]))

/**
 * When a campaign in local time begins: the first of its instants that is not over by so much that its users are left out, where
 * users are in these zones. Without users it is that of UTC. Null when all of them are over [H4.6].
 */
export const findFirstInstant = (
  local: { readonly local_date: string; readonly local_time: string },
  zones: ReadonlyArray<string | null>,
  now: Date,
): Date | null => {
  const instants = [...findZoneTimes(local, zones.length === 0 ? [null] : zones).values()]
  if (instants.every((instant) => instant <= now)) return null
  return new Date(
    Math.min(...instants.filter((instant) => !isTooLate(instant, now)).map((instant) => instant.getTime())),
  )
}
