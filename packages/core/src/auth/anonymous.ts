import { Effect, Schema } from "effect"
import type { Ports } from "../ports/index.ts"
import { EndUser, type UserRow } from "../users/user.ts"
import { displayName } from "./display-names.ts"
import { clientPlane, makeSessions } from "./sessions.ts"

/** What every way in answers: the two tokens and the user (spec: auth result). */
export const AuthResult = Schema.Struct({
  session_token: Schema.String,
  refresh_token: Schema.String,
  user: EndUser,
}).annotate({ identifier: "AuthResult" })

/** The answer of the anonymous way in. */
export const AnonymousResult = Schema.Struct({ ...AuthResult.fields, anonymous_id: Schema.String }).annotate({
  identifier: "AnonymousResult",
})

/** A user nobody knows anything about yet. */
export const newUser = ({ clock, ids }: Pick<Ports, "clock" | "ids">): UserRow => {
  const now = clock.now()
  return {
    id: ids.uuid(),
    email: null,
    display_name: displayName(ids),
    anonymous_id: `anon_${ids.base62(24)}`,
    auth_providers: [],
    properties: {},
    first_seen_at: now,
    last_seen_at: now,
    external_id: null,
    avatar_url: null,
    timezone: null,
    password_hash: null,
    is_disabled: false,
    created_at: now,
    updated_at: now,
  }
}

/** The ways in for end users. */
export const makeAuth = (ports: Pick<Ports, "clock" | "ids" | "signals" | "tenants" | "tokens">) => {
  const sessions = makeSessions(ports, clientPlane)
  return {
    /** Makes a new user without an identity and signs it in. */
    anonymous: Effect.fn("auth.anonymous")(function* (projectId: string) {
      const user = newUser(ports)
      const pair = yield* ports.tenants.transact(projectId, (db) =>
        Effect.andThen(
          Effect.orDie(db.users.insert(user)),
          sessions.open(db.sessions, { id: user.id, pid: projectId }),
        ),
      )
      return {
        session_token: pair.access_token,
        refresh_token: pair.refresh_token,
        user,
        anonymous_id: user.anonymous_id,
      }
    }),
  }
}
