import type { Table } from "../ports/table.ts"
import type { PushToken } from "./push-token.ts"

/** What a project has of the devices of its users. */
export interface PushDb {
  /** Unique: `token`. Gone with their user. */
  readonly pushTokens: Table<PushToken>
}
