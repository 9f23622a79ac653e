import type { RefreshToken, SessionFamily, SignUps } from "@hearth/core/auth"
import type { UserRow } from "@hearth/core/users"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { attemptWrite, encodeRow } from "../sql/table.ts"

type SignUpShapes = Readonly<Record<"User" | "SessionFamily" | "RefreshToken", TableShape>>

const placeholders = (count: number) => Array.from({ length: count }, (_, index) => `$${index + 1}`).join(", ")

/** The statement that writes the three rows. `unless` says when the user's is not written; then neither are the others. */
const insertAll = ({ User, SessionFamily, RefreshToken }: SignUpShapes, unless: string): string => {
  const first = User.columns.length
  const second = first + familyTypes.length
  const typed = (types: ReadonlyArray<string>, before: number) =>
    types.map((type, index) => `$${before + index + 1}::${type}`).join(", ")
  return `with created as (
      insert into ${User.name} (${User.columns.join(", ")}) values (${placeholders(first)}) ${unless} returning id
    ), family as (
      insert into ${SessionFamily.name} (id, owner_id, created_at, last_used_at, revoked_at)
      select ${typed(familyTypes, first)} from created
    )
    insert into ${RefreshToken.name} (id, family_id, token_hash, created_at, expires_at, revoked_at)
    select ${typed(tokenTypes, second)} from created`
}

const familyTypes = ["uuid", "uuid", "timestamptz", "timestamptz", "timestamptz"]
const tokenTypes = ["uuid", "uuid", "text", "timestamptz", "timestamptz", "timestamptz"]

/** New users of a project with their first session. */
export const makeSignUps = (statements: Statements, shapes: SignUpShapes): SignUps => {
  const { User } = shapes
  const once = insertAll(shapes, "")
  // Waits for the end of the first try. Its user was written by it or by nobody: ids are made here.
  const again = insertAll(shapes, "on conflict (id) do nothing")
  const valuesOf = (user: UserRow, family: SessionFamily, token: RefreshToken) => {
    const columns = encodeRow(User, user)
    return [
      ...User.columns.map((column) => columns[column]),
      ...[family.id, family.owner_id, family.created_at, family.last_used_at, family.revoked_at],
      ...[token.id, token.family_id, token.token_hash, token.created_at, token.expires_at, token.revoked_at],
    ]
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
