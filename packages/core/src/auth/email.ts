import { Effect, Option, Schema } from "effect"
import type { CallerAddress, Limits } from "../limits/limits.ts"
import { orFail } from "../lookup.ts"
import type { Moderate } from "../moderation/content.ts"
import type { ModerationDb } from "../moderation/port.ts"
import type { Ports } from "../ports/ports.ts"
import { Email, FilledText, normalizeEmail, Text } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import { nameUser } from "../users/profile.ts"
import { DisplayName, type UserRow } from "../users/user.ts"
import type { ClientSessions } from "./client-sessions.ts"
import { EmailExists, InvalidCredentials, InvalidSession } from "./failures.ts"
import { filterEnabled, newUser } from "./new-user.ts"
import { boundPassword, longestPassword, Password } from "./passwords.ts"
import type { AuthDb } from "./port.ts"

const sessionHasEmail = "The user of session_token has an account already."

/** A signup by email. With `session_token`, the anonymous user of that session gets the email and keeps all data. */
export const EmailSignup = Schema.Struct({
  email: Email,
  password: Password.check(Schema.isMinLength(1, { message: `must be 1 to ${longestPassword} characters` })),
  display_name: Schema.optionalKey(DisplayName),
  session_token: Schema.optionalKey(Text),
}).annotate({ identifier: "EmailSignup" })

/** A login by email. A malformed address is answered like an unknown one, not as invalid input; an empty one is missing [A5]. */
export const EmailLogin = Schema.Struct({ email: FilledText, password: FilledText }).annotate({
  identifier: "EmailLogin",
})

// A hash changes between verifying and signing in when another login rehashes it, or a proof of the email ends it.
const loginRounds = 3

/** Signup and login with email and password. */
export const makeEmail = (
  ports: Pick<Ports<AuthDb & ModerationDb & UsersDb>, "clock" | "ids" | "passwords" | "signals" | "tenants">,
  sessions: ClientSessions,
  limits: Pick<Limits, "emailSignup" | "login">,
  moderate: Pick<Moderate<ModerationDb>, "check" | "record">,
) => {
  const { clock, passwords, signals, tenants } = ports

  /** The session whose token is given; null without a token. */
  const findSession = Effect.fnUntraced(function* (projectId: string, token: string | undefined) {
    if (token === undefined) return null
    const session = yield* sessions.verify(projectId, token)
    if (session.project_id !== projectId) return yield* new InvalidSession()
    return session
  })

  /** The user whose password this is, and whether the stored hash is outdated. */
  const verifyPassword = Effect.fnUntraced(function* (projectId: string, email: string, password: string) {
    const user = Option.getOrNull(yield* tenants.read(projectId, (db) => db.users.find({ email })))
    const password_hash = user?.password_hash ?? null
    const { matches, outdated } = yield* passwords.client.verify(password, password_hash, projectId)
    if (user === null || password_hash === null || !matches || user.is_disabled) {
      signals.emit({ name: "login_failed", plane: "client" })
      return yield* new InvalidCredentials()
    }
    return { found: { ...user, password_hash }, outdated }
  })

  /** Replaces an outdated hash, unless it was replaced meanwhile. */
  const rehash = Effect.fnUntraced(function* (projectId: string, found: UserRow, password: string) {
    const password_hash = yield* passwords.client.hash(password, projectId)
    const isReplaced = yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const user = Option.getOrNull(yield* db.users.lock(found.id))
        if (user?.password_hash !== found.password_hash) return false
        yield* Effect.orDie(db.users.update(user.id, { password_hash }))
        return true
      }),
    )
    if (isReplaced) signals.emit({ name: "password_rehashed", plane: "client" })
  })

  return {
    /**
     * Creates an account with an email, or adds the email to an anonymous user, and signs in. Its name is moderated [I6.1].
     * `EMAIL_EXISTS`; `CONTENT_REJECTED`; `INVALID_SESSION`, where one is given that is not live; `RATE_LIMIT_EXCEEDED` [B14];
     * `UNAVAILABLE` while too many passwords wait to be hashed.
     */
    signup: Effect.fn("auth.emailSignup")(function* (
      projectId: string,
      input: typeof EmailSignup.Type,
      address: CallerAddress = null,
    ) {
      yield* limits.emailSignup(projectId, address)
      const { email, display_name, session_token } = input
      const session = yield* findSession(projectId, session_token)
      const findings = yield* moderate.check(projectId, { texts: [display_name ?? null], urls: [] })
      const identity = { email, password_hash: yield* passwords.client.hash(input.password, projectId) }
      const named = display_name === undefined ? identity : { ...identity, display_name }
      const nameBy = (db: ModerationDb, user: UserRow) =>
        display_name === undefined
          ? Effect.succeed(null)
          : nameUser(db, moderate, ports.ids, findings, user, { display_name })
      const work = tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          if (session === null) {
            const created = { ...newUser(ports), ...identity }
            return yield* sessions.signUp(db, projectId, { ...created, ...named, ...(yield* nameBy(db, created)) })
          }
          const user = yield* orFail(Effect.map(db.users.lock(session.user_id), filterEnabled), InvalidSession)
          yield* sessions.checkLive(db, session)
          // Signup creates accounts. It does not replace the email of an account.
          if (user.email !== null) return yield* new EmailExists(undefined, sessionHasEmail)
          const columns = { ...named, ...(yield* nameBy(db, user)), updated_at: clock.now() }
          const changed = yield* orFail(db.users.update(user.id, columns), InvalidSession)
          return yield* sessions.signIn(db, projectId, changed)
        }),
      )
      return yield* Effect.catchTag(work, "Duplicate", () => Effect.fail(new EmailExists()))
    }),

    /**
     * Signs in. Unknown emails, wrong passwords and disabled users are refused alike and take equally long [B7]. `INVALID_CREDENTIALS`;
     * `RATE_LIMIT_EXCEEDED` after too many failures [B14]; `UNAVAILABLE` while too many passwords wait to be hashed.
     */
    login: Effect.fn("auth.emailLogin")(
      function* (projectId: string, input: typeof EmailLogin.Type, _address: CallerAddress = null) {
        const password = boundPassword(input.password)
        for (let round = 0; round < loginRounds; round += 1) {
          const { found, outdated } = yield* verifyPassword(projectId, normalizeEmail(input.email), password)
          // Null when the password was replaced or ended since, so that it has to be verified again [B15].
          const result = yield* tenants.read(projectId, (db) => sessions.signInByPassword(db, projectId, found))
          if (result === null) continue
          // The new hash can wait for another login. A correct password must not fail because of it.
          if (outdated) yield* Effect.ignore(rehash(projectId, found, password))
          return result
        }
        return yield* new InvalidCredentials()
      },
      (attempt, projectId, input, address = null) =>
        limits.login(projectId, normalizeEmail(input.email), address)(attempt),
    ),
  }
}
