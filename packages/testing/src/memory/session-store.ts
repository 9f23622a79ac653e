import type { RefreshToken, SessionFamily, SessionStore } from "@hearth/core"
import type { Statements } from "./database.ts"
import { type Shape, shapeOf } from "./rows.ts"
import { lockRow, memoryTable } from "./table.ts"

/** The tables of a session store. */
export interface SessionShapes {
  readonly families: Shape<SessionFamily>
  readonly refreshTokens: Shape<RefreshToken>
}

/** The tables of the sessions of whoever is in the table `owners`. */
export const sessionShapes = (owners: string): SessionShapes => ({
  families: shapeOf<SessionFamily>(
    "session families",
    { id: "uuid", owner_id: "uuid", created_at: "instant", last_used_at: "instant", revoked_at: "instant?" },
    { parents: { owner_id: owners } },
  ),
  refreshTokens: shapeOf<RefreshToken>(
    "refresh tokens",
    {
      id: "uuid",
      family_id: "uuid",
      token_hash: "text",
      created_at: "instant",
      expires_at: "instant",
      revoked_at: "instant?",
    },
    { parents: { family_id: "session families" } },
  ),
})

/** Sessions and their refresh tokens. */
export const memorySessionStore = (statements: Statements, shapes: SessionShapes): SessionStore => ({
  families: { ...memoryTable(statements, shapes.families), lock: lockRow(statements, shapes.families) },
  refreshTokens: memoryTable(statements, shapes.refreshTokens),
})
