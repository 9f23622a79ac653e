import type { Effect } from "effect"
import type { SessionStore } from "../auth/port.ts"
import type { ProjectJobs } from "../background/port.ts"
import type { ApiKeyRow, DeveloperRow, Member, MemberRow, ProjectRow, Role } from "../projects/records.ts"
import type { Page, Slice, Table } from "./table.ts"

/** What is about no single project: developers, their sessions, and the list of projects. */
export interface ControlDb {
  /** Unique: `email`. */
  readonly developers: Table<DeveloperRow>
  readonly sessions: SessionStore
  readonly projects: Table<ProjectRow> & {
    /** The ready projects of a member, newest first. */
    pageOfMember(developerId: string, slice: Slice): Effect.Effect<Page<ProjectRow>>
  }
  /** Unique: (`project_id`, `developer_id`). Gone with their project or developer. */
  readonly members: Table<MemberRow> & {
    /** The members of a project with who they are, the oldest membership first. */
    pageOfProject(projectId: string, slice: Slice): Effect.Effect<Page<Member>>
    /** The role of a developer in a ready project; null for no member and for no project. */
    roleOf(projectId: string, developerId: string): Effect.Effect<Role | null>
    /** Locks the owners of a project until the transaction ends and answers how many there are. */
    lockOwners(projectId: string): Effect.Effect<number>
  }
  /** Unique: `key`. Gone with their project. */
  readonly apiKeys: Table<ApiKeyRow> & {
    /** The ready project that a client key belongs to; null for an unknown key. */
    projectOf(key: string): Effect.Effect<string | null>
  }
  /** Gone with their project. */
  readonly jobs: ProjectJobs
}

/** The control database. */
export interface ControlPlane {
  /** Runs `work` outside of a transaction: each statement stands for itself and is committed when it answers. */
  read<A, E>(work: (db: ControlDb) => Effect.Effect<A, E>): Effect.Effect<A, E>
  /**
   * Runs `work` in one transaction: all of it is committed when it succeeds, nothing when it fails, dies or is interrupted.
   * A `Duplicate` or a defect of a statement ends the transaction, as in PostgreSQL: work that goes on after it and succeeds dies.
   */
  transact<A, E>(work: (db: ControlDb) => Effect.Effect<A, E>): Effect.Effect<A, E>
}
