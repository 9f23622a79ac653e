import type { GroupsDb } from "@hearth/core/groups"
import type { TenantFeature } from "../feature.ts"
import { fields, instant, limit, slice, text, uuid } from "../memory/arguments.ts"
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
    rules: {
      groups: { search: [text, slice], pageOfUser: [uuid, slice], countsOf: [uuid], depart: [uuid, instant, limit] },
      groupMembers: { remove: [uuid, uuid], listWithUsers: [uuid, slice], listOfUser: [uuid] },
      groupInvites: {
        pageLive: [uuid, instant, slice],
        end: [uuid, fields({ created_by: uuid, code: text }), instant],
        removeOld: [instant, limit],
      },
    },
    make: ({ statements }) => ({
      groups: memoryGroups(statements),
      groupMembers: memoryGroupMembers(statements),
      groupInvites: memoryGroupInvites(statements),
      groupBans: memoryTable(statements, groupBanShape),
    }),
  },
}
