import { Effect, Option } from "effect"
import { InvalidToken, NotFound } from "../failure.ts"
import { together } from "../together.ts"
import type { UsersDb } from "../users/port.ts"
import type { GroupRole, GroupRow } from "./group.ts"
import type { GroupMemberRow } from "./member.ts"
import type { GroupsDb } from "./port.ts"
import { type Right, readRole, refuseRole, refuseStranger } from "./rules.ts"

/** The row of a user in a group; null where there is none. */
export const findMember = (db: Pick<GroupsDb, "groupMembers">, group_id: string, app_user_id: string) =>
  Effect.map(db.groupMembers.find({ group_id, app_user_id }), Option.getOrNull)

/** A group with what the caller is in it. */
export interface SeenGroup {
  readonly group: GroupRow
  readonly member: GroupMemberRow | null
  readonly role: GroupRole | null
}

/** Adds what the caller is in the group, who must see it [I2.3]. */
const addCaller = Effect.fnUntraced(function* (
  db: Pick<GroupsDb, "groupMembers">,
  found: Option.Option<GroupRow>,
  userId: string,
): Effect.fn.Return<SeenGroup, NotFound> {
  if (Option.isNone(found)) return yield* new NotFound()
  const group = found.value
  const member = yield* findMember(db, group.id, userId)
  const role = readRole(group, member)
  const refusal = refuseStranger(group, role)
  return refusal === null ? { group, member, role } : yield* refusal
})

const requireRight = (seen: SeenGroup, right: Right) => {
  const refusal = refuseRole(seen.role, right)
  return refusal === null ? Effect.succeed(seen) : Effect.fail(refusal)
}

/** Reads a group for a caller who must see it. */
export const seeGroup = (db: GroupsDb, userId: string, groupId: string) =>
  Effect.flatMap(db.groups.find({ id: groupId }), (found) => addCaller(db, found, userId))

/** Reads a group for a caller who must have this right [I2.4]. */
export const seeForRight = (db: GroupsDb, userId: string, groupId: string, right: Right) =>
  Effect.flatMap(seeGroup(db, userId, groupId), (seen) => requireRight(seen, right))

/**
 * Locks users by id and then a group, in one round trip. Answers the group, and which of the users exist. Users are locked against
 * each other, so that what they have can be counted [I0.2].
 */
export const lockUsersAndGroup = Effect.fnUntraced(function* (
  db: GroupsDb & UsersDb,
  userIds: ReadonlyArray<string>,
  groupId: string,
) {
  const [present, group] = yield* together([db.users.lockMany([...new Set(userIds)]), db.groups.lock(groupId)])
  return { present: new Set(present), group }
})

/** Locks the caller, others and the group. A caller who is gone has no valid token any more. */
export const lockForCaller = Effect.fnUntraced(function* (
  db: GroupsDb & UsersDb,
  userId: string,
  groupId: string,
  others: ReadonlyArray<string> = [],
) {
  const { present, group } = yield* lockUsersAndGroup(db, [userId, ...others], groupId)
  return present.has(userId) ? group : yield* new InvalidToken()
})

/** The same for a caller who must have this right. */
export const lockForRight = Effect.fnUntraced(function* (
  db: GroupsDb & UsersDb,
  userId: string,
  groupId: string,
  right: Right,
  others: ReadonlyArray<string> = [],
) {
  const found = yield* lockForCaller(db, userId, groupId, others)
  return yield* requireRight(yield* addCaller(db, found, userId), right)
})
