import type { Signal, Signals } from "@hearth/core"
import { beforeEach, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"

type Name = Signal["name"]

/** Somewhere signals go to. */
export interface SignalsHarness {
  readonly signals: Signals
  /** How many signals of a name were taken in. */
  readonly taken: (name: Name) => number | Promise<number>
}

const project_id = anId()
const reason = "Error: refused"
const push = { project_id, provider: "push_a" }
const plane = "client"

/** A signal of every kind. */
const everyKind: { readonly [Each in Name]: Extract<Signal, { readonly name: Each }> } = {
  events_reacted: { name: "events_reacted", project_id, events: 3, lag_seconds: 0.25 },
  export_section_failed: { name: "export_section_failed", project_id, section: "streaks", reason },
  nudge_failed: { name: "nudge_failed", project_id },
  processing_failed: { name: "processing_failed", project_id, reason },
  event_set_aside: { name: "event_set_aside", project_id, reaction: "streaks", status: "dead" },
  project_paused: { name: "project_paused", project_id, reaction: "streaks", seconds: 60 },
  task_failed: { name: "task_failed", project_id, task: "expiry", reason },
  job_failed: { name: "job_failed", project_id, job: "segments", reason },
  job_not_started: { name: "job_not_started", project_id, job: "segments" },
  evaluation_failed: { name: "evaluation_failed", project_id, segment_id: anId(), reason },
  evaluation_not_started: { name: "evaluation_not_started", project_id },
  webhook_postponed: { name: "webhook_postponed", project_id, reason },
  secret_unreadable: { name: "secret_unreadable", project_id, provider: "push_a" },
  unknown_time_zone: { name: "unknown_time_zone", zone: "Mars/Olympus" },
  refresh_reuse_detected: { name: "refresh_reuse_detected", plane },
  login_failed: { name: "login_failed", plane },
  identity_refused: { name: "identity_refused", provider: "apple" },
  identity_linked: { name: "identity_linked", provider: "apple", upgraded: true },
  session_ended: { name: "session_ended", by: "user" },
  email_proven: { name: "email_proven" },
  magic_link_not_sent: { name: "magic_link_not_sent", reason },
  magic_link_refused: { name: "magic_link_refused" },
  push_misconfigured: { name: "push_misconfigured", ...push, reason },
  push_tokens_mismatch: { name: "push_tokens_mismatch", ...push, tokens: 2 },
  push_thread_lost: { name: "push_thread_lost", reason },
  pattern_thread_lost: { name: "pattern_thread_lost", reason },
  password_rehashed: { name: "password_rehashed", plane },
}

const awkward: ReadonlyArray<readonly [string, Signal]> = [
  ["a reason of several lines", { ...everyKind.task_failed, reason: "one\r\ntwo\u001b[2J\u2028" }],
  ["a reason with half a character and NUL", { ...everyKind.task_failed, reason: "half \uD83E \u0000" }],
  ["a very long reason", { ...everyKind.task_failed, reason: "x".repeat(1_000_000) }],
  ["a reason of nothing", { ...everyKind.task_failed, reason: "" }],
  ["a reaction that is named like a member of objects", { ...everyKind.event_set_aside, reaction: "__proto__" }],
  ["no events", { ...everyKind.events_reacted, events: 0, lag_seconds: 0 }],
  ["a very long lag", { ...everyKind.events_reacted, lag_seconds: Number.MAX_SAFE_INTEGER }],
  ["numbers that are none", { ...everyKind.events_reacted, events: Number.NaN, lag_seconds: Number.NaN }],
  ["numbers without an end", { ...everyKind.events_reacted, lag_seconds: Number.POSITIVE_INFINITY }],
  ["numbers below zero", { ...everyKind.events_reacted, events: -1, lag_seconds: -1 }],
]

/** What every `Signals` promises. */
export const signalsContract = (name: string, make: () => SignalsHarness) =>
  describe(`signals: ${name}`, () => {
    let harness: SignalsHarness
    beforeEach(() => {
      harness = make()
    })

    it.each(Object.values(everyKind))("takes in a signal of the kind $name, and never waits", async (signal) => {
      expect(await harness.taken(signal.name)).toBe(0)
      expect(harness.signals.emit(signal)).toBeUndefined()
      expect(await harness.taken(signal.name)).toBe(1)
    })

    it("takes in each once, also the same one again", async () => {
      const { email_proven, nudge_failed } = everyKind
      for (const signal of [email_proven, nudge_failed, email_proven]) harness.signals.emit(signal)
      expect([await harness.taken("email_proven"), await harness.taken("nudge_failed")]).toEqual([2, 1])
      expect(await harness.taken("login_failed")).toBe(0)
    })

    it.each(awkward)("never fails: %s", async (_, signal) => {
      expect(() => harness.signals.emit(signal)).not.toThrow()
      expect(await harness.taken(signal.name)).toBe(1)
    })

    it("leaves a signal as it is", () => {
      for (const signal of Object.values(everyKind)) {
        const frozen = Object.freeze({ ...signal })
        harness.signals.emit(frozen)
        expect(frozen).toEqual(signal)
      }
    })
  })
