import type { Table } from "../ports/table.ts"
import type { PushToken } from "./push-token.ts"

/** What a project's database has for push. */
export interface PushDb {
  /** Unique: `token`. Removed with their user. */
  readonly pushTokens: Table<PushToken>
}
