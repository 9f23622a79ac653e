import { Effect, Schema } from "effect"
import type { CallerAddress, Limits } from "../limits/limits.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { AuthResult, type ClientSessions } from "./client-sessions.ts"
import { newUser } from "./new-user.ts"
import type { AuthDb } from "./port.ts"

/** The answer of an anonymous sign-in. */
export const AnonymousResult = Schema.Struct({ ...AuthResult.fields, anonymous_id: Schema.String }).annotate({
  identifier: "AnonymousResult",
})

/** Creates a user without an identity and signs it in. */
export const makeAnonymous = (
  ports: Pick<Ports<AuthDb & UsersDb>, "clock" | "ids" | "tenants">,
  sessions: ClientSessions,
  limits: Pick<Limits, "signIn">,
) =>
  Effect.fnUntraced(function* (projectId: string, address: CallerAddress = null) {
    yield* limits.signIn(projectId, address)
    const user = newUser(ports)
    const result = yield* ports.tenants.read(projectId, (db) => Effect.orDie(sessions.signUp(db, projectId, user)))
    return { ...result, anonymous_id: user.anonymous_id }
  })
