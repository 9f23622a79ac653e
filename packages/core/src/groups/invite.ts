import { Schema } from "effect"
import { Count, Text, Timestamp, text, Uuid, withDefaults } from "../schema.ts"

const maxUses = Schema.NullOr(Count.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })))

/** An invite as stored. Unique: `code`. It is live while it is not ended and `expires_at` lies ahead. */
export const GroupInviteRow = Schema.Struct({
  id: Uuid,
  group_id: Uuid,
  code: Text,
  /** Who has made it: it ends with their being owner or admin. */
  created_by: Uuid,
  /** Null is no bound. */
  max_uses: maxUses,
  uses: Count,
  /** Whether it was used up, or ended by somebody. Instants alone would not do: clocks of processes differ. */
  is_ended: Schema.Boolean,
  /** When it ends, or has ended. */
  expires_at: Timestamp,
  created_at: Timestamp,
})
export type GroupInviteRow = typeof GroupInviteRow.Type

const invite = { code: Schema.String, expires_at: Timestamp, max_uses: maxUses }

/** What somebody who makes an invite is answered [I2.5]. */
export const GroupInvite = Schema.Struct(invite).annotate({ identifier: "GroupInvite" })

/** An invite in the list of those that are live. */
export const GroupInviteView = Schema.Struct({
  ...invite,
  uses: Count,
  created_by: Uuid,
  created_at: Timestamp,
}).annotate({ identifier: "GroupInviteView" })

/** How long an invite lives, and for how many. */
export const NewGroupInvite = Schema.Struct(
  withDefaults(
    {
      expires_in_hours: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8_760 })),
      max_uses: maxUses,
    },
    { expires_in_hours: 168, max_uses: null },
  ),
).annotate({ identifier: "NewGroupInvite" })
export type NewGroupInvite = typeof NewGroupInvite.Type

/** The code of an invite, in any case. */
export const JoinByCode = Schema.Struct({ code: text(1, 256) }).annotate({ identifier: "JoinByCode" })
