import { anEvent } from "@hearth/testing"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { makeBatchNotes } from "../background/batch-notes.ts"
import type { ActiveDay, ActiveDaysDb } from "./port.ts"
import { activityReaction } from "./reaction.ts"

it("writes the days of activity with the locks of the batch, each once, and nothing after them", () => {
  const written: Array<ReadonlyArray<ActiveDay>> = []
  const db: ActiveDaysDb = {
    activeDays: {
      add: (days) => Effect.sync(() => void written.push(days)),
      addFromEvents: () => Effect.succeed(null),
    },
  }
  const notes = makeBatchNotes()
  const given = (event_name: string, at: string) =>
    anEvent({ app_user_id: "ada", event_name, occurred_at: new Date(at) })
  const events = [
    given("lesson", "2026-03-01T00:00:00Z"),
    given("lesson", "2026-03-01T23:59:59Z"),
    given("push_sent", "2026-03-02T12:00:00Z"),
    given("lesson", "2026-03-03T12:00:00Z"),
  ]
  Effect.runSync(activityReaction.lock?.(db, events, notes) ?? Effect.void)
  const days = ["2026-03-01", "2026-03-03"].map((day) => ({ app_user_id: "ada", day }))
  expect(written).toEqual([days])
  expect(Effect.runSync(activityReaction.react(db, events, notes))).toEqual([])
  expect(written).toHaveLength(1)
})
