import { Effect, Option, Schema } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken, NotFound, RateLimitExceeded } from "../failure.ts"
import type { CallerAddress, Limits } from "../limits/limits.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { RateLimit } from "../ports/rate-limiter.ts"
import { Duplicate } from "../ports/table.ts"
import type { ProjectsDb } from "../projects/port.ts"
import { Email, FilledText, Text } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import type { ClientSessions, GivenSession } from "./client-sessions.ts"
import { InvalidSession, MauCapExceeded } from "./failures.ts"
import type { MagicLink } from "./magic-link.ts"
import { magicLinkMail } from "./magic-link-mail.ts"
import { chooseOrigin, type MagicLinkOrigins } from "./magic-link-origin.ts"
import { filterEnabled, newUser } from "./new-user.ts"
import { announceProofs, type NoteProof, type ProofDb, proveEmail } from "./prove-email.ts"
import { retryOnDuplicate } from "./retry-on-duplicate.ts"

/** The email that a link is sent to. */
export const MagicLinkRequest = Schema.Struct({ email: Email }).annotate({ identifier: "MagicLinkRequest" })

/** The token of a link. With `session_token`, an email without a user is given to the anonymous user of that session. */
export const MagicLinkVerification = Schema.Struct({
  token: FilledText,
  session_token: Schema.optionalKey(Text),
}).annotate({ identifier: "MagicLinkVerification" })

/** How long a link is valid (spec: limits). */
export const linkMinutes = 15

/** How often a link can be requested for one email of a project (spec: limits). */
const perEmail: ReadonlyArray<RateLimit> = [
  { points: 5, seconds: 3_600 },
  { points: 20, seconds: 86_400 },
]

const minuteMillis = 60_000

const findMonth = (instant: Date): { readonly since: Date; readonly until: Date } => ({
  since: new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), 1)),
  until: new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1)),
})

/** Sign-in by a mailed link (spec: authentication rules 3 and 4, [B11, B12]). */
export const makeMagicLinks = (
  ports: Pick<
    Ports<ProofDb, ProjectsDb>,
    "clock" | "control" | "ids" | "limiter" | "mailer" | "revocations" | "signals" | "tenants" | "tokens"
  >,
  sessions: ClientSessions,
  origins: MagicLinkOrigins,
  limits: Pick<Limits, "token">,
  background: Pick<Dispatcher<BackgroundDb & EventsDb & ProofDb>, "transact">,
) => {
  const { clock, control, ids, limiter, mailer, revocations, signals, tenants, tokens } = ports

  const getProject = (projectId: string) =>
    orFail(
      control.read((db) => db.projects.find({ id: projectId, is_ready: true })),
      NotFound,
    )

  /** Fails where the project has as many active users as it may have. New users are counted one after the other. */
  const checkCap = Effect.fnUntraced(function* (db: UsersDb, email: string, mau_cap: number, now: Date) {
    yield* db.users.lockSignUps()
    // The one before may have been of the same email: the second attempt finds its user.
    if (Option.isSome(yield* db.users.find({ email }))) return yield* new Duplicate({ key: ["email"] })
    const { since, until } = findMonth(now)
    if ((yield* db.users.countActive(since, until, mau_cap)) >= mau_cap) return yield* new MauCapExceeded()
  })

  /** Gives a new email to the session's anonymous user, or creates a user within the project's cap; and signs in. */
  const createOrUpgrade = Effect.fnUntraced(function* (
    db: ProofDb,
    projectId: string,
    email: string,
    session: GivenSession | null,
  ) {
    const now = clock.now()
    // An account without an email has nothing of an unproven sign-up: all that it has is its user's.
    const proven = { email, email_verified_at: now }
    if (session !== null) {
      const user = yield* orFail(Effect.map(db.users.lock(session.user_id), filterEnabled), InvalidSession)
      yield* sessions.checkLive(db, session)
      if (user.email !== null) return yield* new InvalidSession()
      const upgraded = yield* orFail(db.users.update(user.id, { ...proven, updated_at: now }), InvalidSession)
      return yield* sessions.signIn(db, projectId, upgraded)
    }
    const { mau_cap } = yield* Effect.orDie(getProject(projectId))
    if (mau_cap !== null) yield* checkCap(db, email, mau_cap, now)
    return yield* sessions.signUp(db, projectId, { ...newUser(ports), ...proven })
  })

  const lockEnabled = (db: UsersDb, userId: string) =>
    orFail(Effect.map(db.users.lock(userId), filterEnabled), InvalidToken)

  return {
    /**
     * Sends a link to an email, whether or not it has a user. The answer does not depend on the delivery. `origin` is that of the
     * request, null without one. `NOT_FOUND` without the project; `RATE_LIMIT_EXCEEDED` for too many to one email or from one address
     * [B14].
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
      // So that it is looked at when the link has to be removed.
      yield* background.transact(projectId, (db) => Effect.orDie(db.magicLinks.insert(link)))
      const address = `${chooseOrigin(origins, project.allowed_origins, origin)}/auth/verify?token=${token}`
      const mail = magicLinkMail({ to: email, link: address, projectName: project.name, minutes: linkMinutes })
      const signalNotSent = (reason: string) => Effect.sync(() => signals.emit({ name: "magic_link_not_sent", reason }))
      const sent = Effect.suspend(() => mailer.send({ ...mail, project_id: projectId })).pipe(
        Effect.catchTag("MailNotSent", ({ reason }) => signalNotSent(reason)),
        // The message of a defect may contain the address, so it is not passed on.
        Effect.catchDefect(() => signalNotSent("the mailer broke")),
      )
      // Not awaited: the time that the mail server takes could reveal something about the address.
      yield* Effect.forkDetach(sent, { startImmediately: true })
      return { ok: true }
    }),

    /**
     * Signs in with the token of a link, which works once and for 15 minutes (spec: client plane, authentication, 4). `INVALID_TOKEN` for
     * unknown, expired and used tokens and disabled users alike; `INVALID_SESSION`, where one is given that is not live;
     * `MAU_CAP_EXCEEDED` for a new user over the project's cap [B12]; `RATE_LIMIT_EXCEEDED` after too many failures [B14].
     */
    verify: Effect.fn("auth.verifyMagicLink")(
      function* (
        projectId: string,
        { token, session_token }: typeof MagicLinkVerification.Type,
        _address: CallerAddress = null,
      ) {
        const session = session_token === undefined ? null : yield* sessions.verify(projectId, session_token)
        if (session !== null && session.project_id !== projectId) return yield* new InvalidSession()
        const work = Effect.fnUntraced(function* (db: ProofDb, note: NoteProof) {
          const now = clock.now()
          const link = yield* orFail(db.magicLinks.lockByHash(tokens.fingerprint(token)), InvalidToken)
          if (link.used_at !== null || link.expires_at <= now) return yield* new InvalidToken()
          yield* Effect.orDie(db.magicLinks.update(link.id, { used_at: now }))
          const known = yield* db.users.find({ email: link.email })
          if (Option.isNone(known)) return yield* createOrUpgrade(db, projectId, link.email, session)
          const user = yield* proveEmail(ports, db, yield* lockEnabled(db, known.value.id), null, note)
          return yield* sessions.signIn(db, projectId, user)
        })
        const attempt = announceProofs(revocations, (note) => tenants.transact(projectId, (db) => work(db, note)))
        return yield* retryOnDuplicate(attempt).pipe(
          Effect.tapError((failure) =>
            Effect.sync(() => failure._tag === "InvalidToken" && signals.emit({ name: "magic_link_refused" })),
          ),
        )
      },
      (attempt, projectId, _input, address = null) => limits.token("magic-link", projectId, address)(attempt),
    ),
  }
}
