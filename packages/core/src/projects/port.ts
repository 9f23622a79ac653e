import type { Effect } from "effect"
import type { SessionStore } from "../auth/port.ts"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { ApiKeyRow, DeveloperRow, Member, MemberRow, ProjectRow, Role } from "./records.ts"

/** All projects. */
export interface Projects extends Table<ProjectRow> {
  /** The ready projects of a member, newest first. */
  pageOfMember(developerId: string, slice: Slice): Effect.Effect<Page<ProjectRow>>
}

/** Memberships of developers in projects. Unique: (`project_id`, `developer_id`). Removed with their project or developer. */
export interface Members extends Table<MemberRow> {
  /** The members of a project with email and name, the oldest membership first. */
  pageOfProject(projectId: string, slice: Slice): Effect.Effect<Page<Member>>
  /** The role of a developer in a ready project. Null without a membership and for an unknown project. */
  roleOf(projectId: string, developerId: string): Effect.Effect<Role | null>
  /** Locks the owners of a project until the transaction ends and answers how many there are. */
  lockOwners(projectId: string): Effect.Effect<number>
}

/** Client keys. Unique: `key`. Removed with their project. */
export interface ApiKeys extends Table<ApiKeyRow> {
  /** The ready project that a client key belongs to; null for an unknown key. */
  projectOf(key: string): Effect.Effect<string | null>
}

/** What the control database has about projects and developers. */
export interface ProjectsDb {
  /** Unique: `email`. */
  readonly developers: Table<DeveloperRow>
  /** The sessions of developers. */
  readonly sessions: SessionStore
  readonly projects: Projects
  readonly members: Members
  readonly apiKeys: ApiKeys
}
