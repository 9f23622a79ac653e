import type { TrackingSessionRow } from "./tracking-session.ts"

/** Without a sign of life for so long a session has ended at the last one [H5.1]. */
export const lapseMillis = 30 * 60_000

// What a 31-bit column holds: a clock that is set far ahead must not make a call fail.
const longestSeconds = 2_147_483_647

/** What a session shows of its time. */
type SessionTime = Pick<TrackingSessionRow, "started_at" | "ended_at" | "duration_seconds" | "last_seen_at">

const plus = (at: Date, millis: number) => new Date(at.getTime() + millis)

const later = (one: Date, other: Date) => (one < other ? other : one)

/** Whole seconds between two instants. Never negative, because a clock may be set back. */
export const wholeSeconds = (from: Date, to: Date): number =>
  Math.min(longestSeconds, Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1_000)))

/** When a session that was last seen at `seen` has to be looked at. */
export const nextCheck = (seen: Date): Date => plus(seen, lapseMillis)

/** The sessions that were last seen at this instant or before, and are open, have lapsed at `now`. */
export const lapsedBy = (now: Date): Date => plus(now, -lapseMillis)

const endAt = ({ started_at }: SessionTime, ended_at: Date) => ({
  ended_at,
  duration_seconds: wholeSeconds(started_at, ended_at),
})

/** The end that an open session has had by itself; null where it goes on, or was ended. */
export const findLapse = (session: SessionTime, now: Date) =>
  session.ended_at === null && session.last_seen_at <= lapsedBy(now) ? endAt(session, session.last_seen_at) : null

/** A session as a reader sees it at `now`: one that has lapsed has ended, whether or not the background has run [H5.1]. */
export const showSession = <Session extends SessionTime>(session: Session, now: Date): Session => {
  const lapse = findLapse(session, now)
  return lapse === null ? session : { ...session, ...lapse }
}

/** What ending an open session at `now` writes. One that has lapsed keeps its own end. */
export const endSession = (session: SessionTime, now: Date) =>
  findLapse(session, now) ?? endAt(session, later(now, session.last_seen_at))

/** What a heartbeat at `now` writes; null for a session that has ended: it does not come back. */
export const beatSession = (session: SessionTime, now: Date) => {
  if (session.ended_at !== null || findLapse(session, now) !== null) return null
  const last_seen_at = later(now, session.last_seen_at)
  return { last_seen_at, duration_seconds: wholeSeconds(session.started_at, last_seen_at) }
}
