import { Effect, Option } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { NotFound } from "../failure.ts"
import { type ListQuery, readLargeList } from "../list-cursor.ts"
import { orFail } from "../lookup.ts"
import type { Moderate } from "../moderation/content.ts"
import type { ModerationDb } from "../moderation/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { UserNotFound } from "../users/failures.ts"
import type { UsersDb } from "../users/port.ts"
import { describeMember, makeChangeMembers } from "./change-members.ts"
import { OwnerCannotLeave } from "./failures.ts"
import type { GroupChanges, GroupRole, NewGroupOfUser } from "./group.ts"
import { changesText, makeGroupRow } from "./groups.ts"
import { findMember, lockUsersAndGroup } from "./lock-group.ts"
import type { NewGroupMember } from "./member.ts"
import { readMembers } from "./memberships.ts"
import type { GroupsDb } from "./port.ts"
import { readRole, refuseFounder, refuseMember } from "./rules.ts"

const newestFirst = [
  ["created_at", "desc"],
  ["id", "desc"],
] as const

type Db = BackgroundDb & EventsDb & GroupsDb & ModerationDb & UsersDb

/** Groups of users, as developers see and change them (spec: admin plane, groups; I2). */
export const makeAdminGroups = (
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
  moderate: Pick<Moderate<Db>, "noteChange">,
) => {
  const members = makeChangeMembers(ids)

  return {
    /** Makes a group that a user (`owner_id`) owns [I2.1]. `USER_NOT_FOUND`; `QUOTA_EXCEEDED`. */
    create: Effect.fn("adminGroups.create")((projectId: string, { owner_id, ...input }: NewGroupOfUser) =>
      background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          yield* orFail(db.users.lock(owner_id), UserNotFound)
          const refusal = refuseFounder(yield* db.groups.countsOf(owner_id))
          if (refusal !== null) return yield* refusal
          return yield* members.found(db, makeGroupRow(ids.uuid(), owner_id, input, "shown", clock.now()))
        }),
      ),
    ),

    /** All groups, also those that are not public or not shown, the newest first [I2.1]. */
    list: (projectId: string, query: ListQuery) =>
      tenants.read(projectId, ({ groups }) =>
        readLargeList(query, {
          page: (slice) => groups.page({}, newestFirst, slice),
          after: ({ at, id }, slice) => groups.listAfter({}, newestFirst, { created_at: at, id }, slice),
          place: ({ created_at, id }) => ({ at: created_at, id }),
        }),
      ),

    /** One group [I2.1]. `NOT_FOUND`. */
    get: (projectId: string, id: string) =>
      orFail(
        tenants.read(projectId, (db) => db.groups.find({ id })),
        NotFound,
      ),

    /** Changes a group. A changed text, and whether it is public, makes it shown again [I6.3]. `NOT_FOUND`. */
    update: Effect.fn("adminGroups.update")((projectId: string, groupId: string, changes: GroupChanges) =>
      tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const group = yield* orFail(db.groups.lock(groupId), NotFound)
          if (Object.keys(changes).length === 0) return group
          const { name, description, avatar_url, is_public } = changes
          const isShown = [name, description, avatar_url, is_public].some((given) => given !== undefined)
          const moderation = isShown ? ("shown" as const) : group.moderation
          if (changesText(group, changes)) yield* moderate.noteChange(db, "group", groupId)
          const changed = { ...changes, moderation, updated_at: clock.now() }
          return yield* orFail(Effect.orDie(db.groups.update(groupId, changed)), NotFound)
        }),
      ),
    ),

    /** Removes a group with its members. Nothing happens where there is none (spec: admin plane, groups). */
    remove: (projectId: string, groupId: string) =>
      tenants.transact(projectId, (db) => db.groups.remove({ id: groupId })),

    /** The members of a group, those who joined first before others [I2.6]. `NOT_FOUND`. */
    members: (projectId: string, groupId: string, slice: Slice) =>
      tenants.read(projectId, (db) =>
        Effect.flatMap(orFail(db.groups.find({ id: groupId }), NotFound), (group) => readMembers(db, group, slice)),
      ),

    /**
     * Makes a user a member, and lifts a ban; a member already is answered as the row is [I2.5]. `NOT_FOUND` without the group;
     * `USER_NOT_FOUND`; `GROUP_FULL`; `QUOTA_EXCEEDED` over what the user may join [I0.2].
     */
    addMember: Effect.fn("adminGroups.addMember")(
      (projectId: string, groupId: string, { app_user_id, role }: NewGroupMember) =>
        background.transact(
          projectId,
          Effect.fnUntraced(function* (db: Db) {
            const { present, group: found } = yield* lockUsersAndGroup(db, [app_user_id], groupId)
            if (Option.isNone(found)) return yield* new NotFound()
            if (!present.has(app_user_id)) return yield* new UserNotFound()
            const group = found.value
            const member = yield* findMember(db, groupId, app_user_id)
            if (member !== null) return describeMember(group, member)
            const refusal = refuseMember(group, yield* db.groups.countsOf(app_user_id))
            if (refusal !== null) return yield* Effect.fail(refusal)
            yield* db.groupBans.remove({ group_id: groupId, app_user_id })
            return describeMember(group, yield* members.join(db, group, app_user_id, role === "admin", clock.now()))
          }),
        ),
    ),

    /**
     * Changes what a member is; `owner` hands the group over [I2.1]. `NOT_FOUND`; `OWNER_CANNOT_LEAVE` for another role of the owner;
     * `QUOTA_EXCEEDED` over what the member may own [I0.2].
     */
    changeRole: Effect.fn("adminGroups.changeRole")(
      (projectId: string, groupId: string, userId: string, role: GroupRole) =>
        tenants.transact(
          projectId,
          Effect.fnUntraced(function* (db: Db) {
            const { group: found } = yield* lockUsersAndGroup(db, [userId], groupId)
            const member = yield* findMember(db, groupId, userId)
            if (Option.isNone(found) || member === null) return yield* new NotFound()
            const group = found.value
            const present = readRole(group, member)
            if (present === role) return describeMember(group, member)
            if (present === "owner") return yield* new OwnerCannotLeave()
            const now = clock.now()
            if (role !== "owner")
              return describeMember(group, yield* members.setAdmin(db, member, role === "admin", now))
            return describeMember(yield* members.handOver(db, group, member, now), member)
          }),
        ),
    ),

    /** Takes a member out of a group. Nothing happens for who is none. `OWNER_CANNOT_LEAVE` [I2.1]. */
    removeMember: Effect.fn("adminGroups.removeMember")((projectId: string, groupId: string, userId: string) =>
      background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const { group } = yield* lockUsersAndGroup(db, [userId], groupId)
          const member = yield* findMember(db, groupId, userId)
          if (Option.isNone(group) || member === null) return
          if (group.value.owner_id === userId) return yield* new OwnerCannotLeave()
          yield* members.remove(db, member, clock.now())
        }),
      ),
    ),
  }
}
