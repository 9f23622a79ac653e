import { JsonObject, Uuid } from "@hearth/core"
import type { FoldedEvent, SubscriptionEvents } from "@hearth/core/subscriptions"
import { Effect, Option, Schema } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { inboxShape, inboxUserShape } from "../webhooks/memory-shapes.ts"

/** The provider events of the inbox as the fold reads them. */
export const subscriptionEventShape = describeTable(
  "subscription events",
  Schema.Struct({
    id: Uuid,
    inbox_id: Uuid,
    event: JsonObject,
    raw: Schema.NullOr(JsonObject),
    keys: Schema.Array(Schema.String),
  }),
  { parents: { inbox_id: inboxShape.name } },
)

const readEvent = (row: { readonly event: JsonObject }) => row.event as unknown as FoldedEvent

const link = (draft: Draft, inbox_id: string, app_user_id: string) => {
  if (rowsOf(draft, inboxShape).get(inbox_id) === undefined) return
  lockRow(draft, inboxShape, inbox_id, "key share")
  const id = `${inbox_id}/${app_user_id}`
  if (rowsOf(draft, inboxUserShape).get(id) === undefined)
    insertRow(draft, inboxUserShape, { id, inbox_id, app_user_id, position: 1_000_000 })
}

/** The provider events of a project, in memory. */
export const memorySubscriptionEvents = (statements: Statements): SubscriptionEvents => ({
  find: (entryId) =>
    Effect.map(
      statements.query((draft) => rowsOf(draft, subscriptionEventShape).get(entryId)),
      (row) => Option.map(Option.fromUndefinedOr(row), readEvent),
    ),
  save: (writes) =>
    statements.change((draft) => {
      if (new Set(writes.map(({ event }) => event.entry_id)).size < writes.length)
        throw new Error("An event is saved twice.")
      for (const { event, keys, raw } of writes) {
        const present = rowsOf(draft, subscriptionEventShape).get(event.entry_id)
        const row = {
          ...{ id: event.entry_id, inbox_id: event.entry_id, keys },
          ...{ event: { ...event } as unknown as JsonObject, raw: raw ?? present?.raw ?? null },
        }
        if (present === undefined) insertRow(draft, subscriptionEventShape, row)
        else replaceRow(draft, subscriptionEventShape, present, row)
      }
    }),
  connected: (keys, known, limit) =>
    statements.query((draft) =>
      [...rowsOf(draft, subscriptionEventShape).values()]
        .filter((row) => !known.includes(row.id) && row.keys.some((key) => keys.includes(key)))
        .slice(0, limit)
        .map(readEvent),
    ),
  listRaw: (entryIds) =>
    Effect.map(
      statements.query((draft) =>
        entryIds.map((id) => [id, rowsOf(draft, subscriptionEventShape).get(id)?.raw] as const),
      ),
      (found) => new Map(found.flatMap(([id, raw]) => (raw ? [[id, raw] as const] : []))),
    ),
  share: (links) =>
    statements.change((draft) => {
      for (const { inbox_id, app_user_id } of links) link(draft, inbox_id, app_user_id)
    }),
})
