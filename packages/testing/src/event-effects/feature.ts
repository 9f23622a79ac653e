import { JsonObject, Text, Timestamp, Uuid } from "@hearth/core"
import type { EventEffects, EventEffectsDb, EventEffectsStore } from "@hearth/core/event-effects"
import { appEventKey } from "@hearth/core/events"
import { Effect, Option, Schema } from "effect"
import { deadLetterShape } from "../background/memory-dead-letters.ts"
import { eventShape } from "../events/memory.ts"
import type { TenantFeature } from "../feature.ts"
import { instant, keepList, limit, uuid } from "../memory/arguments.ts"
import type { Statements } from "../memory/database.ts"
import { insertRow, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { select } from "../memory/table.ts"

const effectsShape = describeTable(
  "event effects",
  Schema.Struct({ id: Text, event_id: Uuid, effects: Schema.NullOr(JsonObject), asked_at: Timestamp }),
  { parents: { event_id: "events" } },
)

const memoryEventEffects = (statements: Statements): EventEffectsStore => ({
  ask: (event_id, asked_at) =>
    statements.change((draft) => {
      if (rowsOf(draft, effectsShape).get(event_id) !== undefined) return
      insertRow(draft, effectsShape, { id: event_id, event_id, effects: null, asked_at })
    }),
  listAsked: (ids) =>
    statements.query((draft) => ids.filter((id) => rowsOf(draft, effectsShape).get(id)?.effects === null)),
  keep: (kept) =>
    statements.change((draft) => {
      for (const { event_id, effects } of kept) {
        const row = rowsOf(draft, effectsShape).get(event_id)
        const json = effects as unknown as JsonObject
        if (row !== undefined) replaceRow(draft, effectsShape, row, { ...row, effects: json })
      }
    }),
  add: (kept, asked_at) =>
    statements.change((draft) => {
      for (const { event_id, effects } of kept) {
        const json = effects as unknown as JsonObject
        insertRow(draft, effectsShape, { id: event_id, event_id, effects: json, asked_at })
      }
    }),
  find: (eventId) =>
    statements
      .query((draft) => {
        const row = rowsOf(draft, effectsShape).get(eventId)
        if (row === undefined) return undefined
        const is_set_aside = select(draft, deadLetterShape, { event_id: eventId }).length > 0
        return { asked_at: row.asked_at, effects: row.effects as unknown as EventEffects | null, is_set_aside }
      })
      .pipe(Effect.map(Option.fromUndefinedOr)),
  findTwin: ({ app_user_id, external_id }, plane) =>
    statements
      .query((draft) => {
        if (external_id === null) return undefined
        const key = plane === "client" ? { cause_key: appEventKey(app_user_id, external_id) } : { external_id }
        return select(draft, eventShape, { ...key, app_user_id })[0]?.id
      })
      .pipe(Effect.map(Option.fromUndefinedOr)),
  forget: (before, limit) =>
    statements.change((draft) => {
      const old = [...rowsOf(draft, effectsShape).values()]
        .filter(({ asked_at }) => asked_at < before)
        .toSorted((a, b) => a.asked_at.getTime() - b.asked_at.getTime())
        .slice(0, limit)
      for (const row of old) removeRow(draft, effectsShape, row)
      return old.length
    }),
  oldest: () =>
    statements.query((draft) => {
      const instants = [...rowsOf(draft, effectsShape).values()].map(({ asked_at }) => asked_at.getTime())
      return instants.length === 0 ? null : new Date(Math.min(...instants))
    }),
})

/** What events did in tests. */
export const eventEffectsFeature: TenantFeature<EventEffectsDb> = {
  tenant: {
    shapes: [effectsShape],
    rules: {
      eventEffects: { listAsked: [keepList(uuid)], find: [uuid], forget: [instant, limit] },
    },
    make: ({ statements }) => ({ eventEffects: memoryEventEffects(statements) }),
  },
}
