import { Forbidden, InvalidInput, InvalidToken, NotFound, QuotaExceeded, RateLimitExceeded, Text } from "@hearth/core"
import {
  Group,
  GroupChanges,
  GroupFull,
  GroupMember,
  GroupMemberView,
  GroupView,
  KickedMember,
  KickRequest,
  LeftGroup,
  ListedGroup,
  NewGroup,
  NotPublic,
  OwnerCannotLeave,
  OwnGroup,
  TransferRequest,
} from "@hearth/core/groups"
import { ContentRejected } from "@hearth/core/moderation"
import { Schema } from "effect"
import { paging } from "../../http/request/query.ts"
import { created, deleted, ok, pageOf } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Spec and decisions D: groups, as users find, make and change them. */
const ownGroups = [
  route("POST", "/client/groups", {
    id: "client.groups.create",
    summary: "Makes a group that the caller owns",
    description: "The caller is its owner. A public group is found by search; a private one is joined by an invite.",
    access: "client",
    body: NewGroup,
    errors: [InvalidInput, ContentRejected, InvalidToken, QuotaExceeded, RateLimitExceeded],
    returns: created(Group),
    run: ({ core, caller, body }) => core.groups.create(caller.project_id, caller.user_id, body),
  }),
  route("GET", "/client/groups/mine", {
    id: "client.groups.mine",
    summary: "Lists the groups that the caller is a member of, the last joined first",
    description: "Each group comes with the role of the caller in it.",
    access: "client",
    query: paging(),
    returns: pageOf(OwnGroup),
    run: ({ core, caller, query }) => core.groups.own(caller.project_id, caller.user_id, query),
  }),
  route("GET", "/client/groups/search", {
    id: "client.groups.search",
    summary: "Lists public groups by a part of their name, the newest first",
    description: "Private groups are never found.",
    access: "client",
    query: { ...paging(20), q: Schema.optionalKey(Text) },
    returns: pageOf(ListedGroup),
    run: ({ core, caller, query: { q, ...slice } }) => core.groups.search(caller.project_id, q, slice),
  }),
  route("GET", "/client/groups/:groupId", {
    id: "client.groups.get",
    summary: "Shows a group, with what the caller is in it",
    description: "`role` is null where the caller is no member. A private group is 404 for strangers.",
    access: "client",
    errors: [NotFound],
    returns: ok(GroupView),
    run: ({ core, caller, params }) => core.groups.find(caller.project_id, caller.user_id, params.groupId),
  }),
  route("PATCH", "/client/groups/:groupId", {
    id: "client.groups.update",
    summary: "Changes a group, by its owner or an admin",
    description: "Only the keys that are sent change.",
    access: "client",
    body: GroupChanges,
    errors: [InvalidInput, ContentRejected, InvalidToken, NotFound, Forbidden],
    returns: ok(Group),
    run: ({ core, caller, params, body }) =>
      core.groups.update(caller.project_id, caller.user_id, params.groupId, body),
  }),
  route("DELETE", "/client/groups/:groupId", {
    id: "client.groups.delete",
    summary: "Removes a group with its members, by its owner",
    description: "It cannot be undone. To leave it to others, transfer it and then leave.",
    access: "client",
    errors: [InvalidToken, NotFound, Forbidden],
    returns: deleted,
    run: ({ core, caller, params }) => core.groups.remove(caller.project_id, caller.user_id, params.groupId),
  }),
  route("POST", "/client/groups/:groupId/transfer", {
    id: "client.groups.transfer",
    summary: "Hands a group over to a member, by its owner, who is an admin from then on",
    description: "The new owner must be a member.",
    access: "client",
    body: TransferRequest,
    errors: [InvalidInput, InvalidToken, NotFound, Forbidden, QuotaExceeded],
    returns: ok(Group),
    run: ({ core, caller, params, body }) =>
      core.groups.transfer(caller.project_id, caller.user_id, params.groupId, body.app_user_id),
  }),
]

/** Who is in a group, and how users come and go. */
const memberships = [
  route("POST", "/client/groups/:groupId/join", {
    id: "client.groups.join",
    summary: "Makes the caller a member of a public group; a member already stays as the row is",
    description: "A private group is 403 `NOT_PUBLIC`, a full one 409 `GROUP_FULL`.",
    access: "client",
    errors: [InvalidToken, NotFound, NotPublic, Forbidden, GroupFull, QuotaExceeded],
    returns: created(GroupMember),
    fault: "JOIN_FAILED",
    run: ({ core, caller, params }) => core.groups.join(caller.project_id, caller.user_id, params.groupId),
  }),
  route("POST", "/client/groups/:groupId/leave", {
    id: "client.groups.leave",
    summary: "Takes the caller out of a group; again it is the same",
    description: "An owner hands the group over first.",
    access: "client",
    errors: [InvalidToken, OwnerCannotLeave],
    returns: ok(LeftGroup),
    fault: "LEAVE_FAILED",
    run: ({ core, caller, params }) => core.groups.leave(caller.project_id, caller.user_id, params.groupId),
  }),
  route("GET", "/client/groups/:groupId/members", {
    id: "client.groups.members.list",
    summary: "Lists the members of a group, those who joined first before others",
    description: "Each member comes with name, picture and role.",
    access: "client",
    query: paging(1_000),
    errors: [NotFound],
    returns: pageOf(GroupMemberView),
    run: ({ core, caller, params, query }) =>
      core.groups.members(caller.project_id, caller.user_id, params.groupId, query),
  }),
  route("POST", "/client/groups/:groupId/members/:userId/kick", {
    id: "client.groups.members.kick",
    summary: "Takes a member out of a group, by its owner or an admin; `ban` keeps them out",
    description: 'Who was kicked may come back; with `{"ban": true}` they may not.',
    access: "client",
    body: KickRequest,
    optionalBody: true,
    errors: [InvalidInput, InvalidToken, NotFound, Forbidden, OwnerCannotLeave],
    returns: ok(KickedMember),
    run: ({ core, caller, params, body }) =>
      core.groups.kick(caller.project_id, caller.user_id, params.groupId, params.userId, body.ban),
  }),
]

/** Groups on the client plane. */
export const clientGroupRoutes = [...ownGroups, ...memberships]
