import { Forbidden, InvalidInput, InvalidToken, NotFound, QuotaExceeded, RateLimitExceeded, Text } from "@hearth/core"
import {
  GroupFull,
  GroupInvite,
  GroupInviteView,
  GroupMember,
  InviteNotFound,
  JoinByCode,
  NewGroupInvite,
} from "@hearth/core/groups"
import { paging } from "../../http/request/query.ts"
import { created, deleted, pageOf } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Decisions I2.5: invites into groups. */
export const groupInviteRoutes = [
  route("POST", "/client/groups/join", {
    id: "client.groups.joinByCode",
    summary: "Makes the caller a member of the group that the code invites into",
    description: "This is the way into a private group. Upper and lower case are the same.",
    access: "client",
    body: JoinByCode,
    errors: [InvalidInput, InvalidToken, Forbidden, InviteNotFound, GroupFull, QuotaExceeded, RateLimitExceeded],
    returns: created(GroupMember),
    run: ({ core, caller, body }) => core.groups.joinByCode(caller.project_id, caller.user_id, body.code),
  }),
  route("POST", "/client/groups/:groupId/invites", {
    id: "client.groups.invites.create",
    summary: "Makes an invite into a group, by its owner or an admin",
    description: "Give the code to whom you want to invite. It ends by time or by number of uses.",
    access: "client",
    body: NewGroupInvite,
    optionalBody: true,
    errors: [InvalidInput, InvalidToken, NotFound, Forbidden, QuotaExceeded],
    returns: created(GroupInvite),
    run: ({ core, caller, params, body }) =>
      core.groups.invites.create(caller.project_id, caller.user_id, params.groupId, body),
  }),
  route("GET", "/client/groups/:groupId/invites", {
    id: "client.groups.invites.list",
    summary: "Lists the live invites into a group for its owner and admins, the newest first",
    description: "Each invite comes with how often it was used.",
    access: "client",
    query: paging(),
    errors: [NotFound, Forbidden],
    returns: pageOf(GroupInviteView),
    run: ({ core, caller, params, query }) =>
      core.groups.invites.list(caller.project_id, caller.user_id, params.groupId, query),
  }),
  route("DELETE", "/client/groups/:groupId/invites/:code", {
    id: "client.groups.invites.revoke",
    summary: "Ends an invite into a group, by its owner or an admin",
    description: "Nobody can join by it any more; who has joined by it stays.",
    access: "client",
    params: { code: Text },
    errors: [InvalidToken, NotFound, Forbidden],
    returns: deleted,
    run: ({ core, caller, params }) =>
      core.groups.invites.end(caller.project_id, caller.user_id, params.groupId, params.code),
  }),
]
