import type { EntitlementsDb } from "@hearth/core/entitlements"
import type { TenantFeature } from "../feature.ts"
import { fields, instant, keepList, limit, text, uuid } from "../memory/arguments.ts"
import { entitlementShape } from "../users/memory-shapes.ts"
import { entitlementSourceShape, memoryEntitlementSources, memoryEntitlements } from "./memory.ts"

/** Entitlements in tests: tables and repositories in memory. */
export const entitlementsFeature: TenantFeature<EntitlementsDb> = {
  tenant: {
    shapes: [entitlementShape, entitlementSourceShape],
    sections: { user_entitlements: entitlementShape },
    rules: {
      entitlements: {
        listMany: [keepList(fields({ app_user_id: uuid, entitlement_id: text }))],
        removeMany: [keepList(uuid)],
        ofUsers: [keepList(uuid)],
      },
      entitlementSources: { ended: [instant, limit], listProvided: [keepList(uuid)] },
    },
    make: ({ statements }) => ({
      entitlements: memoryEntitlements(statements),
      entitlementSources: memoryEntitlementSources(statements),
    }),
  },
}
