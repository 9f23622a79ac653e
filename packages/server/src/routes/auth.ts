import { Forbidden, HashingBusy, InvalidToken, NotFound, RateLimitExceeded } from "@hearth/core"
import {
  AnonymousResult,
  AudienceNotConfigured,
  AuthResult,
  EmailExists,
  EmailLogin,
  EmailSignup,
  IdentityAlreadyLinked,
  InvalidCredentials,
  InvalidSession,
  LinkRequest,
  MagicLinkRequest,
  MagicLinkVerification,
  MauCapExceeded,
  OwnSession,
  SessionTokenPair,
  SocialSignIn,
  UnsupportedProvider,
  UserSession,
} from "@hearth/core/auth"
import { ContentRejected } from "@hearth/core/moderation"
import { RefreshRequest } from "@hearth/core/projects"
import { Schema } from "effect"
import { paging } from "../http/request/query.ts"
import { created, deleted, ok, sliceOf } from "../http/response/answers.ts"
import { route } from "./route.ts"

const Success = Schema.Struct({ success: Schema.Boolean })

/** Spec: client plane, authentication. */
const signIn = [
  route("POST", "/client/auth/anonymous", {
    id: "client.auth.anonymous",
    summary: "Makes an anonymous user and signs it in",
    description:
      "Call it at the first start of the app: no account is needed. The user gets a made-up `display_name` and an `anonymous_id`; whoever signs up later with this `session_token` stays the same user.",
    access: "client-key",
    errors: [RateLimitExceeded],
    returns: created(AnonymousResult),
    fault: "CREATE_FAILED",
    run: ({ core, caller, address }) => core.auth.anonymous(caller.project_id, address),
  }),
  route("POST", "/client/auth/social", {
    id: "client.auth.social",
    summary: "Signs in with Apple (idp_a) or Google (idp_b); upgrades the anonymous user of session_token",
    description:
      "Send the identity token that the device got from the platform. With `session_token` the anonymous user becomes the account; if the identity belongs to somebody already, that user is signed in.",
    access: "client-key",
    body: SocialSignIn,
    errors: [AudienceNotConfigured, InvalidToken, InvalidSession, NotFound, RateLimitExceeded],
    returns: ok(AuthResult),
    fault: "SOCIAL_LOGIN_FAILED",
    run: ({ core, caller, body, address }) => core.auth.identities.social(caller.project_id, body, address),
  }),
  route("POST", "/client/auth/email/signup", {
    id: "client.auth.email.signup",
    summary: "Makes an account with email and password; upgrades the anonymous user of session_token",
    description:
      "With `session_token` the anonymous user becomes the account and keeps everything. An address that has an account is 409 `EMAIL_EXISTS`.",
    access: "client-key",
    body: EmailSignup,
    errors: [ContentRejected, EmailExists, InvalidSession, HashingBusy, RateLimitExceeded],
    returns: created(AuthResult),
    fault: "CREATE_FAILED",
    run: ({ core, caller, body, address }) => core.auth.email.signup(caller.project_id, body, address),
  }),
  route("POST", "/client/auth/email/login", {
    id: "client.auth.email.login",
    summary: "Signs in with email and password",
    description:
      "A wrong address and a wrong password get the same answer, so that nobody can find out who has an account.",
    access: "client-key",
    body: EmailLogin,
    errors: [InvalidCredentials, HashingBusy, RateLimitExceeded],
    returns: ok(AuthResult),
    fault: "LOGIN_FAILED",
    run: ({ core, caller, body, address }) => core.auth.email.login(caller.project_id, body, address),
  }),
  route("POST", "/client/auth/magic-link/request", {
    id: "client.auth.magicLink.request",
    summary: "Mails a link that signs in, to anybody who asks for it",
    description:
      "The answer is the same whether or not the address has an account. A link holds for 15 minutes and works once. With the embedded database no mail is sent: read it at `/dev/outbox`.",
    access: "client-key",
    limits: [
      { points: 10, seconds: 60 },
      { points: 200, seconds: 86_400 },
    ],
    body: MagicLinkRequest,
    errors: [RateLimitExceeded, NotFound],
    returns: ok(Schema.Struct({ ok: Schema.Boolean })),
    run: ({ core, caller, body, header }) =>
      core.auth.magicLinks.request(caller.project_id, body.email, header("origin")),
  }),
  route("POST", "/client/auth/magic-link/verify", {
    id: "client.auth.magicLink.verify",
    summary: "Signs in with the token of a link, once",
    description:
      "The user of the address is signed in, or made. A token that is unknown, used or too old is 401 `INVALID_TOKEN`, without saying which.",
    access: "client-key",
    body: MagicLinkVerification,
    errors: [InvalidToken, InvalidSession, MauCapExceeded, RateLimitExceeded],
    returns: ok(AuthResult),
    fault: "VERIFY_FAILED",
    run: ({ core, caller, body, address }) => core.auth.magicLinks.verify(caller.project_id, body, address),
  }),
  route("POST", "/client/auth/link", {
    id: "client.auth.link",
    summary: "Links an identity of Apple or Google to the user of session_token",
    description:
      "Adds a second way to sign in to the user of `session_token`. An identity that belongs to another user is 409.",
    access: "client-key",
    body: LinkRequest,
    errors: [
      UnsupportedProvider,
      AudienceNotConfigured,
      InvalidSession,
      InvalidToken,
      Forbidden,
      NotFound,
      IdentityAlreadyLinked,
      RateLimitExceeded,
    ],
    returns: ok(AuthResult),
    fault: "LINK_FAILED",
    run: ({ core, caller, body, address }) => core.auth.identities.link(caller.project_id, body, address),
  }),
  route("POST", "/client/auth/refresh", {
    id: "client.auth.refresh",
    summary: "Exchanges a refresh token for a new pair; the old one is spent",
    description:
      "Both tokens are new and the old refresh token is spent. Using a spent one again ends the session: somebody else may have it. Run one refresh at a time.",
    access: "client-key",
    body: RefreshRequest,
    errors: [InvalidToken, RateLimitExceeded],
    returns: ok(SessionTokenPair),
    fault: "REFRESH_FAILED",
    run: ({ core, caller, body, address }) =>
      core.auth.sessions.refresh(caller.project_id, body.refresh_token, address),
  }),
  route("POST", "/client/auth/logout", {
    id: "client.auth.logout",
    summary: "Ends the session of a refresh token",
    description: "Send the refresh token of this device: its session ends. It may be repeated.",
    access: "client-key",
    body: RefreshRequest,
    errors: [RateLimitExceeded],
    returns: ok(Success),
    fault: "LOGOUT_FAILED",
    run: ({ core, caller, body }) => core.auth.sessions.logout(caller.project_id, body.refresh_token),
  }),
]

/** Decisions D: a user's own sessions. */
const sessions = [
  route("GET", "/client/auth/sessions", {
    id: "client.auth.sessions.list",
    summary: "Lists the caller's live sessions, the last used first",
    description: "One entry for each device that is signed in; `is_current` is the one that asks.",
    access: "client",
    query: paging(),
    returns: sliceOf(OwnSession),
    run: ({ core, caller }) => core.auth.sessions.list(caller.project_id, caller.user_id, caller.session_id),
  }),
  route("DELETE", "/client/auth/sessions/:id", {
    id: "client.auth.sessions.delete",
    summary: "Ends one of the caller's sessions",
    description: "Signs a device out. Take the id from the list of sessions.",
    access: "client",
    returns: deleted,
    run: ({ core, caller, params }) => core.auth.sessions.revoke(caller.project_id, caller.user_id, params.id),
  }),
]

/** The sessions of a user, for developers. */
const sessionsOfUsers = [
  route("GET", "/admin/projects/:projectId/users/:userId/sessions", {
    id: "users.sessions.list",
    summary: "Lists a user's live sessions, the last used first",
    description: "One entry for each device that is signed in. Disabling the user ends them all.",
    access: "developer",
    query: paging(),
    errors: [NotFound],
    returns: sliceOf(UserSession),
    fault: "LIST_FAILED",
    run: ({ core, params }) => core.auth.sessions.ofUser(params.projectId, params.userId),
  }),
]

/** Sign-in and sessions. */
export const authRoutes = [...signIn, ...sessions, ...sessionsOfUsers]
