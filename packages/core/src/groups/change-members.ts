import { Effect, Option } from "effect"
import type { PlatformEvent } from "../events/event.ts"
import type { EventsDb } from "../events/port.ts"
import { NotFound } from "../failure.ts"
import type { Ids } from "../ports/ids.ts"
import type { GroupRow } from "./group.ts"
import type { GroupMember, GroupMemberRow } from "./member.ts"
import type { GroupsDb } from "./port.ts"
import { readRole, refuseOwner } from "./rules.ts"

type Db = EventsDb & GroupsDb

/** A member as it is answered. */
export const describeMember = (group: Pick<GroupRow, "owner_id">, member: GroupMemberRow): GroupMember => ({
  ...{ group_id: member.group_id, app_user_id: member.app_user_id, joined_at: member.joined_at },
  role: readRole(group, member) ?? "member",
})

/** What changes who is in a group. The users and the group are locked, in this order. */
export const makeChangeMembers = ({ uuid }: Pick<Ids, "uuid">) => {
  /** Writes an event of a member [I2.6]. Its cause is their row, which is another one where they come back. */
  const tell = (db: EventsDb, event_name: string, { id, group_id, app_user_id }: GroupMemberRow, at: Date) => {
    const event: PlatformEvent = {
      ...{ app_user_id, event_name, occurred_at: at, properties: { group_id } },
      cause_key: `groups/${id}/${event_name}`,
    }
    return db.events.insertCaused([{ ...event, id: uuid() }])
  }

  const add = Effect.fnUntraced(function* (
    db: Db,
    event: "group_created" | "group_joined",
    given: Pick<GroupMemberRow, "group_id" | "app_user_id" | "is_admin" | "joined_at">,
  ) {
    const member: GroupMemberRow = { id: uuid(), ...given }
    yield* db.groupMembers.add(member)
    yield* tell(db, event, member, member.joined_at)
    return member
  })

  return {
    /** Writes a new group with its owner as the only member. Answers it with that one counted. */
    found: Effect.fnUntraced(function* (db: Db, group: GroupRow) {
      yield* Effect.orDie(db.groups.insert(group))
      const owner = { group_id: group.id, app_user_id: group.owner_id, is_admin: true, joined_at: group.created_at }
      yield* add(db, "group_created", owner)
      return { ...group, member_count: group.member_count + 1 }
    }),

    /** Adds a member. */
    join: (db: Db, group: GroupRow, app_user_id: string, is_admin: boolean, joined_at: Date) =>
      add(db, "group_joined", { group_id: group.id, app_user_id, is_admin, joined_at }),

    /** Removes a member, whose invites end [I2.5]. */
    remove: Effect.fnUntraced(function* (db: Db, member: GroupMemberRow, at: Date) {
      yield* db.groupMembers.remove(member.group_id, member.app_user_id)
      if (member.is_admin) yield* db.groupInvites.end(member.group_id, { created_by: member.app_user_id }, at)
      yield* tell(db, "group_left", member, at)
    }),

    /** Hands a group over to a member; who owned it is an admin from then on [I2.1]. */
    handOver: Effect.fnUntraced(function* (db: Db, group: GroupRow, to: GroupMemberRow, at: Date) {
      const refusal = refuseOwner(yield* db.groups.countsOf(to.app_user_id))
      if (refusal !== null) return yield* refusal
      yield* Effect.orDie(db.groupMembers.update(to.id, { is_admin: true }))
      const changed = yield* Effect.orDie(db.groups.update(group.id, { owner_id: to.app_user_id, updated_at: at }))
      return Option.isSome(changed) ? changed.value : yield* new NotFound()
    }),

    /** Makes a member who is not the owner an admin, or no admin: then their invites end [I2.5]. */
    setAdmin: Effect.fnUntraced(function* (db: Db, member: GroupMemberRow, is_admin: boolean, at: Date) {
      yield* Effect.orDie(db.groupMembers.update(member.id, { is_admin }))
      if (!is_admin) yield* db.groupInvites.end(member.group_id, { created_by: member.app_user_id }, at)
      return { ...member, is_admin }
    }),
  }
}
