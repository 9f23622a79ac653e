import type { Clock, JsonObject } from "@hearth/core"
import type { Draft } from "../memory/database.ts"
import { insertRow } from "../memory/rows.ts"
import { shapeOf } from "../memory/shape.ts"

/** An entry as stored. */
export interface OutboxRow {
  readonly id: string
  readonly topic: string
  readonly payload: JsonObject | null
  readonly event_ids: ReadonlyArray<string>
  readonly bytes: number
  readonly created_at: Date
}

/** What has not been handled, oldest first. */
export const outboxShape = shapeOf<OutboxRow>("outbox", {
  id: "text",
  topic: "text",
  payload: "json?",
  event_ids: "json",
  bytes: "count",
  created_at: "instant",
})

/** The topic of entries that have events. */
export const eventsTopic = "events"

/** Enters something into the outbox. */
export const enter = (draft: Draft, clock: Clock, entry: Omit<OutboxRow, "id" | "created_at">) =>
  insertRow(draft, outboxShape, { ...entry, id: String(draft.next()), created_at: clock.now() })

/** Enters events, in their order, as one entry. Nothing where there are none. */
export const enterEvents = (draft: Draft, clock: Clock, event_ids: ReadonlyArray<string>, bytes: number): void => {
  if (event_ids.length > 0) enter(draft, clock, { topic: eventsTopic, payload: null, event_ids, bytes })
}
