import { Effect, Option } from "effect"
import type { AuthDb } from "../auth/port.ts"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import { endPast } from "../entitlements/entitlement.ts"
import type { EntitlementsDb } from "../entitlements/port.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Moderate } from "../moderation/content.ts"
import type { Ports } from "../ports/ports.ts"
import type { Page, Slice } from "../ports/table.ts"
import type { StreaksDb } from "../streaks/port.ts"
import { rezone } from "../streaks/rezone.ts"
import { isTimeZone } from "../time/zones.ts"
import { forgetInWebhooks } from "../webhooks/forget-user.ts"
import type { WebhooksDb } from "../webhooks/port.ts"
import { type AdminUser, readAdminUser, readAdminUsers } from "./admin-view.ts"
import type { Departure } from "./departure.ts"
import { InvalidTimezone, PropertiesTooLarge } from "./failures.ts"
import type { UserPosition, UsersDb } from "./port.ts"
import { hasProfile, nameUser, readOwn } from "./profile.ts"
import { maxPropertiesBytes, mergeProperties, propertiesBytes } from "./properties.ts"
import type { ProfileChanges, UserRow } from "./user.ts"

/** A query of the list of users. */
export interface UserQuery extends Slice {
  /** A part of the email, external id or display name, or the whole id or anonymous id. */
  readonly search?: string
  /** Members of this segment only. */
  readonly segment_id?: string
  /** Those of these users only. */
  readonly ids?: ReadonlyArray<string>
  /** Reads on after this position, or from `start`: then the answer has `next_cursor`, null at the end. */
  readonly cursor?: UserPosition | "start"
}

const mergeChanges = (user: UserRow, changes: ProfileChanges) => {
  if (changes.properties === undefined) return Effect.succeed(user.properties)
  const properties = mergeProperties(user.properties, changes.properties)
  const bytes = propertiesBytes(properties)
  return bytes > maxPropertiesBytes
    ? Effect.fail(new PropertiesTooLarge({ max_bytes: maxPropertiesBytes, bytes }))
    : Effect.succeed(properties)
}

// A removed user's session is not valid any more, even while it is still cached as live.
const readProfile = (db: UsersDb, userId: string, now: Date) =>
  Effect.map(orFail(db.users.profile(userId), InvalidToken), ({ user, entitlements }) => ({
    ...readOwn(user),
    entitlements: endPast(entitlements, now),
  }))

/** What profiles use: they show the entitlements, and a change of time zone moves the deadlines of streaks. */
type ProfileDb = BackgroundDb & EntitlementsDb & StreaksDb & UsersDb & WebhooksDb

/** End users: their own profile, and the developers' view of them. */
export const makeUsers = <Db extends AuthDb & EventsDb & ProfileDb>(
  { clock, ids, revocations, tenants }: Pick<Ports<Db>, "clock" | "ids" | "revocations" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
  departures: ReadonlyArray<Departure<Db>>,
  moderate: Pick<Moderate<Db>, "check" | "record">,
) => ({
  /** The user's own profile with the entitlements [D]. `INVALID_TOKEN` for a user who is gone. */
  me: (projectId: string, userId: string) => tenants.read(projectId, (db) => readProfile(db, userId, clock.now())),

  /**
   * Changes the fields that are given; `properties` are merged at the top level. Name and picture that a rule refuses fail, and those
   * that it holds are seen by the user alone [I6.3]. `INVALID_TIMEZONE`; `PROPERTIES_TOO_LARGE` over 64 KB after the merge [D];
   * `CONTENT_REJECTED`; `INVALID_TOKEN` for a user who is gone.
   */
  update: Effect.fn("users.update")(function* (projectId: string, userId: string, changes: ProfileChanges) {
    const { timezone } = changes
    if (typeof timezone === "string" && !isTimeZone(timezone)) return yield* new InvalidTimezone()
    const { display_name = null, avatar_url = null } = changes
    const findings = yield* moderate.check(projectId, { texts: [display_name], urls: [avatar_url] })
    // Another zone moves the deadlines of streaks, so the project needs background work.
    const transact = timezone === undefined ? tenants.transact : background.transact
    return yield* transact(
      projectId,
      Effect.fnUntraced(function* (db: Db) {
        const user = yield* orFail(db.users.lock(userId), InvalidToken)
        const properties = yield* mergeChanges(user, changes)
        if (Object.keys(changes).length > 0) {
          yield* Effect.orDie(db.users.update(userId, { ...changes, properties, updated_at: clock.now() }))
        }
        if (timezone !== undefined && timezone !== user.timezone) yield* rezone(db, user, timezone, clock.now())
        const named = hasProfile(changes) ? yield* nameUser(db, moderate, ids, findings, user, changes) : null
        if (named !== null) yield* Effect.orDie(db.users.update(userId, named))
        return yield* readProfile(db, userId, clock.now())
      }),
    )
  }),

  /**
   * Removes a user with all of their data, which ends their sessions and the magic links that were mailed to them [B1]. What others
   * see of them goes first, in pieces [I0.4]; a removal that was interrupted is taken up by the next. The `user_count` of the user's
   * segments stays one too high until they are evaluated, within 15 minutes, so that a removal does not wait for locks of segments.
   * Answers whether the user was there.
   */
  remove: Effect.fn("users.remove")(
    function* (projectId: string, userId: string) {
      const removePiece = background.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const user = Option.getOrNull(yield* db.users.lock(userId, "update"))
          if (user === null) return 0
          for (const depart of departures) {
            if (yield* depart(db, userId)) return null
          }
          if (user.email !== null) yield* db.magicLinks.removeOf(user.email)
          yield* forgetInWebhooks(db, user)
          return yield* db.users.remove({ id: userId })
        }),
      )
      let removed = yield* removePiece
      while (removed === null) removed = yield* removePiece
      return removed
    },
    (removal, _, userId) => Effect.ensuring(removal, revocations.announce([userId])),
  ),

  /** A slice of the users, the latest active first, each as `get` answers it. An empty search is no filter (spec: admin plane, users). */
  list: Effect.fn("users.list")((projectId: string, { search = "", segment_id, ids, cursor, ...slice }: UserQuery) =>
    tenants.read(
      projectId,
      Effect.fnUntraced(function* (db) {
        const filter = {
          search: search === "" ? null : search,
          segment_id: segment_id ?? null,
          ...(ids === undefined ? {} : { ids }),
        }
        const after = cursor === undefined || cursor === "start" ? null : cursor
        const { rows, total, is_cut = false } = yield* db.users.pageMatching(filter, slice, after)
        const page: Page<typeof AdminUser.Type> = { rows: yield* readAdminUsers(db, rows, clock.now()), total }
        if (cursor === undefined) return is_cut ? { ...page, is_cut } : page
        // Where it is cut, its cursor leads on to what is left out.
        const last = rows.length < slice.limit && !is_cut ? undefined : rows.at(-1)
        const next_cursor = last === undefined ? null : { last_seen_at: last.last_seen_at, id: last.id }
        return { ...page, next_cursor }
      }),
    ),
  ),

  /** A user with streaks and entitlements (spec: admin plane, users). `NOT_FOUND`. */
  get: Effect.fn("users.get")((projectId: string, userId: string) =>
    tenants.read(projectId, (db) => readAdminUser(db, userId, clock.now())),
  ),
})
