import { Effect, Exit, Option, Schema } from "effect"
import { EmailExists, InvalidCredentials, WeakPassword } from "../auth/failures.ts"
import { boundPassword, longestPassword, Password } from "../auth/passwords.ts"
import { developerPlane, makeSessions } from "../auth/sessions.ts"
import { InvalidToken, NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { Email, FilledText, hasLength, Name, normalizeEmail } from "../schema.ts"
import type { ProjectsDb } from "./port.ts"
import { Developer, type DeveloperRow } from "./records.ts"

/** A developer's signup. A password of fewer than 8 characters is refused with `WeakPassword`. */
export const DeveloperSignup = Schema.Struct({
  email: Email,
  password: Password,
  name: Schema.optionalKey(Schema.NullOr(Name)),
}).annotate({ identifier: "DeveloperSignup" })

/** A developer's login. A malformed address is answered like an unknown one, not as invalid input; an empty one is missing [A5]. */
export const DeveloperLogin = Schema.Struct({ email: FilledText, password: FilledText }).annotate({
  identifier: "DeveloperLogin",
})

/** A request with a refresh token. */
export const RefreshRequest = Schema.Struct({ refresh_token: FilledText }).annotate({ identifier: "RefreshRequest" })

/** The answer of a developer's signup and login. */
export const DeveloperTokens = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.String,
  developer: Developer,
}).annotate({ identifier: "DeveloperTokens" })

/** The answer of a developer's refresh. */
export const DeveloperTokenPair = Schema.Struct({ access_token: Schema.String, refresh_token: Schema.String }).annotate(
  {
    identifier: "DeveloperTokenPair",
  },
)

/** The accounts of developers and their sessions (spec: developer auth). */
export const makeDevelopers = (
  ports: Pick<
    Ports<unknown, ProjectsDb>,
    "clock" | "control" | "ids" | "passwords" | "revocations" | "signals" | "tokens"
  >,
) => {
  const { clock, control, ids, passwords, revocations, signals } = ports
  const sessions = makeSessions(ports, developerPlane)

  return {
    /**
     * Creates an account and signs it in [B7, B8]. `EMAIL_EXISTS`; `WEAK_PASSWORD`; `UNAVAILABLE` while too many passwords wait to be
     * hashed.
     */
    signup: Effect.fn("developers.signup")(function* (input: typeof DeveloperSignup.Type) {
      if (!hasLength(input.password, 8, longestPassword)) return yield* new WeakPassword()
      const now = clock.now()
      const developer: DeveloperRow = {
        id: ids.uuid(),
        email: input.email,
        name: input.name ?? null,
        oauth_providers: [],
        created_at: now,
        updated_at: now,
        password_hash: yield* passwords.developer.hash(input.password),
      }
      const pair = yield* control.transact((db) =>
        db.developers.insert(developer).pipe(
          Effect.mapError(() => new EmailExists()),
          Effect.andThen(sessions.create(db.sessions, developer)),
        ),
      )
      return { ...pair, developer }
    }),

    /**
     * Signs in. Unknown emails and wrong passwords are refused alike and take equally long [B7]. `INVALID_CREDENTIALS`; `UNAVAILABLE`
     * while too many passwords wait to be hashed.
     */
    login: Effect.fn("developers.login")(function* (input: typeof DeveloperLogin.Type) {
      const email = normalizeEmail(input.email)
      const found = Option.getOrNull(yield* control.read((db) => db.developers.find({ email })))
      const password = boundPassword(input.password)
      const verdict = yield* passwords.developer.verify(password, found?.password_hash ?? null)
      if (found === null || !verdict.matches) {
        signals.emit({ name: "login_failed", plane: "developer" })
        return yield* new InvalidCredentials()
      }
      // The new hash can wait for another login. A correct password must not fail because of it.
      const rehashed = verdict.outdated
        ? yield* Effect.orElseSucceed(passwords.developer.hash(password), () => null)
        : null
      const pair = yield* control.transact(
        Effect.fnUntraced(function* (db) {
          if (rehashed !== null) yield* Effect.orDie(db.developers.update(found.id, { password_hash: rehashed }))
          return yield* sessions.create(db.sessions, found)
        }),
      )
      if (rehashed !== null) signals.emit({ name: "password_rehashed", plane: "developer" })
      return { ...pair, developer: found as Developer }
    }),

    /** Rotates a refresh token: answers a new pair and revokes the old token [B6]. `INVALID_TOKEN` whatever the reason. */
    refresh: Effect.fn("developers.refresh")(function* (token: string) {
      const { sub, sid } = yield* sessions.claims(token)
      const rotation = control.transact((db) => sessions.rotate(db.sessions, token, sid, { id: sub }))
      // A refusal may have revoked the session, and so may a commit whose answer was lost.
      const pair = yield* Effect.onExit(rotation, (exit) =>
        Exit.isSuccess(exit) && exit.value !== null ? Effect.void : revocations.announce([sid]),
      )
      if (pair === null)
        return yield* new InvalidToken(undefined, "The refresh token was used before, or its session has ended.")
      return pair
    }),

    /** Revokes the session of a refresh token. Succeeds also when the token is not accepted [B6]. */
    logout: Effect.fn("developers.logout")(function* (token: string) {
      const claims = yield* Effect.option(sessions.claims(token))
      if (Option.isSome(claims)) {
        const { sid } = claims.value
        yield* control
          .transact((db) => sessions.revoke(db.sessions, sid))
          .pipe(Effect.ensuring(revocations.announce([sid])))
      }
      return { success: true }
    }),

    /** The developer's own account (spec: developer auth). `NOT_FOUND` once it is gone. */
    me: Effect.fn("developers.me")(function* (developerId: string) {
      return yield* orFail(
        control.read((db) => db.developers.find({ id: developerId })),
        NotFound,
      )
    }),
  }
}
