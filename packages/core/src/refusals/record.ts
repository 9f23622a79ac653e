import { Schema, Struct } from "effect"
import { Count, Text, Timestamp, Uuid } from "../schema.ts"

/**
 * Who made a call: an app that has shown a client key of the project, a developer who is a member, or somebody of whom no credential
 * has told that they belong to the project.
 */
export const RefusedCaller = Schema.Literals(["app", "developer", "unknown"])

/** Calls of one kind that were refused in a project, counted. Nothing of it but the request id comes from a caller. */
export const RefusedCallRow = Schema.Struct({
  id: Uuid,
  project_id: Uuid,
  caller: RefusedCaller,
  method: Text,
  /** The pattern of the route, never the path of a request. */
  path: Text,
  status: Count,
  code: Text,
  /** What the last of them was told. */
  message: Text,
  /** The id of the last one. */
  request_id: Text,
  count: Count,
  first_at: Timestamp,
  last_at: Timestamp,
})

/** Calls of one kind that were refused in a project. */
export type RefusedCallRow = typeof RefusedCallRow.Type

/** Calls of one kind that were refused, as they are listed. */
export const RefusedCall = Schema.Struct(Struct.omit(RefusedCallRow.fields, ["project_id"]))

/** A call that was refused. */
export type Refused = Omit<RefusedCallRow, "id" | "count" | "first_at" | "last_at">
