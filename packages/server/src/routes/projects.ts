import { Forbidden, NotFound, QuotaExceeded, RateLimitExceeded, Unauthorized } from "@hearth/core"
import {
  ApiKey,
  DeveloperNotFound,
  LastOwner,
  Member,
  MemberChanges,
  NewApiKey,
  NewMember,
  NewProject,
  Project,
  ProjectChanges,
} from "@hearth/core/projects"
import { Schema } from "effect"
import { paging } from "../http/request/query.ts"
import { created, deleted, ok, pageOf } from "../http/response/answers.ts"
import { route } from "./route.ts"

const CreatedProject = Schema.Struct({ ...Project.fields, client_api_key: Schema.String }).annotate({
  identifier: "CreatedProject",
})

/** Decisions C: projects. */
const projects = [
  route("POST", "/admin/projects", {
    id: "projects.create",
    summary: "Makes a project with its own database and a first client key",
    description: "The answer has the client key that the app sends as `X-Api-Key`. Making the database takes a moment.",
    access: "developer",
    body: NewProject,
    errors: [RateLimitExceeded, QuotaExceeded, Unauthorized],
    returns: created(CreatedProject),
    fault: "CREATE_FAILED",
    run: ({ core, caller, body }) => core.projects.create(caller.developer_id, body),
  }),
  route("GET", "/admin/projects", {
    id: "projects.list",
    summary: "Lists the caller's projects, newest first",
    description: "Those that the caller owns or is a member of.",
    access: "developer",
    query: paging(),
    returns: pageOf(Project),
    run: ({ core, caller, query }) => core.projects.list(caller.developer_id, query),
  }),
  route("GET", "/admin/projects/:projectId", {
    id: "projects.get",
    summary: "Shows a project",
    description: "The settings of a project: limits, reserved event names, allowed origins.",
    access: "developer",
    errors: [NotFound],
    returns: ok(Project),
    run: ({ core, params }) => core.projects.get(params.projectId),
  }),
  route("PATCH", "/admin/projects/:projectId", {
    id: "projects.update",
    summary: "Changes a project",
    description:
      "Only the keys that are sent change. `server_events` are names that only servers may record: put whatever is worth cheating for there. `allowed_origins` are the web pages whose own address a magic link may lead to.",
    access: "developer",
    body: ProjectChanges,
    errors: [Forbidden, NotFound],
    returns: ok(Project),
    run: ({ core, params, caller, body }) => core.projects.update(params.projectId, caller.developer_id, body),
  }),
  route("DELETE", "/admin/projects/:projectId", {
    id: "projects.delete",
    summary: "Removes a project and its database",
    description: "Cannot be undone: users, events and everything else go with the database. Only an owner may.",
    access: "developer",
    role: "owner",
    errors: [Forbidden],
    returns: deleted,
    run: ({ core, params, caller }) => core.projects.remove(params.projectId, caller.developer_id),
  }),
]

/** Decisions C: client keys. */
const apiKeys = [
  route("POST", "/admin/projects/:projectId/api-keys", {
    id: "apiKeys.create",
    summary: "Makes another client key",
    description: "Several keys work side by side, for instance one for each platform or while you replace one.",
    access: "developer",
    body: NewApiKey,
    optionalBody: true,
    errors: [Forbidden],
    returns: created(ApiKey),
    run: ({ core, params, caller, body }) => core.apiKeys.create(params.projectId, caller.developer_id, body),
  }),
  route("GET", "/admin/projects/:projectId/api-keys", {
    id: "apiKeys.list",
    summary: "Lists the client keys in full, newest first",
    description: "A client key is no secret: it is in every copy of the app and only says which project is meant.",
    access: "developer",
    query: paging(),
    returns: pageOf(ApiKey),
    run: ({ core, params, query }) => core.apiKeys.list(params.projectId, query),
  }),
  route("DELETE", "/admin/projects/:projectId/api-keys/:keyId", {
    id: "apiKeys.revoke",
    summary: "Revokes a client key; it stops working at once",
    description: "Apps that still use it get 401 from the next request on.",
    access: "developer",
    errors: [Forbidden],
    returns: deleted,
    run: ({ core, params, caller }) => core.apiKeys.revoke(params.projectId, caller.developer_id, params.keyId),
  }),
]

/** Decisions C: members. */
const members = [
  route("GET", "/admin/projects/:projectId/members", {
    id: "members.list",
    summary: "Lists the members of a project",
    description: "Owners, admins and viewers. Viewers may read everything and change nothing.",
    access: "developer",
    query: paging(),
    returns: pageOf(Member),
    run: ({ core, params, query }) => core.members.list(params.projectId, query),
  }),
  route("POST", "/admin/projects/:projectId/members", {
    id: "members.add",
    summary: "Makes a developer a member; one who is a member already gets the role",
    description:
      "The developer must have signed up with this address. Without a role a new member is a viewer, and one who is a member already keeps theirs.",
    access: "developer",
    body: NewMember,
    errors: [DeveloperNotFound, Forbidden, LastOwner],
    returns: created(Member),
    run: ({ core, params, caller, body }) => core.members.create(params.projectId, caller.developer_id, body),
  }),
  route("PATCH", "/admin/projects/:projectId/members/:developerId", {
    id: "members.update",
    summary: "Changes the role of a member",
    description: "A project always keeps an owner.",
    access: "developer",
    body: MemberChanges,
    errors: [DeveloperNotFound, Forbidden, LastOwner],
    returns: ok(Member),
    run: ({ core, params, caller, body }) =>
      core.members.update(params.projectId, caller.developer_id, params.developerId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/members/:developerId", {
    id: "members.remove",
    summary: "Ends a membership",
    description: "The developer loses access with the next request.",
    access: "developer",
    errors: [DeveloperNotFound, Forbidden, LastOwner],
    returns: deleted,
    run: ({ core, params, caller }) => core.members.remove(params.projectId, caller.developer_id, params.developerId),
  }),
]

/** Decisions C: projects, their client keys and their members. */
export const projectRoutes = [...projects, ...apiKeys, ...members]
