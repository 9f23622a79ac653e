import type { PushDb } from "@hearth/core/push"
import type { TenantFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import { PushToken } from "./entities.ts"

/** The devices of users in PostgreSQL: tables and repositories. */
export const pushFeature: TenantFeature<PushDb> = {
  tenant: {
    entities: [PushToken],
    repositories: { pushTokens: (statements, shapes) => makeTable(statements, shapes(PushToken)) },
  },
}
