import { Count, Text, Uuid } from "@hearth/core"
import { InboxRow } from "@hearth/core/webhooks"
import { Schema } from "effect"
import { describeTable } from "../memory/shape.ts"

/** The webhooks that came in. */
export const inboxShape = describeTable("webhook inbox", InboxRow, {
  unique: [["provider", "provider_event_id"]],
  indexed: [["provider", "body_key", "received_at"]],
})

/** The users whom entries concern. */
export const inboxUserShape = describeTable(
  "webhook inbox users",
  Schema.Struct({ id: Text, inbox_id: Uuid, app_user_id: Uuid, position: Count }),
  { parents: { inbox_id: inboxShape.name } },
)

/** The provider's ids by which unresolved entries are found again. */
export const inboxWaitShape = describeTable(
  "webhook inbox waits",
  Schema.Struct({ id: Text, inbox_id: Uuid, provider_user_id: Text }),
  { parents: { inbox_id: inboxShape.name } },
)
