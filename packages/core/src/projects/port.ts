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
  /**
   * The role of a developer in a ready project as it is now. It stays until the transaction ends, and so does the project:
   * locked against removal, or with `forRemoval` against every other change. The project is locked first.
   */
  lockRole(
    projectId: string,
    developerId: string,
    options?: { readonly forRemoval: boolean },
  ): Effect.Effect<Role | null>
  /**
   * Locks the owners of a ready project and the memberships of these developers until the transaction ends, the project first
   * and then members by id, and answers their roles as they are now. None for a project that is not ready.
   */
  lockRoles(projectId: string, developerIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, Role>>
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
