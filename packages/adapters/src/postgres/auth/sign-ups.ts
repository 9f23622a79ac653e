import type { RefreshToken, SessionFamily, SignIns, SignUps } from "@hearth/core/auth"
import type { UserRow } from "@hearth/core/users"
import { Effect, Option } from "effect"
import type { Statement } from "../connections/connection.ts"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { attemptWrite, encodeRow } from "../sql/table.ts"
import { removeSpent, type SessionTables, sessionValues } from "./sessions.ts"

type SignUpShapes = SessionTables & { readonly User: TableShape }

const familyTypes = ["uuid", "uuid", "timestamptz", "timestamptz", "timestamptz"]
const tokenTypes = ["uuid", "uuid", "text", "timestamptz", "timestamptz", "timestamptz"]

/** Writes `sessionValues`, which begin after so many others, once for each row of `user`. `unless` says when one is not written. */
const insertSession = (
  { SessionFamily, RefreshToken }: SignUpShapes,
  { user, after, unless }: { readonly user: string; readonly after: number; readonly unless: string },
) => {
  const typed = (types: ReadonlyArray<string>, before: number) =>
    types.map((type, index) => `$${before + index + 1}::${type}`).join(", ")
  return `family as (
      insert into ${SessionFamily.name} (id, owner_id, created_at, last_used_at, revoked_at)
      select ${typed(familyTypes, after)} from ${user} ${unless}
    ), token as (
      insert into ${RefreshToken.name} (id, family_id, token_hash, created_at, expires_at, revoked_at)
      select ${typed(tokenTypes, after + familyTypes.length)} from ${user} ${unless}
    )`
}

const placeholders = (count: number) => Array.from({ length: count }, (_, index) => `$${index + 1}`).join(", ")

/** The statement that writes the three rows. `unless` says when the user's is not written; then neither are the others. */
const insertAll = (shapes: SignUpShapes, unless: string): string => {
  const { columns, name } = shapes.User
  return `with created as (
      insert into ${name} (${columns.join(", ")}) values (${placeholders(columns.length)}) ${unless} returning id
    ), ${insertSession(shapes, { user: "created", after: columns.length, unless: "" })}
    select`
}

/** New users of a project with their first session. */
export const makeSignUps = (statements: Statements, shapes: SignUpShapes): SignUps => {
  const { User } = shapes
  const once = insertAll(shapes, "")
  // Waits for the end of the first try. Its user was written by it or by nobody: ids are made here.
  const again = insertAll(shapes, "on conflict (id) do nothing")
  const valuesOf = (user: UserRow, family: SessionFamily, token: RefreshToken) => {
    const columns = encodeRow(User, user)
    return [...User.columns.map((column) => columns[column]), ...sessionValues(family, token)]
  }
  return {
    insert: (user, family, token) => {
      const values = () => valuesOf(user, family, token)
      return Effect.asVoid(
        statements.confirm(
          attemptWrite(statements, User, () => ({ name: "sign-up", text: once, values: values() })),
          attemptWrite(statements, User, () => ({ text: again, values: values() })),
        ),
      )
    },
  }
}

// Waits for who changes the user, and then looks again. The row is read once: what is written after it needs it locked.
const signInKnown = (shapes: SignUpShapes, unless: string): string => {
  const { columns, name } = shapes.User
  return `with known as materialized (
      select ${columns.join(", ")} from ${name} where id = $1 and password_hash = $2 and not is_disabled for no key update
    ), seen as (
      update ${name} u set last_seen_at = $3 from known where u.id = known.id and known.last_seen_at < $3
    ), ${insertSession(shapes, { user: "known", after: 3, unless })},
    ${removeSpent(shapes, "(select id from known)", "$6::timestamptz")}
    select * from known`
}

/** Users of a project who sign in by their password. */
export const makeSignIns = (statements: Statements, shapes: SignUpShapes): SignIns => {
  const once = signInKnown(shapes, "")
  // Waits for the end of the first try, which locks the user. Ids of sessions are made here.
  const again = signInKnown(shapes, "on conflict (id) do nothing")
  // Where somebody keeps a user locked, whoever signs in as that user is not to take all connections meanwhile.
  const run = (statement: Statement) => Effect.orDie(statements.attempt(() => ({ ...statement, locks: "rows" })))
  return {
    insert: ({ id, password_hash }, family, first, seen_at) => {
      const values = [id, password_hash, seen_at, ...sessionValues(family, first)]
      const written = statements.confirm(run({ name: "sign-in", text: once, values }), run({ text: again, values }))
      return Effect.map(written, ({ rows }) => Option.fromNullishOr((rows as ReadonlyArray<UserRow>)[0]))
    },
  }
}
