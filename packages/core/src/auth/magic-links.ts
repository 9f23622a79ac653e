import { Effect, Option, Schema } from "effect"
import { InvalidToken, NotFound, RateLimitExceeded } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { RateLimit } from "../ports/rate-limiter.ts"
import type { ProjectsDb } from "../projects/port.ts"
import { Email, Text } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import type { ClientSessions } from "./client-sessions.ts"
import { InvalidSession, MauCapExceeded } from "./failures.ts"
import type { MagicLink } from "./magic-link.ts"
import { magicLinkMail } from "./magic-link-mail.ts"
import { chooseOrigin, type MagicLinkOrigins } from "./magic-link-origin.ts"
import { filterEnabled, newUser } from "./new-user.ts"
import type { AuthDb } from "./port.ts"
import { retryOnDuplicate } from "./retry-on-duplicate.ts"

/** Whom a link is sent to. */
export const MagicLinkRequest = Schema.Struct({ email: Email }).annotate({ identifier: "MagicLinkRequest" })

/** The token of a link. With `session_token`, an email that has no user yet becomes that of the session's anonymous user. */
export const MagicLinkVerification = Schema.Struct({
  token: Text,
  session_token: Schema.optionalKey(Text),
}).annotate({ identifier: "MagicLinkVerification" })

/** How long a link holds (spec: limits). */
export const linkMinutes = 15

/** How often a link can be asked for an email of a project (spec: limits). */
const perEmail: ReadonlyArray<RateLimit> = [
  { points: 5, seconds: 3_600 },
  { points: 20, seconds: 86_400 },
]

const minuteMillis = 60_000
// Used and expired links are kept for a day, so that support can see what became of one.
const keptMillis = 86_400_000

const findMonth = (instant: Date): { readonly since: Date; readonly until: Date } => ({
  since: new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), 1)),
  until: new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1)),
})

/** Signing in by a link in a mail (spec: authentication rules 3 and 4, [B11, B12]). */
export const makeMagicLinks = (
  ports: Pick<
    Ports<AuthDb & UsersDb, ProjectsDb>,
    "clock" | "control" | "ids" | "limiter" | "mailer" | "signals" | "tenants" | "tokens"
  >,
  sessions: ClientSessions,
  origins: MagicLinkOrigins,
) => {
  const { clock, control, ids, limiter, mailer, signals, tenants, tokens } = ports

  const getProject = (projectId: string) =>
    orFail(
      control.read((db) => db.projects.find({ id: projectId, is_ready: true })),
      NotFound,
    )

  /** Somebody new who came by mail: the session's anonymous user, or one that is made, if the project may have more. */
  const createOrUpgrade = Effect.fnUntraced(function* (
    db: UsersDb,
    projectId: string,
    email: string,
    upgraded: string | null,
  ) {
    if (upgraded !== null) {
      const user = yield* orFail(Effect.map(db.users.lock(upgraded), filterEnabled), InvalidSession)
      if (user.email !== null) return yield* new InvalidSession()
      return yield* orFail(db.users.update(upgraded, { email, updated_at: clock.now() }), InvalidSession)
    }
    const { mau_cap } = yield* Effect.orDie(getProject(projectId))
    const { since, until } = findMonth(clock.now())
    if (mau_cap !== null && (yield* db.users.countActive(since, until, mau_cap)) >= mau_cap) {
      return yield* new MauCapExceeded()
    }
    const user = { ...newUser(ports), email }
    yield* db.users.insert(user)
    return user
  })

  return {
    /**
     * Sends a link to an email, whether or not it has a user. Whether the mail could be delivered never shows in the answer.
     * `origin` is the request's own, null where it has none.
     */
    request: Effect.fn("auth.requestMagicLink")(function* (projectId: string, email: string, origin: string | null) {
      const decision = yield* limiter.consume(`magic-link/${projectId}/${email}`, perEmail)
      if (!decision.allowed) {
        return yield* new RateLimitExceeded({ retry_after_seconds: decision.reset_seconds })
      }
      const project = yield* getProject(projectId)
      const token = ids.secret()
      const now = clock.now()
      const link: MagicLink = {
        id: ids.uuid(),
        email,
        token_hash: tokens.fingerprint(token),
        created_at: now,
        expires_at: new Date(now.getTime() + linkMinutes * minuteMillis),
        used_at: null,
      }
      yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* db.magicLinks.removeExpired(new Date(now.getTime() - keptMillis))
          yield* Effect.orDie(db.magicLinks.insert(link))
        }),
      )
      const address = `${chooseOrigin(origins, project.allowed_origins, origin)}/auth/verify?token=${token}`
      const mail = magicLinkMail({ to: email, link: address, projectName: project.name, minutes: linkMinutes })
      const signalNotSent = (reason: string) => Effect.sync(() => signals.emit({ name: "magic_link_not_sent", reason }))
      const sent = Effect.suspend(() => mailer.send(mail)).pipe(
        Effect.catchTag("MailNotSent", ({ reason }) => signalNotSent(reason)),
        // What a defect says may name the address.
        Effect.catchDefect(() => signalNotSent("the mailer broke")),
      )
      // The caller does not wait: how long the mail server takes would tell something about the address.
      yield* Effect.forkDetach(sent, { startImmediately: true })
      return { ok: true }
    }),

    /** Signs in with the token of a link, once. Unknown, expired and used tokens are refused alike. */
    verify: Effect.fn("auth.verifyMagicLink")(function* (
      projectId: string,
      { token, session_token }: typeof MagicLinkVerification.Type,
    ) {
      const session = session_token === undefined ? null : yield* sessions.verify(projectId, session_token)
      if (session !== null && session.project_id !== projectId) return yield* new InvalidSession()
      const attempt = tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const now = clock.now()
          const link = yield* orFail(db.magicLinks.lockByHash(tokens.fingerprint(token)), InvalidToken)
          if (link.used_at !== null || link.expires_at <= now) return yield* new InvalidToken()
          yield* Effect.orDie(db.magicLinks.update(link.id, { used_at: now }))
          const known = yield* db.users.find({ email: link.email })
          const user = Option.isSome(known)
            ? yield* orFail(Effect.map(db.users.lock(known.value.id), filterEnabled), InvalidToken)
            : yield* createOrUpgrade(db, projectId, link.email, session?.user_id ?? null)
          return yield* sessions.signIn(db, projectId, user)
        }),
      )
      return yield* retryOnDuplicate(attempt).pipe(
        Effect.tapError((failure) =>
          Effect.sync(() => failure._tag === "InvalidToken" && signals.emit({ name: "magic_link_refused" })),
        ),
      )
    }),
  }
}
