import type { Effect } from "effect"
import type { ProjectCounts, ProjectItemKind, projectItems, UserItemKind, userItems } from "./items.ts"
import type { Snapshot } from "./snapshot.ts"

/** What is known of the database when it is read. */
export interface Taken {
  readonly snapshot: Snapshot
  /** How long the oldest transaction that writes has run, in milliseconds; 0 where there is none. */
  readonly running_millis: number
}

/** Which rows are new: those that `upto` has and `after` has not, among those whose id is at or after `from_id`. */
export interface NewRows {
  readonly after: Snapshot
  /** Null is the present. */
  readonly upto: Snapshot | null
  readonly from_id: string
}

/** Something new for a user, and the transaction that wrote it. */
export type UserItem = {
  readonly [Kind in UserItemKind]: {
    readonly kind: Kind
    readonly user_id: string
    readonly xid: string
    readonly item: (typeof userItems)[Kind]["Type"]
  }
}[UserItemKind]

/** Which part of what is new in a project is wanted. */
export interface ProjectFilter {
  readonly event_name: string | null
  readonly user_id: string | null
}

/** Something new in a project. */
export type ProjectItem = {
  readonly [Kind in ProjectItemKind]: { readonly kind: Kind; readonly item: (typeof projectItems)[Kind]["Type"] }
}[ProjectItemKind]

/** What is new in a project: how much, and the newest of it. */
export interface ProjectNews extends Taken {
  readonly counts: ProjectCounts
  /** How many of the events have which name: those with the most. */
  readonly names: ReadonlyArray<{ readonly event_name: string; readonly count: number }>
  /** Up to `limit` of each kind, the newest first. */
  readonly items: ReadonlyArray<ProjectItem>
}

/**
 * Reads what was committed since a snapshot: each row exactly once over snapshots that follow one another, in whatever order
 * transactions commit. A row that is changed is new again. Nothing is written.
 */
export interface LiveReading {
  /** What is committed now. */
  take(): Effect.Effect<Taken>
  /**
   * What is new for these users, as their lists show it: messages that they see, by id; what they unlocked, were given and
   * reached; feed items of their own and of those whom they follow; and their streaks. Up to `limit`, by id, streaks last.
   */
  ofUsers(
    rows: NewRows,
    userIds: ReadonlyArray<string>,
    limit: number,
  ): Effect.Effect<Taken & { readonly items: ReadonlyArray<UserItem> }>
  /** How much is new for each of these users who have anything: what `ofUsers` answers without a limit. */
  countOfUsers(rows: NewRows, userIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, number>>
  /**
   * What is new in a project. With an `event_name` only the events of that name, and what was done for these or was set aside of
   * them. Streaks are those of the users with the newest events, so they are not all that there are, and are not counted.
   */
  ofProject(rows: NewRows, filter: ProjectFilter, limit: number): Effect.Effect<ProjectNews>
}

/** What a project's database has for streams. */
export interface LiveDb {
  readonly live: LiveReading
}
