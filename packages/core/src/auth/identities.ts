import { Effect, Option, Schema } from "effect"
import { Forbidden, InvalidToken, NotFound } from "../failure.ts"
import type { CallerAddress, Limits } from "../limits/limits.ts"
import { orFail } from "../lookup.ts"
import type { Identity, IdentityProvider } from "../ports/identity-verifier.ts"
import type { Ports } from "../ports/ports.ts"
import type { ProjectsDb } from "../projects/port.ts"
import { Text, text } from "../schema.ts"
import type { UserRow } from "../users/user.ts"
import type { ClientSessions, GivenSession } from "./client-sessions.ts"
import { AudienceNotConfigured, IdentityAlreadyLinked, InvalidSession, UnsupportedProvider } from "./failures.ts"
import { filterEnabled, isAnonymous, newUser } from "./new-user.ts"
import { announceProofs, type NoteProof, type ProofDb, proveEmail } from "./prove-email.ts"
import { retryOnDuplicate } from "./retry-on-duplicate.ts"

const Provider = Schema.Literals(["idp_a", "idp_b"])
const Nonce = text(1, 255)

/** A sign-in with the identity token of a provider. With `session_token`, the anonymous user of that session is upgraded. */
export const SocialSignIn = Schema.Struct({
  provider: Provider,
  token: Text,
  session_token: Schema.optionalKey(Text),
  nonce: Schema.optionalKey(Nonce),
}).annotate({ identifier: "SocialSignIn" })

/** An identity to be linked to the user of a session. Any text is read as a provider; unsupported ones have their own code. */
export const LinkRequest = Schema.Struct({
  provider: Text,
  token: Text,
  session_token: Text,
  nonce: Schema.optionalKey(Nonce),
}).annotate({ identifier: "LinkRequest" })

/** Sign-in with Apple (`idp_a`) and Google (`idp_b`), and linking them (spec: authentication rules 1 and 2, [B9, B10]). */
export const makeIdentities = (
  ports: Pick<
    Ports<ProofDb, ProjectsDb>,
    "clock" | "control" | "identities" | "ids" | "revocations" | "signals" | "tenants"
  >,
  sessions: ClientSessions,
  limits: Pick<Limits, "signIn" | "token">,
) => {
  const { clock, control, identities, ids, revocations, signals, tenants } = ports

  /** Verifies a token for the project's audience of its provider. */
  const verify = Effect.fnUntraced(function* (
    projectId: string,
    provider: IdentityProvider,
    token: string,
    nonce: string | null,
  ) {
    const project = yield* orFail(
      control.read((db) => db.projects.find({ id: projectId, is_ready: true })),
      NotFound,
    )
    const audience = provider === "idp_a" ? project.bundle_id : project.oauth_client_id
    if (audience === null) return yield* new AudienceNotConfigured()
    return yield* Effect.tapError(identities.verify(provider, token, { audience, nonce }), () =>
      Effect.sync(() => signals.emit({ name: "identity_refused", provider })),
    )
  })

  /** Locks the user who has an identity. None when no user has it. */
  const lockHolder = Effect.fnUntraced(function* (db: ProofDb, { provider, provider_id }: Identity) {
    const link = Option.getOrNull(yield* db.accountLinks.find({ provider, provider_id }))
    if (link === null) return Option.none()
    const user = yield* db.users.lock(link.app_user_id)
    // A proof of the email may have ended the identity before the user was locked [B15].
    const isStill = Option.isSome(yield* db.accountLinks.find({ id: link.id }))
    return Option.filter(user, () => isStill)
  })

  /** Proves the email of a user who has an identity, where the identity's token names the same one [B15]. */
  const prove = (db: ProofDb, user: UserRow, identity: Identity, note: NoteProof) =>
    identity.email !== null && identity.email === user.email
      ? proveEmail(ports, db, user, identity, note)
      : Effect.succeed(user)

  /**
   * Links an identity to a user. A user without an email gets the provider's, which is proven by that, unless another user has
   * it.
   */
  const linkIdentity = Effect.fnUntraced(function* (db: ProofDb, user: UserRow, identity: Identity, note: NoteProof) {
    const { provider, provider_id, email } = identity
    const now = clock.now()
    yield* db.accountLinks.insert({ id: ids.uuid(), app_user_id: user.id, provider, provider_id, created_at: now })
    const free = user.email === null && email !== null && Option.isNone(yield* db.users.find({ email }))
    const changed = yield* db.users.update(user.id, {
      auth_providers: [...user.auth_providers, { provider, provider_id }],
      ...(free ? { email, email_verified_at: now } : {}),
      updated_at: now,
    })
    return yield* prove(db, Option.getOrThrow(changed), identity, note)
  })

  const signalLinked = (provider: IdentityProvider, isUpgraded: boolean | null) => {
    if (isUpgraded !== null) signals.emit({ name: "identity_linked", provider, upgraded: isUpgraded })
  }

  /** `isUpgraded` is whether the user was anonymous before; null when no identity was linked. */
  const signIn = (projectId: string, identity: Identity, session: GivenSession | null) => {
    const work = Effect.fnUntraced(function* (db: ProofDb, note: NoteProof) {
      const holder = yield* lockHolder(db, identity)
      if (Option.isSome(holder)) {
        const user = yield* prove(
          db,
          yield* orFail(Effect.succeed(filterEnabled(holder)), InvalidToken),
          identity,
          note,
        )
        return { result: yield* sessions.signIn(db, projectId, user), isUpgraded: null }
      }
      const user =
        session === null
          ? newUser(ports)
          : yield* orFail(Effect.map(db.users.lock(session.user_id), filterEnabled), InvalidSession)
      if (session === null) yield* db.users.insert(user)
      else yield* sessions.checkLive(db, session)
      const result = yield* sessions.signIn(db, projectId, yield* linkIdentity(db, user, identity, note))
      return { result, isUpgraded: session !== null && isAnonymous(user) }
    })
    return announceProofs(revocations, (note) => tenants.transact(projectId, (db) => work(db, note)))
  }

  return {
    /**
     * Signs in with an identity. A new identity is linked to the user of the given session, else to a new user. A known identity signs in
     * its own user, and nothing is merged [B10]. `INVALID_TOKEN` for an identity token that is not accepted [B9] or a user who is
     * disabled; `AUDIENCE_NOT_CONFIGURED`; `INVALID_SESSION`, where one is given that is not live; `NOT_FOUND` without the project;
     * `RATE_LIMIT_EXCEEDED` [B14].
     */
    social: Effect.fn("auth.social")(function* (
      projectId: string,
      input: typeof SocialSignIn.Type,
      address: CallerAddress = null,
    ) {
      yield* limits.signIn(projectId, address)
      const { provider, token, session_token, nonce = null } = input
      const session = session_token === undefined ? null : yield* sessions.verify(projectId, session_token)
      if (session !== null && session.project_id !== projectId) return yield* new InvalidSession()
      const identity = yield* verify(projectId, provider, token, nonce)
      const { result, isUpgraded } = yield* retryOnDuplicate(signIn(projectId, identity, session))
      signalLinked(provider, isUpgraded)
      return result
    }),

    /**
     * Links an identity to the user of a session. Does nothing when it is linked to that user already. `UNSUPPORTED_PROVIDER` for
     * `email`; `AUDIENCE_NOT_CONFIGURED`; `INVALID_SESSION`; `INVALID_TOKEN` for an identity token that is not accepted; `FORBIDDEN` for
     * a session of another project; `NOT_FOUND` without the project or the user; `IDENTITY_ALREADY_LINKED` to another user;
     * `RATE_LIMIT_EXCEEDED` [B14].
     */
    link: Effect.fn("auth.link")(
      function* (projectId: string, input: typeof LinkRequest.Type, _address: CallerAddress = null) {
        const { provider, token, session_token, nonce = null } = input
        if (provider !== "idp_a" && provider !== "idp_b") return yield* new UnsupportedProvider()
        const session = yield* sessions.verifyUnlessGone(projectId, session_token)
        if (session.project_id !== projectId)
          return yield* new Forbidden(undefined, "The session belongs to another project than the client key.")
        const identity = yield* verify(projectId, provider, token, nonce)
        const work = Effect.fnUntraced(function* (db: ProofDb, note: NoteProof) {
          const user = yield* orFail(Effect.map(db.users.lock(session.user_id), filterEnabled), NotFound)
          yield* sessions.checkLive(db, session)
          const holder = yield* db.accountLinks.find({ provider, provider_id: identity.provider_id })
          if (Option.isSome(holder) && holder.value.app_user_id !== user.id) return yield* new IdentityAlreadyLinked()
          const linked = yield* Option.isSome(holder)
            ? prove(db, user, identity, note)
            : linkIdentity(db, user, identity, note)
          const result = yield* sessions.signIn(db, projectId, linked)
          return { result, isUpgraded: Option.isSome(holder) ? null : isAnonymous(user) }
        })
        const attempt = announceProofs(revocations, (note) => tenants.transact(projectId, (db) => work(db, note)))
        const { result, isUpgraded } = yield* retryOnDuplicate(attempt)
        signalLinked(provider, isUpgraded)
        return result
      },
      (attempt, projectId, _input, address = null) => limits.token("link", projectId, address)(attempt),
    ),
  }
}
