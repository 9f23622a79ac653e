import { Schema, Struct } from "effect"
import { ModerationState } from "../moderation/content.ts"
import { jsonBytes } from "../onboarding/json.ts"
import { Count, JsonObject, partial, Timestamp, text, Uuid, withDefaults } from "../schema.ts"
import { WebUrl } from "../web-address.ts"

// The most bytes of a group's metadata as JSON [I2.2].
const maxMetadataBytes = 16 * 1024

const fields = {
  name: text(1, 100),
  description: Schema.NullOr(text(0, 2_000)),
  avatar_url: Schema.NullOr(WebUrl),
  /** Whether those who are no members see it and may join. */
  is_public: Schema.Boolean,
  /** How many members it takes. Where it has more already, only joins stop. */
  max_members: Count.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })),
  metadata: JsonObject.check(
    Schema.makeFilter((value: JsonObject) => jsonBytes(value) <= maxMetadataBytes || "must be at most 16 KB"),
  ),
}

/** A group as stored. Its owner is always one of its members. */
export const GroupRow = Schema.Struct({
  id: Uuid,
  ...fields,
  owner_id: Uuid,
  /** Changed together with its members, under its lock. */
  member_count: Count,
  moderation: ModerationState,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type GroupRow = typeof GroupRow.Type

/** A group (spec: group). Its `moderation` says why one that is public is not seen [I6.3]. */
export const Group = Schema.Struct(Struct.omit(GroupRow.fields, ["member_count"])).annotate({ identifier: "Group" })

/** A group in a list: with how many members it has. */
export const ListedGroup = Schema.Struct({ ...Group.fields, member_count: Count }).annotate({
  identifier: "ListedGroup",
})

/** What somebody is in a group [I2.1]. */
export const GroupRole = Schema.Literals(["owner", "admin", "member"])
export type GroupRole = typeof GroupRole.Type

/** A group with what the reader is in it; null for those who are no members [I2.3]. */
export const GroupView = Schema.Struct({ ...ListedGroup.fields, role: Schema.NullOr(GroupRole) }).annotate({
  identifier: "GroupView",
})
export type GroupView = GroupRow & { readonly role: GroupRole | null }

/** A group that the reader is a member of (spec: GET /client/groups/mine). */
export const OwnGroup = Schema.Struct({ role: GroupRole, groups: ListedGroup }).annotate({ identifier: "OwnGroup" })
export type OwnGroup = { readonly role: GroupRole; readonly groups: GroupRow }

const defaults = { description: null, avatar_url: null, is_public: true, max_members: 100, metadata: {} } as const

/** What a group is made with. */
export const NewGroup = Schema.Struct(withDefaults(fields, defaults)).annotate({ identifier: "NewGroup" })
export type NewGroup = typeof NewGroup.Type

/** What a developer makes a group with: for this owner. */
export const NewGroupOfUser = Schema.Struct({ ...NewGroup.fields, owner_id: Uuid }).annotate({
  identifier: "NewGroupOfUser",
})
export type NewGroupOfUser = typeof NewGroupOfUser.Type

/** The fields of a group that can be changed. Those left out stay. */
export const GroupChanges = Schema.Struct(partial(fields)).annotate({ identifier: "GroupChanges" })
export type GroupChanges = typeof GroupChanges.Type
