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
} from "@hearth/core/auth"
import { ContentRejected } from "@hearth/core/moderation"
import { RefreshRequest } from "@hearth/core/projects"
import { Schema } from "effect"
import { created, deleted, listOf, ok } from "../http/response/answers.ts"
import { route } from "./route.ts"

const Success = Schema.Struct({ success: Schema.Boolean })

/** Spec: client plane, authentication. */
const signIn = [
  route("POST", "/client/auth/anonymous", {
    id: "client.auth.anonymous",
    summary: "Makes an anonymous user and signs it in",
    access: "client-key",
    errors: [RateLimitExceeded],
    returns: created(AnonymousResult),
    fault: "CREATE_FAILED",
    run: ({ core, caller, address }) => core.auth.anonymous(caller.project_id, address),
  }),
  route("POST", "/client/auth/social", {
    id: "client.auth.social",
    summary: "Signs in with Apple (idp_a) or Google (idp_b); upgrades the anonymous user of session_token",
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
    access: "client",
    returns: listOf(OwnSession),
    run: ({ core, caller }) => core.auth.sessions.list(caller.project_id, caller.user_id, caller.session_id),
  }),
  route("DELETE", "/client/auth/sessions/:id", {
    id: "client.auth.sessions.delete",
    summary: "Ends one of the caller's sessions",
    access: "client",
    returns: deleted,
    run: ({ core, caller, params }) => core.auth.sessions.revoke(caller.project_id, caller.user_id, params.id),
  }),
]

/** Sign-in and sessions. */
export const authRoutes = [...signIn, ...sessions]
