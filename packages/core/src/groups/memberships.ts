import { Effect, Option } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { type Forbidden, NotFound } from "../failure.ts"
import type { Limits } from "../limits/limits.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { together } from "../together.ts"
import type { UsersDb } from "../users/port.ts"
import { describeMember, makeChangeMembers } from "./change-members.ts"
import { InviteNotFound, type NotPublic, OwnerCannotLeave } from "./failures.ts"
import type { GroupRow } from "./group.ts"
import { findMember, lockForCaller, lockForRight, seeGroup } from "./lock-group.ts"
import type { KickedMember, LeftGroup } from "./member.ts"
import type { GroupsDb } from "./port.ts"
import {
  isLive,
  readInviteCode,
  readRole,
  refuseInvited,
  refuseKick,
  refuseMember,
  refuseUninvited,
  useInvite,
} from "./rules.ts"

type Db = BackgroundDb & EventsDb & GroupsDb & UsersDb

const left: typeof LeftGroup.Type = { left: true }
const kicked: typeof KickedMember.Type = { kicked: true }

/** A slice of the members of a group, and how many there are. */
export const readMembers = Effect.fnUntraced(function* (db: GroupsDb, group: GroupRow, slice: Slice) {
  const rows = yield* db.groupMembers.listWithUsers(group.id, slice)
  return {
    rows: rows.map(({ member, user }) => ({ ...describeMember(group, member), app_users: user })),
    total: group.member_count,
  }
})

/** Who is in a group, and how users come and go (spec: client plane, groups; I2). */
export const makeMemberships = (
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
  limits: Pick<Limits, "inviteTry">,
) => {
  const members = makeChangeMembers(ids)

  /** Lets a user in who is locked, as is the group. Who is a member already stays as they are, and nothing of `options` is asked. */
  const enter = Effect.fnUntraced(function* <E extends Forbidden | NotPublic>(
    db: Db,
    group: GroupRow,
    userId: string,
    options: {
      readonly refuse: (isBanned: boolean) => E | null
      readonly onEntry: (now: Date) => Effect.Effect<unknown>
    },
  ) {
    const [present, banned, counts] = yield* together([
      findMember(db, group.id, userId),
      db.groupBans.find({ group_id: group.id, app_user_id: userId }),
      db.groups.countsOf(userId),
    ])
    if (present !== null) return describeMember(group, present)
    const refusal = options.refuse(Option.isSome(banned)) ?? refuseMember(group, counts)
    if (refusal !== null) return yield* Effect.fail(refusal)
    const now = clock.now()
    yield* options.onEntry(now)
    return describeMember(group, yield* members.join(db, group, userId, false, now))
  })

  return {
    /**
     * Makes the user a member of a public group; a member already is answered as the row is [I2.3]. `NOT_FOUND`; `NOT_PUBLIC`;
     * `FORBIDDEN` for who was banned [I2.5]; `GROUP_FULL`; `QUOTA_EXCEEDED` over 5,000 memberships [I0.2]; `INVALID_TOKEN` for a user who
     * is gone.
     */
    join: Effect.fn("groups.join")((projectId: string, userId: string, groupId: string) =>
      background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const group = yield* orFail(lockForCaller(db, userId, groupId), NotFound)
          return yield* enter(db, group, userId, {
            refuse: (isBanned) => refuseUninvited(group, isBanned),
            onEntry: () => Effect.void,
          })
        }),
      ),
    ),

    /**
     * Makes the user a member of the group that the code invites into; a member's call uses none [I2.5]. `INVITE_NOT_FOUND`; `FORBIDDEN`
     * for who was banned; `GROUP_FULL`; `QUOTA_EXCEEDED` over 5,000 memberships [I0.2]; `RATE_LIMIT_EXCEEDED` for too many tries [I0.1];
     * `INVALID_TOKEN` for a user who is gone.
     */
    joinByCode: Effect.fn("groups.joinByCode")(function* (projectId: string, userId: string, given: string) {
      yield* limits.inviteTry(projectId, userId)
      return yield* background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const code = readInviteCode(given)
          if (code === null) return yield* new InviteNotFound()
          // Of which group it is never changes, so the user and the group can be locked before it is read again.
          const seen = yield* orFail(db.groupInvites.find({ code }), InviteNotFound)
          const group = yield* orFail(lockForCaller(db, userId, seen.group_id), InviteNotFound)
          const invite = yield* orFail(db.groupInvites.find({ id: seen.id }), InviteNotFound)
          if (!isLive(invite, clock.now())) return yield* new InviteNotFound()
          return yield* enter(db, group, userId, {
            refuse: refuseInvited,
            onEntry: (now) => Effect.orDie(db.groupInvites.update(invite.id, useInvite(invite, now))),
          })
        }),
      )
    }),

    /**
     * Takes the user out of a group; nothing happens for who is no member [I2.3]. `OWNER_CANNOT_LEAVE`; `INVALID_TOKEN` for a user who is
     * gone.
     */
    leave: Effect.fn("groups.leave")((projectId: string, userId: string, groupId: string) =>
      background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const group = yield* lockForCaller(db, userId, groupId)
          const member = yield* findMember(db, groupId, userId)
          if (Option.isNone(group) || member === null) return left
          if (group.value.owner_id === userId) return yield* new OwnerCannotLeave()
          yield* members.remove(db, member, clock.now())
          return left
        }),
      ),
    ),

    /**
     * Takes a member out of a group, by its owner or an admin; `ban` keeps them out [I2.4, I2.5]. `NOT_FOUND` where the caller does not
     * see the group, or for no member; `FORBIDDEN`; `OWNER_CANNOT_LEAVE`; `INVALID_TOKEN` for a user who is gone.
     */
    kick: Effect.fn("groups.kick")(
      (projectId: string, userId: string, groupId: string, kickedId: string, ban: boolean) =>
        background.transact(
          projectId,
          Effect.fnUntraced(function* (db: Db) {
            const { group, role } = yield* lockForRight(db, userId, groupId, "admin", [kickedId])
            const member = yield* findMember(db, groupId, kickedId)
            if (member === null) return yield* new NotFound()
            const refusal = refuseKick(role, readRole(group, member))
            if (refusal !== null) return yield* Effect.fail(refusal)
            const now = clock.now()
            yield* members.remove(db, member, now)
            if (!ban) return kicked
            const row = { id: ids.uuid(), group_id: groupId, app_user_id: kickedId, created_at: now }
            yield* Effect.orDie(db.groupBans.insert(row))
            return kicked
          }),
        ),
    ),

    /** The members of a group that the user sees, those who joined first before others [I2.6]. `NOT_FOUND`. */
    members: (projectId: string, userId: string, groupId: string, slice: Slice) =>
      tenants.read(projectId, (db) =>
        Effect.flatMap(seeGroup(db, userId, groupId), ({ group }) => readMembers(db, group, slice)),
      ),
  }
}
