import type { RelationsDb } from "@hearth/core/relations"
import type { TenantFeature } from "../feature.ts"
import { any, keepList, limit, slice, uuid } from "../memory/arguments.ts"
import { blockShape, followShape, memoryRelations } from "./memory.ts"

/** Relations between users in tests: tables and repositories in memory. */
export const relationsFeature: TenantFeature<RelationsDb> = {
  tenant: {
    shapes: [followShape, blockShape],
    sections: { follows: followShape, blocks: blockShape },
    rules: {
      follows: {
        count: [uuid],
        pageOfUser: [uuid, any, slice],
        removeBetween: [uuid, uuid],
        removeSome: [uuid, limit],
      },
      blocks: {
        count: [uuid],
        pageOfUser: [uuid, slice],
        amongst: [uuid, keepList(uuid)],
        between: [keepList(uuid), keepList(uuid)],
        removeSome: [uuid, limit],
      },
    },
    make: ({ statements }) => memoryRelations(statements),
  },
}
