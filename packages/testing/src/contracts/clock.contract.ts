import type { Clock } from "@hearth/core"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

/** A clock, and the time that it has to show. */
export interface ClockHarness {
  readonly clock: Clock
  /** Makes it this instant. */
  readonly set: (instant: Date) => void
  readonly close?: () => void
}

const instants = [
  "1970-01-01T00:00:00.000Z",
  "2024-02-29T23:59:59.999Z",
  "2026-03-29T01:00:00.001Z",
  "2038-01-19T03:14:08.000Z",
  "9999-12-31T23:59:59.999Z",
]

/** What every `Clock` promises. */
export const clockContract = (name: string, make: () => ClockHarness) =>
  describe(`clock: ${name}`, () => {
    let harness: ClockHarness
    beforeEach(() => {
      harness = make()
    })
    afterEach(() => harness.close?.())

    it.each(instants)("shows the current instant: %s", (instant) => {
      harness.set(new Date(instant))
      expect(harness.clock.now().toISOString()).toBe(instant)
    })

    it("follows the time, also where it is set back", () => {
      const shown = instants.toReversed().map((instant) => {
        harness.set(new Date(instant))
        return harness.clock.now().toISOString()
      })
      expect(shown).toEqual(instants.toReversed())
    })

    it("shows whole milliseconds", () => {
      harness.set(new Date(1_772_366_400_000.75))
      expect(harness.clock.now().getTime()).toBe(1_772_366_400_000)
    })

    it("answers a new date each time, which the caller may change", () => {
      const instant = "2026-03-01T12:00:00.000Z"
      harness.set(new Date(instant))
      const given = harness.clock.now()
      given.setUTCFullYear(1999)
      const kept = harness.clock.now()
      expect(kept.toISOString()).toBe(instant)
      harness.set(new Date("2026-03-02T12:00:00.000Z"))
      expect(harness.clock.now()).not.toEqual(kept)
      expect(kept.toISOString()).toBe(instant)
    })

    it("does not change with the date that it was set to", () => {
      const instant = new Date("2026-03-01T12:00:00.000Z")
      harness.set(instant)
      instant.setUTCFullYear(1999)
      expect(harness.clock.now().toISOString()).toBe("2026-03-01T12:00:00.000Z")
    })
  })
