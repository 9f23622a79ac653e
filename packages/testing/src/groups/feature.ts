import type { GroupsDb } from "@hearth/core/groups"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { memoryTable } from "../memory/table.ts"
import { groupInvitesContract, groupMembersContract, groupsContract } from "./contract.ts"
import { departuresContract } from "./departures.contract.ts"
import {
  groupBanShape,
  groupInviteShape,
  groupMemberShape,
  groupShape,
  memoryGroupInvites,
  memoryGroupMembers,
  memoryGroups,
} from "./memory.ts"
import { groupBans, groupInvites, groups } from "./tables.ts"

/** Groups in tests: tables and repositories in memory, contract suites. */
export const groupsFeature: TenantFeature<GroupsDb> = {
  tenant: {
    shapes: [groupShape, groupMemberShape, groupInviteShape, groupBanShape],
    make: ({ statements }) => ({
      groups: memoryGroups(statements),
      groupMembers: memoryGroupMembers(statements),
      groupInvites: memoryGroupInvites(statements),
      groupBans: memoryTable(statements, groupBanShape),
    }),
    contracts: [
      (open) => tableContract(open, groups),
      (open) => tableContract(open, groupInvites),
      (open) => tableContract(open, groupBans),
      groupsContract,
      groupMembersContract,
      groupInvitesContract,
      departuresContract,
    ],
  },
}
