import type { PushDb } from "@hearth/core/push"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { memoryTable } from "../memory/table.ts"
import { pushTokenShape } from "./memory.ts"
import { pushTokensSectionContract } from "./sections.contract.ts"
import { pushTokens } from "./tables.ts"

/** The devices of users in tests: tables and repositories in memory, contract suites. */
export const pushFeature: TenantFeature<PushDb> = {
  tenant: {
    shapes: [pushTokenShape],
    sections: { push_tokens: pushTokenShape },
    make: ({ statements }) => ({ pushTokens: memoryTable(statements, pushTokenShape) }),
    contracts: [(open) => tableContract(open, pushTokens), pushTokensSectionContract],
  },
}
