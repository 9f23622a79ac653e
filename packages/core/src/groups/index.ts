export { makeAdminGroups } from "./admin-groups.ts"
export { makeDepartFromGroups } from "./departure.ts"
export { GroupFull, InviteNotFound, NotPublic, OwnerCannotLeave } from "./failures.ts"
export {
  Group,
  GroupChanges,
  GroupRole,
  GroupRow,
  GroupView,
  ListedGroup,
  NewGroup,
  NewGroupOfUser,
  OwnGroup,
} from "./group.ts"
export { makeGroups } from "./groups.ts"
export { GroupInvite, GroupInviteRow, GroupInviteView, JoinByCode, NewGroupInvite } from "./invite.ts"
export { makeGroupInvites } from "./invites.ts"
export {
  GroupBanRow,
  GroupMember,
  GroupMemberRow,
  GroupMemberView,
  KickedMember,
  KickRequest,
  LeftGroup,
  NewGroupMember,
  RoleChange,
  TransferRequest,
} from "./member.ts"
export { makeMemberships } from "./memberships.ts"
export { moderatedGroups } from "./moderated.ts"
export type {
  GroupCounts,
  GroupInvites,
  GroupMembers,
  Groups,
  GroupsDb,
  Membership,
  MemberWithUser,
  OwnMembership,
} from "./port.ts"
export { groupMembershipsSection } from "./sections.ts"
export { makeGroupsWork } from "./work.ts"
