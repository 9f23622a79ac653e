import type { GroupBanRow, GroupsDb } from "@hearth/core/groups"
import type { TenantFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import { Group, GroupBan, GroupInvite, GroupMember, groups } from "./entities.ts"
import { makeGroups } from "./groups.ts"
import { makeGroupInvites } from "./invites.ts"
import { makeGroupMembers } from "./members.ts"

/** Groups in PostgreSQL: tables and repositories. */
export const groupsFeature: TenantFeature<GroupsDb> = {
  tenant: {
    entities: [Group, GroupMember, GroupInvite, GroupBan],
    steps: [groups],
    repositories: {
      groups: (statements, shapes) => makeGroups(statements, shapes(Group)),
      groupMembers: (statements, shapes) => makeGroupMembers(statements, shapes(GroupMember)),
      groupInvites: (statements, shapes) => makeGroupInvites(statements, shapes(GroupInvite)),
      groupBans: (statements, shapes) => makeTable<GroupBanRow>(statements, shapes(GroupBan)),
    },
  },
}
