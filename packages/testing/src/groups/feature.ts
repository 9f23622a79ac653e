import type { GroupsDb } from "@hearth/core/groups"
import type { TenantFeature } from "../feature.ts"
import { memoryTable } from "../memory/table.ts"
import {
  groupBanShape,
  groupInviteShape,
  groupMemberShape,
  groupShape,
  memoryGroupInvites,
  memoryGroupMembers,
  memoryGroups,
} from "./memory.ts"

/** Groups in tests: tables and repositories in memory. */
export const groupsFeature: TenantFeature<GroupsDb> = {
  tenant: {
    shapes: [groupShape, groupMemberShape, groupInviteShape, groupBanShape],
    make: ({ statements }) => ({
      groups: memoryGroups(statements),
      groupMembers: memoryGroupMembers(statements),
      groupInvites: memoryGroupInvites(statements),
      groupBans: memoryTable(statements, groupBanShape),
    }),
  },
}
