import type { GroupBanRow, GroupInviteRow, GroupMemberRow, GroupRow } from "@hearth/core/groups"
import { anId, builtAt, type Given, makeId, nextNumber } from "../builders.ts"

/** A public group without members. */
export const aGroup = (given: Partial<GroupRow> = {}): GroupRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    name: `Group ${n}`,
    description: null,
    avatar_url: null,
    is_public: true,
    max_members: 100,
    metadata: {},
    owner_id: anId(),
    member_count: 0,
    moderation: "shown",
    created_at: new Date(builtAt),
    updated_at: new Date(builtAt),
    ...given,
  }
}

/** A member who is no admin. */
export const aGroupMember = (given: Given<GroupMemberRow, "group_id" | "app_user_id">): GroupMemberRow => ({
  id: anId(),
  is_admin: false,
  joined_at: new Date(builtAt),
  ...given,
})

/** An invite for a day. */
export const aGroupInvite = (given: Given<GroupInviteRow, "group_id" | "created_by">): GroupInviteRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    code: `CODE-${n}`,
    max_uses: null,
    uses: 0,
    is_ended: false,
    expires_at: new Date("2026-01-02T00:00:00.000Z"),
    created_at: new Date(builtAt),
    ...given,
  }
}

/** That a user is kept out of a group. */
export const aGroupBan = (given: Given<GroupBanRow, "group_id" | "app_user_id">): GroupBanRow => ({
  id: anId(),
  created_at: new Date(builtAt),
  ...given,
})
