import type { RelationsDb } from "@hearth/core/relations"
import type { TenantFeature } from "../feature.ts"
import { blockShape, followShape, memoryRelations } from "./memory.ts"

/** Relations between users in tests: tables and repositories in memory. */
export const relationsFeature: TenantFeature<RelationsDb> = {
  tenant: {
    shapes: [followShape, blockShape],
    sections: { follows: followShape, blocks: blockShape },
    make: ({ statements }) => memoryRelations(statements),
  },
}
