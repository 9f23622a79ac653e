import type { Effect, Option } from "effect"
import type { RefreshToken, SessionFamily } from "../auth/session.ts"
import type { Table } from "./table.ts"

/** Where sessions and their refresh tokens are kept: of developers in the control plane, of users in their project. */
export interface SessionStore {
  readonly families: Table<SessionFamily> & {
    /** The family, locked until the transaction ends: two rotations of one family happen one after the other [B6]. */
    lock(id: string): Effect.Effect<Option.Option<SessionFamily>>
  }
  readonly refreshTokens: Table<RefreshToken>
}
