import type { RefreshToken, SessionFamily, SessionStore } from "@hearth/core"
import { Effect, Option } from "effect"
import type { TableShape } from "./schema.ts"
import type { Statements } from "./statements.ts"
import { makeTable } from "./table.ts"

/** The sessions of one plane. */
export const makeSessions = (
  statements: Statements,
  { SessionFamily, RefreshToken }: Readonly<Record<"SessionFamily" | "RefreshToken", TableShape>>,
): SessionStore => ({
  get families() {
    return {
      ...makeTable<SessionFamily>(statements, SessionFamily),
      lock: (id: string) =>
        Effect.map(
          statements.rows<SessionFamily>(
            `select ${SessionFamily.columns.join(", ")} from ${SessionFamily.name} where id = $1 for no key update`,
            [id],
          ),
          (rows) => Option.fromNullishOr(rows[0]),
        ),
    }
  },
  get refreshTokens() {
    return makeTable<RefreshToken>(statements, RefreshToken)
  },
})
