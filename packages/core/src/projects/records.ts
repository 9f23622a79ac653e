import { Schema, Struct } from "effect"
import { ProjectLimitChanges, ProjectLimits } from "../limits/project-limits.ts"
import { Count, Email, Name, partial, Text, Timestamp, text, Uuid, withDefaults } from "../schema.ts"

/** A developer's account (spec: developer). */
export const Developer = Schema.Struct({
  id: Uuid,
  email: Email,
  name: Schema.NullOr(Name),
  oauth_providers: Schema.Array(Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp,
}).annotate({ identifier: "Developer" })
export type Developer = typeof Developer.Type

/** A developer as stored: with the hash of the password. */
export const DeveloperRow = Schema.Struct({ ...Developer.fields, password_hash: Schema.String })
export type DeveloperRow = typeof DeveloperRow.Type

const identifier = text(1, 255)
const Origin = Text.check(
  Schema.isPattern(/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/i, { message: "must be an origin, like https://app.example" }),
)

const projectFields = {
  name: Name,
  /** The audience of identity tokens of `idp_a`. */
  bundle_id: Schema.NullOr(identifier),
  /** The audience of identity tokens of `idp_b`. */
  oauth_client_id: Schema.NullOr(identifier),
  /** Origins that a magic link may point to [B11]. */
  allowed_origins: Schema.Array(Origin).check(Schema.isMaxLength(100)),
  /** The cap of monthly active users, above which magic links create no new user. Null is no cap [B12]. */
  mau_cap: Schema.NullOr(Count.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))),
  /** Names of events that apps may not write, beside those that are reserved everywhere [G0.1]. */
  server_events: Schema.Array(text(1, 255)).check(Schema.isMaxLength(100)),
  /** How many hours ago an event of an app may have occurred [G0.2]. */
  client_backdate_hours: Count.check(Schema.isBetween({ minimum: 1, maximum: 8760 })),
  /** How often a user may write, by feature [I0.1]. */
  limits: ProjectLimits,
}

/** A project [C1]. Its users and their data are in a database of its own. */
export const Project = Schema.Struct({
  id: Uuid,
  ...projectFields,
  created_at: Timestamp,
  updated_at: Timestamp,
}).annotate({ identifier: "Project" })
export type Project = typeof Project.Type

/** A project as stored. It is hidden while `is_ready` is false: until its database can be used [C2]. */
export const ProjectRow = Schema.Struct({ ...Project.fields, is_ready: Schema.Boolean })
export type ProjectRow = typeof ProjectRow.Type

/** What a project has where nothing else is said. */
export const projectDefaults = {
  bundle_id: null,
  oauth_client_id: null,
  allowed_origins: [],
  mau_cap: null,
  server_events: [],
  client_backdate_hours: 720,
  limits: {},
} as const

/** The fields with which a project is created. Those left out have their defaults. */
export const NewProject = Schema.Struct(withDefaults(projectFields, projectDefaults)).annotate({
  identifier: "NewProject",
})
export type NewProject = Pick<typeof NewProject.Type, "name"> & Partial<typeof NewProject.Type>

/** The fields of a project that can be changed. Those left out stay, and so do limits that are not named. */
export const ProjectChanges = Schema.Struct(partial({ ...projectFields, limits: ProjectLimitChanges })).annotate({
  identifier: "ProjectChanges",
})
export type ProjectChanges = typeof ProjectChanges.Type

/** What a member may do [B3]: `viewer` reads, `admin` does everything but deleting the project and managing owners, `owner` everything. */
export const Role = Schema.Literals(["owner", "admin", "viewer"])
export type Role = typeof Role.Type

/** A developer's membership of a project. */
export const MemberRow = Schema.Struct({
  id: Uuid,
  project_id: Uuid,
  developer_id: Uuid,
  role: Role,
  created_at: Timestamp,
})
export type MemberRow = typeof MemberRow.Type

/** A member, as other members see it. */
export const Member = Schema.Struct({
  developer_id: Uuid,
  ...Struct.pick(Developer.fields, ["email", "name"]),
  ...Struct.pick(MemberRow.fields, ["role", "created_at"]),
}).annotate({ identifier: "Member" })
export type Member = typeof Member.Type

/** A client key: publishable, it identifies the project of an app's request [C3]. */
export const ApiKey = Schema.Struct({
  id: Uuid,
  name: Schema.NullOr(Name),
  key: Schema.String,
  created_at: Timestamp,
}).annotate({ identifier: "ApiKey" })
export type ApiKey = typeof ApiKey.Type

/** A client key as stored. */
export const ApiKeyRow = Schema.Struct({ ...ApiKey.fields, project_id: Uuid })
export type ApiKeyRow = typeof ApiKeyRow.Type
