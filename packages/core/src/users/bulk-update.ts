import { Effect, Schema } from "effect"
import { NotFound } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import { Count, JsonObject, Uuid } from "../schema.ts"
import { SystemSegment } from "../segments/failures.ts"
import type { SegmentsDb } from "../segments/port.ts"
import { type BulkUpdate, parseBulkUpdate } from "./parse-bulk-update.ts"
import type { UsersDb } from "./port.ts"
import { maxPropertiesBytes, mergeProperties, propertiesBytes } from "./properties.ts"

/** The body of a bulk update, for the API reference. `parseBulkUpdate` validates it, with a code for each mistake. */
export const BulkUpdateInput = Schema.Struct({
  user_ids: Schema.Array(Uuid),
  updates: Schema.Struct({
    properties: Schema.optionalKey(JsonObject),
    add_segment_ids: Schema.optionalKey(Schema.Array(Uuid)),
    remove_segment_ids: Schema.optionalKey(Schema.Array(Uuid)),
  }),
}).annotate({ identifier: "BulkUpdateInput" })

/** How many users were updated, and which were not, in the order of the request. */
export const BulkUpdated = Schema.Struct({
  updated: Count,
  failed: Schema.Array(
    Schema.Struct({ user_id: Uuid, reason: Schema.Literals(["NOT_FOUND", "PROPERTIES_TOO_LARGE"]) }),
  ),
}).annotate({ identifier: "BulkUpdated" })
export type BulkUpdated = typeof BulkUpdated.Type

// Their properties can have 64 KB each, so only a few are held in memory at once.
const candidatesAtOnce = 32

/** The users whose properties would be too large after the merge. */
const findTooLarge = Effect.fnUntraced(function* (db: UsersDb, ids: ReadonlyArray<string>, changes: JsonObject) {
  if (Object.keys(changes).length === 0) return new Set<string>()
  // The merged properties contain all of the changes.
  if (propertiesBytes(changes) > maxPropertiesBytes) return new Set(ids)
  const large = new Set<string>()
  const candidates = yield* db.users.mayExceed(ids, changes, maxPropertiesBytes)
  for (let from = 0; from < candidates.length; from += candidatesAtOnce) {
    const known = yield* db.users.propertiesOf(candidates.slice(from, from + candidatesAtOnce))
    for (const [id, properties] of known) {
      if (propertiesBytes(mergeProperties(properties, changes)) > maxPropertiesBytes) large.add(id)
    }
  }
  return large
})

/** Locks the segments. `joined` are those to add users to, `left` those to remove them from. A segment in both is only left. */
const lockSegments = Effect.fnUntraced(function* (db: SegmentsDb, update: BulkUpdate) {
  const { add_segment_ids, remove_segment_ids } = update
  const named = [...new Set([...add_segment_ids, ...remove_segment_ids])]
  if (named.length === 0) return { joined: [], left: [] }
  const locked = yield* db.segmentMembers.lockSegments(named)
  const known = new Set(locked.map(({ id }) => id))
  const unknown = add_segment_ids.filter((id) => !known.has(id))
  if (unknown.length > 0) return yield* new NotFound({ segment_ids: unknown })
  const system = locked.filter(({ is_system }) => is_system).map(({ id }) => id)
  if (system.length > 0) return yield* new SystemSegment({ segment_ids: system })
  const leaving = new Set(remove_segment_ids)
  return {
    joined: add_segment_ids.filter((id) => !leaving.has(id)),
    left: remove_segment_ids.filter((id) => known.has(id)),
  }
})

const applyUpdate = Effect.fnUntraced(function* (db: SegmentsDb & UsersDb, update: BulkUpdate, now: Date) {
  const found = yield* db.users.lockMany(update.user_ids)
  const { joined, left } = yield* lockSegments(db, update)
  const large = yield* findTooLarge(db, found, update.properties)
  const users = found.filter((id) => !large.has(id))
  if (users.length > 0) {
    if (Object.keys(update.properties).length > 0) yield* db.users.mergeProperties(users, update.properties, now)
    if (joined.length > 0) yield* db.segmentMembers.add(joined, users, now)
    if (left.length > 0) yield* db.segmentMembers.remove(left, users)
  }
  const existing = new Set(found)
  const failed = update.user_ids.flatMap((user_id): BulkUpdated["failed"] => {
    if (!existing.has(user_id)) return [{ user_id, reason: "NOT_FOUND" }]
    return large.has(user_id) ? [{ user_id, reason: "PROPERTIES_TOO_LARGE" }] : []
  })
  return { updated: users.length, failed } satisfies BulkUpdated
})

/**
 * Changes many users in one transaction: merges properties, adds them to segments and removes them (spec: bulk update). A
 * user who does not exist, or whose properties would be too large, is left unchanged and listed in `failed`. An unknown
 * segment to add to, and a system segment, refuse the whole call.
 */
export const makeBulkUpdate = ({ clock, tenants }: Pick<Ports<SegmentsDb & UsersDb>, "clock" | "tenants">) =>
  Effect.fn("users.bulkUpdate")(function* (projectId: string, body: unknown) {
    const update = yield* Effect.fromResult(parseBulkUpdate(body))
    return yield* tenants.transact(projectId, (db) => applyUpdate(db, update, clock.now()))
  })
