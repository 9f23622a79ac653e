import { describe, expect, it } from "vitest"
import { beatSession, endSession, findLapse, nextCheck, showSession, wholeSeconds } from "./rules.ts"

const at = (minutes: number, millis = 0) => new Date(Date.UTC(2026, 2, 1, 12) + minutes * 60_000 + millis)

/** A session that was started at 12:00 and last heard of `seen` minutes later. */
const session = (seen = 0, ended_at: Date | null = null) => ({
  ...{ started_at: at(0), ended_at, last_seen_at: at(seen), duration_seconds: seen * 60 },
})

describe("the seconds of a session", () => {
  it.each([
    ["nothing", at(0), 0],
    ["less than a second", at(0, 999), 0],
    ["a second", at(0, 1_000), 1],
    ["a second and a bit", at(0, 1_999), 1],
    ["an hour", at(60), 3_600],
    ["a clock that was set back", at(-5), 0],
    ["a clock that is 100 years ahead", new Date("2126-03-01T00:00:00Z"), 2_147_483_647],
  ])("are whole and never negative: %s [H5.1]", (_, to, seconds) => {
    expect(wholeSeconds(at(0), to)).toBe(seconds)
  })
})

describe("a session without a heartbeat for 30 minutes [H5.1]", () => {
  it.each([
    ["goes on just before", session(), at(30, -1), null],
    ["has ended at its start, where there was none", session(), at(30), { ended_at: at(0), duration_seconds: 0 }],
    ["goes on after a heartbeat", session(20), at(50, -1), null],
    ["has ended at its last heartbeat", session(20), at(50), { ended_at: at(20), duration_seconds: 1_200 }],
    ["stays ended as it was", session(20, at(25)), at(500), null],
    ["goes on where the clock was set back", session(20), at(-500), null],
  ])("%s", (_, given, now, lapse) => {
    expect(findLapse(given, now)).toEqual(lapse)
    expect(showSession(given, now)).toEqual({ ...given, ...lapse })
  })

  it("is looked at when that time is over", () => {
    expect(nextCheck(at(20))).toEqual(at(50))
    expect(findLapse(session(20), nextCheck(at(20)))).not.toBeNull()
  })
})

describe("the end of a session", () => {
  it.each([
    ["is now", session(20), at(25), { ended_at: at(25), duration_seconds: 1_500 }],
    [
      "is the last heartbeat of one that has lapsed",
      session(20),
      at(50),
      { ended_at: at(20), duration_seconds: 1_200 },
    ],
    ["is not before its last sign of life", session(20), at(10), { ended_at: at(20), duration_seconds: 1_200 }],
    ["is not before its start", session(), at(-10), { ended_at: at(0), duration_seconds: 0 }],
  ])("%s [H5.1]", (_, given, now, end) => {
    expect(endSession(given, now)).toEqual(end)
  })
})

describe("a heartbeat", () => {
  it.each([
    ["keeps a session open", session(20), at(50, -1), { last_seen_at: at(50, -1), duration_seconds: 2_999 }],
    ["does not take back what was seen", session(20), at(10), { last_seen_at: at(20), duration_seconds: 1_200 }],
    ["does nothing for one that has ended", session(20, at(21)), at(22), null],
    ["does nothing for one that has lapsed", session(20), at(50), null],
  ])("%s [H5.1]", (_, given, now, beat) => {
    expect(beatSession(given, now)).toEqual(beat)
  })
})
