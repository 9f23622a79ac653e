import { Effect } from "effect"
import { describeColumns } from "../columns.ts"
import type { ViewSection } from "../exports/section.ts"
import { describeMember } from "./change-members.ts"
import { GroupMember } from "./member.ts"
import type { GroupsDb } from "./port.ts"

/** The groups that the user is a member of, and as what, the last joined first. */
export const groupMembershipsSection: ViewSection<GroupsDb> = {
  name: "group_memberships",
  key: ["joined_at", "group_id"],
  columns: describeColumns(GroupMember),
  read: (db, userId) =>
    Effect.map(db.groupMembers.listOfUser(userId), (memberships) =>
      memberships.map(({ member, owner_id }) => ({ ...describeMember({ owner_id }, member) })),
    ),
}
