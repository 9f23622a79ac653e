import { Effect, Exit, Option, Schema, Struct } from "effect"
import { InvalidToken, NotFound } from "../failure.ts"
import type { CallerAddress, Limits } from "../limits/limits.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { readOwn } from "../users/profile.ts"
import { EndUser, type UserRow } from "../users/user.ts"
import { InvalidSession } from "./failures.ts"
import { filterEnabled } from "./new-user.ts"
import type { AuthDb } from "./port.ts"
import { SessionFamily } from "./session.ts"
import { clientPlane, makeSessions, type TokenPair } from "./sessions.ts"

/** What every sign-in answers: the two tokens and the user (spec: auth result). */
export const AuthResult = Schema.Struct({
  session_token: Schema.String,
  refresh_token: Schema.String,
  user: EndUser,
}).annotate({ identifier: "AuthResult" })

/** The answer of a user's refresh. */
export const SessionTokenPair = Schema.Struct({ session_token: Schema.String, refresh_token: Schema.String }).annotate({
  identifier: "SessionTokenPair",
})

/** One of a user's live sessions [D]. */
export const OwnSession = Schema.Struct({
  ...Struct.pick(SessionFamily.fields, ["id", "created_at", "last_used_at"]),
  /** Whether the request uses this session. */
  is_current: Schema.Boolean,
}).annotate({ identifier: "OwnSession" })

/** One of a user's live sessions, as developers see it. */
export const UserSession = Schema.Struct(
  Struct.pick(SessionFamily.fields, ["id", "created_at", "last_used_at"]),
).annotate({
  identifier: "UserSession",
})

/** A session whose token was in a request body. */
export interface GivenSession {
  readonly user_id: string
  readonly project_id: string
  readonly session_id: string
}

// Writes `last_seen_at` at most once a second.
const seenIntervalMillis = 1_000

/** The sessions of end users: created by every sign-in, then refreshed, listed and revoked [B6]. */
export const makeClientSessions = (
  ports: Pick<Ports<AuthDb & UsersDb>, "clock" | "ids" | "revocations" | "signals" | "tenants" | "tokens">,
  limits: Pick<Limits, "token" | "userWrite">,
) => {
  const { clock, revocations, signals, tenants, tokens } = ports
  const sessions = makeSessions(ports, clientPlane)
  /** When a user is seen, where that is worth a write. */
  const seenAt = (user: UserRow): Date | null => {
    const now = clock.now()
    return now.getTime() - user.last_seen_at.getTime() >= seenIntervalMillis ? now : null
  }
  const resultOf = (pair: TokenPair, user: UserRow) => ({
    session_token: pair.access_token,
    refresh_token: pair.refresh_token,
    user: readOwn(user),
  })

  const readGiven = Effect.fnUntraced(function* (token: string): Effect.fn.Return<GivenSession, InvalidSession> {
    const { sub, pid, sid } = yield* Effect.mapError(tokens.verify("session", token), () => new InvalidSession())
    return { user_id: sub, project_id: pid ?? "", session_id: sid }
  })
  const checkLive = Effect.fnUntraced(function* (db: UsersDb, { user_id, session_id }: GivenSession) {
    if (!(yield* db.users.hasLiveSession(user_id, session_id))) return yield* new InvalidSession()
  })

  return {
    /**
     * Writes a new user and signs it in, in the transaction of `db`. Fails with the port's `Duplicate` when a unique key of the user is
     * taken.
     */
    signUp: Effect.fnUntraced(function* (db: AuthDb, projectId: string, user: UserRow) {
      const { family, pair, stored } = yield* sessions.draft({ id: user.id, pid: projectId })
      yield* db.signUps.insert(user, family, stored)
      return resultOf(pair, user)
    }),

    /** Creates a session for a known user, in the transaction of `db`. Answers the tokens and the user [B6]. */
    signIn: Effect.fnUntraced(function* (db: AuthDb & UsersDb, projectId: string, user: UserRow) {
      const pair = yield* sessions.create(db.authSessions, { id: user.id, pid: projectId })
      const at = seenAt(user)
      if (at === null) return resultOf(pair, user)
      yield* db.users.seen([{ id: user.id, at }])
      return resultOf(pair, { ...user, last_seen_at: at })
    }),

    /**
     * Creates a session for a user whose password was verified, with one write that commits by itself. Null where the user is not there
     * any more, is disabled or has another password by now [B6, B15].
     */
    signInByPassword: Effect.fnUntraced(function* (
      db: AuthDb,
      projectId: string,
      found: UserRow & { readonly password_hash: string },
    ) {
      const { family, pair, stored } = yield* sessions.draft({ id: found.id, pid: projectId })
      const at = seenAt(found)
      const user = Option.getOrNull(yield* db.signIns.insert(found, family, stored, at))
      if (user === null) return null
      return resultOf(pair, at === null || at < user.last_seen_at ? user : { ...user, last_seen_at: at })
    }),

    /** The user and project of a session token from a request body. A session of this project must be live [B10]. `INVALID_SESSION`. */
    verify: Effect.fnUntraced(function* (projectId: string, token: string) {
      const session = yield* readGiven(token)
      if (session.project_id === projectId) yield* tenants.read(projectId, (db) => checkLive(db, session))
      return session
    }),

    /** The same, but a session passes whose user is gone: that is for the caller to find. `INVALID_SESSION`. */
    verifyUnlessGone: Effect.fnUntraced(function* (projectId: string, token: string) {
      const session = yield* readGiven(token)
      const isGone = (db: UsersDb) => Effect.map(db.users.find({ id: session.user_id }), Option.isNone)
      const check = (db: UsersDb) =>
        Effect.catchTag(checkLive(db, session), "InvalidSession", (invalid) =>
          Effect.flatMap(isGone(db), (passes) => (passes ? Effect.void : Effect.fail(invalid))),
        )
      if (session.project_id === projectId) yield* tenants.read(projectId, check)
      return session
    }),

    /**
     * Fails with `INVALID_SESSION` unless a verified session is still live. Call it with the user locked, before the user is given an
     * identity: a proof of the email may have ended the session since it was verified [B15].
     */
    checkLive,

    /**
     * Rotates a refresh token: answers a new pair and revokes the old token [B6]. `INVALID_TOKEN` whatever the reason;
     * `RATE_LIMIT_EXCEEDED` after too many failures [B14].
     */
    refresh: Effect.fn("auth.refresh")(
      function* (projectId: string, token: string, _address: CallerAddress = null) {
        const claims = yield* sessions.claims(token)
        if (claims.pid !== projectId)
          return yield* new InvalidToken(undefined, "The refresh token belongs to another project than the client key.")
        const owner = { id: claims.sub, pid: projectId }
        const rotation = tenants.transact(
          projectId,
          Effect.fnUntraced(function* (db) {
            // Locks the user before the session, in the same order as disabling and removing a user do.
            if (Option.isNone(filterEnabled(yield* db.users.lock(claims.sub)))) return null
            const rotated = yield* sessions.rotate(db.authSessions, token, claims.sid, owner)
            if (rotated !== null) yield* db.users.seen([{ id: claims.sub, at: clock.now() }])
            return rotated
          }),
        )
        // A refusal may have revoked the session, and so may a commit whose answer was lost.
        const pair = yield* Effect.onExit(rotation, (exit) =>
          Exit.isSuccess(exit) && exit.value !== null ? Effect.void : revocations.announce([claims.sid]),
        )
        if (pair === null)
          return yield* new InvalidToken(undefined, "The refresh token was used before, or its session has ended.")
        return { session_token: pair.access_token, refresh_token: pair.refresh_token }
      },
      (attempt, projectId, _token, address = null) => limits.token("refresh", projectId, address)(attempt),
    ),

    /** Revokes the session of a refresh token. Succeeds also when the token is not accepted. `RATE_LIMIT_EXCEEDED` [B14]. */
    logout: Effect.fn("auth.logout")(function* (projectId: string, token: string) {
      const claims = yield* Effect.option(sessions.claims(token))
      if (Option.isSome(claims) && claims.value.pid === projectId) {
        const { sid, sub } = claims.value
        yield* limits.userWrite(projectId, sub, "auth")
        yield* tenants
          .transact(projectId, (db) => sessions.revoke(db.authSessions, sid))
          .pipe(Effect.ensuring(revocations.announce([sid])))
      }
      return { success: true }
    }),

    /** A user's live sessions, the last used first [D]. */
    list: (projectId: string, userId: string, sessionId: string) =>
      tenants.read(projectId, (db) =>
        Effect.map(db.authSessions.families.listLive(userId, clock.now()), (families) =>
          families.map((family) => ({ ...family, is_current: family.id === sessionId })),
        ),
      ),

    /** A user's live sessions, for developers, the last used first. `NOT_FOUND` for a user who is not there. */
    ofUser: Effect.fn("auth.sessionsOfUser")((projectId: string, userId: string) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.users.find({ id: userId }), NotFound)
          return yield* db.authSessions.families.listLive(userId, clock.now())
        }),
      ),
    ),

    /** Revokes one of a user's own sessions. Does nothing when there is no such session [D]. */
    revoke: Effect.fn("auth.revokeSession")(function* (projectId: string, userId: string, sessionId: string) {
      const ending = tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const family = Option.getOrNull(yield* db.authSessions.families.lock(sessionId))
          if (family === null || family.owner_id !== userId || family.revoked_at !== null) return false
          yield* sessions.revoke(db.authSessions, sessionId)
          return true
        }),
      )
      const ended = yield* Effect.onExit(ending, (exit) =>
        Exit.isSuccess(exit) && !exit.value ? Effect.void : revocations.announce([sessionId]),
      )
      if (ended) signals.emit({ name: "session_ended", by: "user" })
    }),
  }
}

/** The sessions of end users. */
export type ClientSessions = ReturnType<typeof makeClientSessions>
