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
export { GroupInvite, GroupInviteRow, GroupInviteView, JoinByCode, NewGroupInvite } from "./invite.ts"
export {
  GroupBanRow,
  GroupMember,
  GroupMemberRow,
  GroupMemberView,
  KickRequest,
  NewGroupMember,
  RoleChange,
  TransferRequest,
} from "./member.ts"
export type {
  GroupCounts,
  GroupInvites,
  GroupMembers,
  Groups,
  GroupsDb,
  Membership,
  MemberWithUser,
} from "./port.ts"
