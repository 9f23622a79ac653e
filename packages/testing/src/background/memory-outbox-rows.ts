import { type Clock, Count, JsonObject, Text, Timestamp, Uuid } from "@hearth/core"
import { Schema } from "effect"
import type { Draft } from "../memory/database.ts"
import { insertRow } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"

const OutboxRow = Schema.Struct({
  id: Text,
  topic: Text,
  payload: Schema.NullOr(JsonObject),
  event_ids: Schema.Array(Uuid),
  bytes: Count,
  created_at: Timestamp,
})

/** An entry as stored. */
export type OutboxRow = typeof OutboxRow.Type

/** What has not been handled, oldest first. */
export const outboxShape = describeTable("outbox", OutboxRow)

/** The topic of entries that have events. */
export const eventsTopic = "events"

/** Enters something into the outbox. */
export const enter = (draft: Draft, clock: Clock, entry: Omit<OutboxRow, "id" | "created_at">) =>
  insertRow(draft, outboxShape, { ...entry, id: String(draft.next()), created_at: clock.now() })

/** Enters events, in their order, as one entry. Nothing where there are none. */
export const enterEvents = (draft: Draft, clock: Clock, event_ids: ReadonlyArray<string>, bytes: number): void => {
  if (event_ids.length > 0) enter(draft, clock, { topic: eventsTopic, payload: null, event_ids, bytes })
}
