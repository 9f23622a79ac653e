import type { RelationsDb } from "@hearth/core/relations"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { blocksContract, followsContract } from "./contract.ts"
import { blockShape, followShape, memoryRelations } from "./memory.ts"
import { blocks, follows, relationSections } from "./tables.ts"

/** Relations between users in tests: tables and repositories in memory, contract suites. */
export const relationsFeature: TenantFeature<RelationsDb> = {
  tenant: {
    shapes: [followShape, blockShape],
    sections: { follows: followShape, blocks: blockShape },
    make: ({ statements }) => memoryRelations(statements),
    contracts: [
      (open) => tableContract(open, follows),
      (open) => tableContract(open, blocks),
      followsContract,
      blocksContract,
      ...relationSections,
    ],
  },
}
