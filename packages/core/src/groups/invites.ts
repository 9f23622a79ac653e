import { Effect } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { QuotaExceeded } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { UsersDb } from "../users/port.ts"
import type { GroupInviteRow, NewGroupInvite } from "./invite.ts"
import { lockForRight, seeForRight } from "./lock-group.ts"
import type { GroupsDb } from "./port.ts"
import { makeUpInviteCode, maxLiveInvites, readInviteCode } from "./rules.ts"

type Db = BackgroundDb & EventsDb & GroupsDb & UsersDb

const hourMillis = 3_600_000
// Of 31^16 codes: a second try has never been needed.
const mostTries = 20

/**
 * Invites into groups, which owners and admins make [I2.5]. Changes go through the background, which learns so when there is one
 * to sweep [I0.3].
 */
export const makeGroupInvites = (
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
) => {
  const insertMadeUp = Effect.fnUntraced(function* (db: GroupsDb, row: Omit<GroupInviteRow, "code">) {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const invite = { ...row, code: makeUpInviteCode(ids) }
      if (yield* db.groupInvites.insertNew(invite)) return invite
    }
    return yield* Effect.die(new Error("No code was free."))
  })

  return {
    /**
     * Makes an invite with a code, as an admin of the group [I2.4]. `FORBIDDEN`; `QUOTA_EXCEEDED`; `NOT_FOUND`; `INVALID_TOKEN` for a
     * user who is gone.
     */
    create: Effect.fn("groupInvites.create")(
      (projectId: string, userId: string, groupId: string, { expires_in_hours, max_uses }: NewGroupInvite) =>
        background.transact(
          projectId,
          Effect.fnUntraced(function* (db: Db) {
            yield* lockForRight(db, userId, groupId, "admin")
            const now = clock.now()
            const { total } = yield* db.groupInvites.pageLive(groupId, now, { limit: 1, offset: 0 })
            if (total >= maxLiveInvites) return yield* new QuotaExceeded({ limit: maxLiveInvites })
            return yield* insertMadeUp(db, {
              ...{ id: ids.uuid(), group_id: groupId, created_by: userId, max_uses, uses: 0, is_ended: false },
              ...{ expires_at: new Date(now.getTime() + expires_in_hours * hourMillis), created_at: now },
            })
          }),
        ),
    ),

    /**
     * The live invites of a group, the newest first. For an admin of the group [I2.5]. `NOT_FOUND` where the caller does not see it;
     * `FORBIDDEN`.
     */
    list: (projectId: string, userId: string, groupId: string, slice: Slice) =>
      tenants.read(projectId, (db) =>
        Effect.andThen(
          seeForRight(db, userId, groupId, "admin"),
          Effect.suspend(() => db.groupInvites.pageLive(groupId, clock.now(), slice)),
        ),
      ),

    /**
     * Ends an invite of the group. Nothing happens where there is no live one of this code. For an admin of the group [I2.5]. `NOT_FOUND`
     * where the caller does not see it; `FORBIDDEN`; `INVALID_TOKEN` for a user who is gone.
     */
    end: Effect.fn("groupInvites.end")((projectId: string, userId: string, groupId: string, given: string) =>
      background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          yield* lockForRight(db, userId, groupId, "admin")
          const code = readInviteCode(given)
          if (code !== null) yield* db.groupInvites.end(groupId, { code }, clock.now())
        }),
      ),
    ),
  }
}
