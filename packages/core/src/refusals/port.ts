import type { Effect } from "effect"
import type { Page, Slice } from "../ports/table.ts"
import type { RefusedCallRow } from "./record.ts"

/** Which refused calls are listed. */
export interface RefusedQuery {
  readonly code: string | null
  readonly status: number | null
  /** Only those of which the last one was at this time or later. */
  readonly since: Date
}

/** What is kept of refused calls. */
export interface RefusedBounds {
  /** Rows of which the last call was before this time are removed, of all projects. */
  readonly since: Date
  /** The most rows of one project and caller: those of the latest calls stay. */
  readonly most: number
}

/** Refused calls, counted. Unique: project, caller, method, path, status and code. Removed with their project. */
export interface RefusedCalls {
  /**
   * Adds these to what is known, each kind once among them: counts add up, the first time is the earliest, and message, request id and
   * last time are those of the latest call. What is too old goes before that, and what is too much goes after it. Rows of projects that
   * are gone are left out. Locks no row of a project against anything but its removal.
   */
  add(rows: ReadonlyArray<RefusedCallRow>, bounds: RefusedBounds): Effect.Effect<void>
  /** Those of a project, the latest first. */
  page(projectId: string, query: RefusedQuery, slice: Slice): Effect.Effect<Page<RefusedCallRow>>
}

/** What the control database has of refused calls. */
export interface RefusalsControlDb {
  readonly refusedCalls: RefusedCalls
}
