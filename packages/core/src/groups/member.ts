import { Schema } from "effect"
import { Timestamp, Uuid, withDefault } from "../schema.ts"
import { Person } from "../users/user.ts"
import { GroupRole } from "./group.ts"

/**
 * That a user is a member of a group, as stored. Unique: (`group_id`, `app_user_id`). Who owns the group is said by the group alone,
 * so that there is always one owner [I2.1].
 */
export const GroupMemberRow = Schema.Struct({
  id: Uuid,
  group_id: Uuid,
  app_user_id: Uuid,
  /** The owner is an admin too: who hands a group over stays one. */
  is_admin: Schema.Boolean,
  joined_at: Timestamp,
})
export type GroupMemberRow = typeof GroupMemberRow.Type

const member = { group_id: Uuid, app_user_id: Uuid, role: GroupRole, joined_at: Timestamp }

/** A member of a group (spec: member). */
export const GroupMember = Schema.Struct(member).annotate({ identifier: "GroupMember" })
export type GroupMember = typeof GroupMember.Type

/** A member with who that is. */
export const GroupMemberView = Schema.Struct({ ...member, app_users: Person }).annotate({
  identifier: "GroupMemberView",
})

/** The member to whom the caller hands the group over [I2.4]. */
export const TransferRequest = Schema.Struct({ app_user_id: Uuid }).annotate({ identifier: "TransferRequest" })

/** Whether somebody who is taken out of a group is kept out of it [I2.5]. */
export const KickRequest = Schema.Struct({ ban: withDefault(Schema.Boolean, false) }).annotate({
  identifier: "KickRequest",
})

/** What somebody who leaves a group is answered. */
export const LeftGroup = Schema.Struct({ left: Schema.Literal(true) }).annotate({ identifier: "LeftGroup" })

/** What somebody who takes a member out of a group is answered. */
export const KickedMember = Schema.Struct({ kicked: Schema.Literal(true) }).annotate({ identifier: "KickedMember" })

/** What a member is to be; `owner` hands the group over [I2.1]. */
export const RoleChange = Schema.Struct({ role: GroupRole }).annotate({ identifier: "RoleChange" })

const GivenRole = Schema.Literals(["admin", "member"])

/** The user whom a developer makes a member [I2.5]. */
export const NewGroupMember = Schema.Struct({
  app_user_id: Uuid,
  role: withDefault(GivenRole, "member"),
}).annotate({ identifier: "NewGroupMember" })
export type NewGroupMember = typeof NewGroupMember.Type

/** That a user is kept out of a group. Unique: (`group_id`, `app_user_id`). */
export const GroupBanRow = Schema.Struct({ id: Uuid, group_id: Uuid, app_user_id: Uuid, created_at: Timestamp })
export type GroupBanRow = typeof GroupBanRow.Type
