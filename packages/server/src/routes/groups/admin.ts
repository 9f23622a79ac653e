import { InvalidInput, ListCursor, NotFound, QuotaExceeded } from "@hearth/core"
import { InvalidCursor } from "@hearth/core/events"
import {
  Group,
  GroupChanges,
  GroupFull,
  GroupMember,
  GroupMemberView,
  ListedGroup,
  NewGroupMember,
  NewGroupOfUser,
  OwnerCannotLeave,
  RoleChange,
} from "@hearth/core/groups"
import { UserNotFound } from "@hearth/core/users"
import { paging, readsOn } from "../../http/request/query.ts"
import { created, deleted, listPageOf, ok, pageOf } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Spec: admin plane, groups; members are added as I2.5 says. `:memberId` is the id of a user. */
export const adminGroupRoutes = [
  route("POST", "/admin/projects/:projectId/groups", {
    id: "groups.create",
    summary: "Makes a group that a user owns",
    description: "For groups that the app makes itself.",
    access: "developer",
    body: NewGroupOfUser,
    errors: [InvalidInput, UserNotFound, QuotaExceeded],
    returns: created(Group),
    run: ({ core, params, body }) => core.groups.admin.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/groups", {
    id: "groups.list",
    summary: "Lists the groups with how many members they have, the newest first",
    description:
      "Private groups are in the list too. With `cursor=start`, and the `next_cursor` of each answer from then on, it is read to its end, however long it is.",
    access: "developer",
    query: { ...paging(), ...readsOn(ListCursor) },
    malformed: { cursor: InvalidCursor },
    returns: listPageOf(ListedGroup, ListCursor),
    run: ({ core, params, query }) => core.groups.admin.list(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/groups/:groupId", {
    id: "groups.get",
    summary: "Shows a group with how many members it has",
    description: "Private groups are shown, too. Its members are listed by `groups.members.list`.",
    access: "developer",
    errors: [NotFound],
    returns: ok(ListedGroup),
    run: ({ core, params }) => core.groups.admin.get(params.projectId, params.groupId),
  }),
  route("PATCH", "/admin/projects/:projectId/groups/:groupId", {
    id: "groups.update",
    summary: "Changes a group",
    description: "Only the keys that are sent change.",
    access: "developer",
    body: GroupChanges,
    errors: [InvalidInput, NotFound],
    returns: ok(Group),
    run: ({ core, params, body }) => core.groups.admin.update(params.projectId, params.groupId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/groups/:groupId", {
    id: "groups.delete",
    summary: "Removes a group with its members",
    description: "It cannot be undone, and its members are not told.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.groups.admin.remove(params.projectId, params.groupId),
  }),
  route("GET", "/admin/projects/:projectId/groups/:groupId/members", {
    id: "groups.members.list",
    summary: "Lists the members of a group, those who joined first before others",
    description: "Each member comes with name, picture and role.",
    access: "developer",
    query: paging(1_000),
    errors: [NotFound],
    returns: pageOf(GroupMemberView),
    run: ({ core, params, query }) => core.groups.admin.members(params.projectId, params.groupId, query),
  }),
  route("POST", "/admin/projects/:projectId/groups/:groupId/members", {
    id: "groups.members.add",
    summary: "Makes a user a member of a group, and lifts a ban; a member already stays as the row is",
    description: "Whether the group is public or not.",
    access: "developer",
    body: NewGroupMember,
    errors: [InvalidInput, NotFound, UserNotFound, GroupFull, QuotaExceeded],
    returns: created(GroupMember),
    run: ({ core, params, body }) => core.groups.admin.addMember(params.projectId, params.groupId, body),
  }),
  route("PATCH", "/admin/projects/:projectId/groups/:groupId/members/:memberId", {
    id: "groups.members.update",
    summary: "Changes what a member is; `owner` hands the group over",
    description: "The owner of before becomes an admin.",
    access: "developer",
    body: RoleChange,
    errors: [InvalidInput, NotFound, OwnerCannotLeave, QuotaExceeded],
    returns: ok(GroupMember),
    run: ({ core, params, body }) =>
      core.groups.admin.changeRole(params.projectId, params.groupId, params.memberId, body.role),
  }),
  route("DELETE", "/admin/projects/:projectId/groups/:groupId/members/:memberId", {
    id: "groups.members.remove",
    summary: "Takes a member out of a group",
    description: "The owner cannot be removed: hand the group over first.",
    access: "developer",
    errors: [OwnerCannotLeave],
    returns: deleted,
    run: ({ core, params }) => core.groups.admin.removeMember(params.projectId, params.groupId, params.memberId),
  }),
]
