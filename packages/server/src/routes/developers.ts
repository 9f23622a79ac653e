import { HashingBusy, InvalidToken, NotFound } from "@hearth/core"
import { EmailExists, InvalidCredentials, WeakPassword } from "@hearth/core/auth"
import {
  Developer,
  DeveloperLogin,
  DeveloperSignup,
  DeveloperTokenPair,
  DeveloperTokens,
  RefreshRequest,
} from "@hearth/core/projects"
import { Schema } from "effect"
import { created, ok } from "../http/response/answers.ts"
import { route } from "./route.ts"

const minute = 60
const day = 86_400

/** Spec: developer auth. The limits are of the spec's table, per address. */
export const developerRoutes = [
  route("POST", "/auth/developer/signup", {
    id: "auth.developer.signup",
    summary: "Makes a developer's account and signs it in",
    description:
      "The first call of all. The password has at least 8 characters. The answer signs you in: send `access_token` as a bearer to the admin plane.",
    access: "public",
    limits: [
      { points: 5, seconds: minute },
      { points: 50, seconds: day },
    ],
    body: DeveloperSignup,
    errors: [WeakPassword, EmailExists, HashingBusy],
    returns: created(DeveloperTokens),
    fault: "CREATE_FAILED",
    run: ({ core, body }) => core.developers.signup(body),
  }),
  route("POST", "/auth/developer/login", {
    id: "auth.developer.login",
    summary: "Signs a developer in",
    description: "A wrong address and a wrong password get the same answer.",
    access: "public",
    limits: [
      { points: 10, seconds: minute },
      { points: 100, seconds: day },
    ],
    body: DeveloperLogin,
    errors: [InvalidCredentials, HashingBusy],
    returns: ok(DeveloperTokens),
    fault: "LOGIN_FAILED",
    run: ({ core, body }) => core.developers.login(body),
  }),
  route("POST", "/auth/developer/refresh", {
    id: "auth.developer.refresh",
    summary: "Exchanges a developer's refresh token for a new pair",
    description: "Both tokens are new and the old refresh token is spent; using it again ends the session.",
    access: "public",
    limits: [{ points: 30, seconds: minute }],
    body: RefreshRequest,
    errors: [InvalidToken],
    returns: ok(DeveloperTokenPair),
    fault: "REFRESH_FAILED",
    run: ({ core, body }) => core.developers.refresh(body.refresh_token),
  }),
  route("POST", "/auth/developer/logout", {
    id: "auth.developer.logout",
    summary: "Ends the session of a refresh token",
    description:
      "Nothing refreshes the session any more, and its last access token has ended. The call may be repeated.",
    access: "public",
    body: RefreshRequest,
    returns: ok(Schema.Struct({ success: Schema.Boolean })),
    fault: "LOGOUT_FAILED",
    run: ({ core, body }) => core.developers.logout(body.refresh_token),
  }),
  route("GET", "/auth/developer/me", {
    id: "auth.developer.me",
    summary: "Shows the caller's own account",
    description: "Tells whose access token this is.",
    access: "developer",
    errors: [NotFound],
    returns: ok(Developer),
    fault: "FETCH_FAILED",
    run: ({ core, caller }) => core.developers.me(caller.developer_id),
  }),
]
