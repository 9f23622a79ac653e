import { Effect } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken, NotFound } from "../failure.ts"
import type { Limits } from "../limits/limits.ts"
import { orFail } from "../lookup.ts"
import type { Moderate, WrittenText } from "../moderation/content.ts"
import type { ModerationDb } from "../moderation/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { UsersDb } from "../users/port.ts"
import { makeChangeMembers } from "./change-members.ts"
import type { GroupChanges, GroupRow, GroupView, NewGroup } from "./group.ts"
import { findMember, lockForRight, seeForRight, seeGroup } from "./lock-group.ts"
import type { GroupsDb } from "./port.ts"
import { readRole, refuseFounder } from "./rules.ts"

type Db = BackgroundDb & EventsDb & GroupsDb & ModerationDb & UsersDb

/** What rules of moderation read of a group, or of a change of one [I6.1]. */
export const readTexts = ({ name, description, avatar_url }: GroupChanges): WrittenText => ({
  texts: [name ?? null, description ?? null],
  urls: [avatar_url ?? null],
})

/** Which of the texts that are given differ from those of the group. */
export const changesText = (group: GroupRow, changes: GroupChanges): boolean =>
  (["name", "description", "avatar_url"] as const).some(
    (field) => changes[field] !== undefined && changes[field] !== group[field],
  )

/** A new row for what is given. */
export const makeGroupRow = (
  id: string,
  owner_id: string,
  { name, description, avatar_url, is_public, max_members, metadata }: NewGroup,
  moderation: GroupRow["moderation"],
  now: Date,
): GroupRow => ({
  ...{ id, name, description, avatar_url, is_public, max_members, metadata, owner_id, moderation },
  ...{ member_count: 0, created_at: now, updated_at: now },
})

/** Groups of users, as users make, find and change them (spec: client plane, groups; I2). */
export const makeGroups = (
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
  limits: Pick<Limits, "newGroup">,
  moderate: Moderate<Db>,
) => {
  const members = makeChangeMembers(ids)
  const author = (groupId: string, userId: string) =>
    ({ content_type: "group", content_id: groupId, app_user_id: userId }) as const

  return {
    /**
     * Makes a group that the user owns [I2.1]. `QUOTA_EXCEEDED`; `RATE_LIMIT_EXCEEDED`; `CONTENT_REJECTED`; `INVALID_TOKEN`
     * for a user who is gone.
     */
    create: Effect.fn("groups.create")(
      function* (projectId: string, userId: string, input: NewGroup) {
        const findings = yield* moderate.check(projectId, readTexts(input))
        return yield* background.transact(
          projectId,
          Effect.fnUntraced(function* (db: Db) {
            yield* orFail(db.users.lock(userId), InvalidToken)
            const refusal = refuseFounder(yield* db.groups.countsOf(userId))
            if (refusal !== null) return yield* refusal
            const [id, now] = [ids.uuid(), clock.now()]
            const state = yield* moderate.record(db, findings, author(id, userId), null)
            return yield* members.found(db, makeGroupRow(id, userId, input, state, now))
          }),
        )
      },
      (attempt, projectId, userId) => limits.newGroup(projectId, userId)(attempt),
    ),

    /** The groups that the user is a member of, the last joined first (spec: client plane, groups). */
    own: Effect.fn("groups.own")(function* (projectId: string, userId: string, slice: Slice) {
      const { rows, ...page } = yield* tenants.read(projectId, (db) => db.groups.pageOfUser(userId, slice))
      const own = rows.map(({ group, is_admin }) => ({
        role: readRole(group, { app_user_id: userId, is_admin }) ?? ("member" as const),
        groups: group,
      }))
      return { rows: own, ...page }
    }),

    /** Those that everybody sees, by a part of their name (spec: client plane, groups). */
    search: (projectId: string, search: string, slice: Slice) =>
      tenants.read(projectId, (db) => db.groups.search(search, slice)),

    /** A group that the user sees, with what the user is in it [I2.3]. `NOT_FOUND`. */
    find: (projectId: string, userId: string, groupId: string) =>
      tenants.read(projectId, (db) =>
        Effect.map(seeGroup(db, userId, groupId), ({ group, role }): GroupView => ({ ...group, role })),
      ),

    /**
     * Changes a group, by its owner or an admin [I2.4]. `NOT_FOUND` where the caller does not see it; `FORBIDDEN`; `CONTENT_REJECTED`
     * [I6.1]; `INVALID_TOKEN` for a user who is gone.
     */
    update: Effect.fn("groups.update")(function* (
      projectId: string,
      userId: string,
      groupId: string,
      changes: GroupChanges,
    ) {
      // Whoever may not change it is told so, whatever the text.
      yield* tenants.read(projectId, (db) => seeForRight(db, userId, groupId, "admin"))
      const findings = yield* moderate.check(projectId, readTexts(changes))
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const { group } = yield* lockForRight(db, userId, groupId, "admin")
          if (Object.keys(changes).length === 0) return group
          const moderation = changesText(group, changes)
            ? yield* moderate.record(db, findings, author(groupId, userId), group.moderation)
            : group.moderation
          const changed = { ...changes, moderation, updated_at: clock.now() }
          return yield* orFail(Effect.orDie(db.groups.update(groupId, changed)), NotFound)
        }),
      )
    }),

    /**
     * Removes a group with its members, by its owner [I2.4]. `NOT_FOUND` where the caller does not see it; `FORBIDDEN`; `INVALID_TOKEN`
     * for a user who is gone.
     */
    remove: Effect.fn("groups.remove")((projectId: string, userId: string, groupId: string) =>
      tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          yield* lockForRight(db, userId, groupId, "owner")
          yield* db.groups.remove({ id: groupId })
        }),
      ),
    ),

    /**
     * Hands a group over to a member, by its owner [I2.4]. `NOT_FOUND` where the caller does not see it, or for no member; `FORBIDDEN`;
     * `QUOTA_EXCEEDED` over what the member may own [I0.2]; `INVALID_TOKEN` for a user who is gone.
     */
    transfer: Effect.fn("groups.transfer")((projectId: string, userId: string, groupId: string, heirId: string) =>
      tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const { group } = yield* lockForRight(db, userId, groupId, "owner", [heirId])
          const heir = yield* findMember(db, groupId, heirId)
          if (heir === null) return yield* new NotFound()
          return heirId === userId ? group : yield* members.handOver(db, group, heir, clock.now())
        }),
      ),
    ),
  }
}
