import { Result } from "effect"
import { type InputIssue, mostIssues } from "../input-issues.ts"
import { findJsonFault } from "../json-faults.ts"
import { isObject, isUuid, type JsonObject } from "../schema.ts"
import { EmptyUpdates, InvalidBody, InvalidUserIds, InvalidUuid, MissingUserIds, TooManyUsers } from "./failures.ts"

/** The most users of one call (spec: limits). */
export const maxBulkUsers = 1_000

/** A parsed bulk update. Ids are in lower case, without repetition, in the order of the request. */
export interface BulkUpdate {
  readonly user_ids: ReadonlyArray<string>
  /** Merged at the top level; `{}` changes nothing. */
  readonly properties: JsonObject
  readonly add_segment_ids: ReadonlyArray<string>
  readonly remove_segment_ids: ReadonlyArray<string>
}

/** The failures of parsing a bulk update. */
export type BulkUpdateRefusal =
  | EmptyUpdates
  | InvalidBody
  | InvalidUserIds
  | InvalidUuid
  | MissingUserIds
  | TooManyUsers

interface Updates {
  readonly properties: JsonObject
  readonly add_segment_ids: ReadonlyArray<unknown>
  readonly remove_segment_ids: ReadonlyArray<unknown>
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

const parseUserIds = (
  given: unknown,
): Result.Result<ReadonlyArray<string>, MissingUserIds | InvalidUserIds | TooManyUsers> => {
  if (isAbsent(given) || (Array.isArray(given) && given.length === 0)) return Result.fail(new MissingUserIds())
  if (!Array.isArray(given)) return Result.fail(new InvalidUserIds())
  const issues = given.flatMap((id, index) =>
    typeof id === "string" ? [] : [{ path: `user_ids.${index}`, message: "must be a string" }],
  )
  if (issues.length > 0) return Result.fail(new InvalidUserIds({ issues: issues.slice(0, mostIssues) }))
  return given.length > maxBulkUsers
    ? Result.fail(new TooManyUsers({ limit: maxBulkUsers, supplied: given.length }))
    : Result.succeed(given)
}

const parseUpdates = (given: unknown): Result.Result<Updates, EmptyUpdates | InvalidBody> => {
  if (isAbsent(given)) return Result.fail(new EmptyUpdates())
  if (!isObject(given)) {
    return Result.fail(new InvalidBody({ issues: [{ path: "updates", message: "must be an object" }] }))
  }
  const { properties = {}, add_segment_ids = [], remove_segment_ids = [] } = given
  const issues: ReadonlyArray<InputIssue> = [
    ...(isObject(properties) ? [] : [{ path: "updates.properties", message: "must be an object" }]),
    ...Object.entries({ add_segment_ids, remove_segment_ids }).flatMap(([name, list]) =>
      Array.isArray(list) ? [] : [{ path: `updates.${name}`, message: "must be an array" }],
    ),
  ]
  if (!isObject(properties) || !Array.isArray(add_segment_ids) || !Array.isArray(remove_segment_ids)) {
    return Result.fail(new InvalidBody({ issues }))
  }
  const fault = findJsonFault(properties, "updates.properties")
  if (fault !== null) return Result.fail(new InvalidBody({ issues: [{ ...fault, path: fault.path || "updates" }] }))
  const size = Object.keys(properties).length + add_segment_ids.length + remove_segment_ids.length
  const updates = { properties: properties as JsonObject, add_segment_ids, remove_segment_ids }
  return size === 0 ? Result.fail(new EmptyUpdates()) : Result.succeed(updates)
}

const checkUuids = (path: string, ids: ReadonlyArray<unknown>): ReadonlyArray<InputIssue> =>
  ids.flatMap((id, index) => (isUuid(id) ? [] : [{ path: `${path}.${index}`, message: "must be a uuid" }]))

/** Lower-cases ids and removes repetitions. Only for ids that passed `checkUuids`. */
const normalizeIds = (ids: ReadonlyArray<unknown>): ReadonlyArray<string> => [
  ...new Set(ids.map((id) => String(id).toLowerCase())),
]

/**
 * Parses the body of a bulk update. It is checked in this order: the body is an object; `user_ids` is not empty, is an array
 * of strings and not too long; `updates` is not empty and has the right types; every id is a uuid.
 */
export const parseBulkUpdate = (body: unknown): Result.Result<BulkUpdate, BulkUpdateRefusal> => {
  if (!isObject(body)) {
    return Result.fail(new InvalidBody({ issues: [{ path: "", message: "must be an object" }] }))
  }
  const userIds = parseUserIds(body["user_ids"])
  if (Result.isFailure(userIds)) return Result.fail(userIds.failure)
  const updates = parseUpdates(body["updates"])
  if (Result.isFailure(updates)) return Result.fail(updates.failure)
  const { properties, add_segment_ids, remove_segment_ids } = updates.success
  const issues = [
    ...checkUuids("user_ids", userIds.success),
    ...checkUuids("updates.add_segment_ids", add_segment_ids),
    ...checkUuids("updates.remove_segment_ids", remove_segment_ids),
  ]
  if (issues.length > 0) return Result.fail(new InvalidUuid({ issues: issues.slice(0, mostIssues) }))
  return Result.succeed({
    user_ids: normalizeIds(userIds.success),
    properties,
    add_segment_ids: normalizeIds(add_segment_ids),
    remove_segment_ids: normalizeIds(remove_segment_ids),
  })
}
