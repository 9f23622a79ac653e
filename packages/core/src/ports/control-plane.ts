import type { Effect } from "effect"
import type { SessionStore } from "../auth/port.ts"
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
  readonly activity: Activity
}

/**
 * Which projects may have work waiting, so that nobody has to open the databases of idle ones to find out.
 * A project is marked before its work commits, and is looked at until it was found drained after the mark. Its segments are
 * evaluated by the time alone, marked or not.
 */
export interface Activity {
  /**
   * Notes that work may be committed in a project within the next minute. An earlier mark than the last, or a project that
   * is not there, changes nothing.
   */
  mark(projectId: string, at: Date): Effect.Effect<void>
  /**
   * Notes that nothing was waiting at `at`, and when the project has to be looked at without being marked; null is never.
   * An earlier `at` than the last, or a project that is not there, changes nothing.
   */
  drained(projectId: string, at: Date, wakeAt: Date | null): Effect.Effect<void>
  /** Ready projects to look at: marked less than two minutes before they were last drained or after it, never drained, or with their wake time reached. */
  due(now: Date): Effect.Effect<ReadonlyArray<string>>
  /**
   * Ready projects whose segments are to be evaluated: the time noted for that has come, or none was noted yet. Those
   * without a time first, then by their time; all of them where `limit` is left out.
   */
  evaluationsDue(now: Date, limit?: number): Effect.Effect<ReadonlyArray<string>>
  /**
   * Notes when the segments of a project are to be evaluated next. An earlier time than the one noted, or a project that is
   * not there, changes nothing: whoever has evaluated later knows better.
   */
  evaluated(projectId: string, nextAt: Date): Effect.Effect<void>
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
