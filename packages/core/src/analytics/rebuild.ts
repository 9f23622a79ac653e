import { Effect, Schema } from "effect"
import type { OutboxHandler } from "../background/work.ts"
import { Uuid } from "../schema.ts"
import type { ActiveDaysDb } from "./port.ts"

/** The outbox topic that notes the active days of all events that are stored. */
export const rebuildTopic = "analytics.rebuild"

/** The last event whose day is noted; left out before the first. */
const RebuildPayload = Schema.Struct({ after_event_id: Schema.optionalKey(Uuid) })

// Events read in one transaction, under the hold: as many as a batch of the dispatcher has.
const sliceSize = 2_000

/**
 * Notes the active days of events that were there before the reaction, one slice per call. Those that come meanwhile are noted by
 * the reaction, whether or not a slice reaches them.
 */
export const rebuildActiveDays: OutboxHandler<ActiveDaysDb> = Effect.fnUntraced(function* (db, payload) {
  const { after_event_id = null } = yield* Effect.orDie(Schema.decodeUnknownEffect(RebuildPayload)(payload))
  const last = yield* db.activeDays.addFromEvents(after_event_id, sliceSize)
  return last === null ? null : { after_event_id: last }
})
