import type { IntegrationsControlDb } from "@hearth/core/integrations"
import type { ControlFeature } from "../feature.ts"
import { fields, keepList, limit, orNull, text, uuid } from "../memory/arguments.ts"
import { integrationShape, memoryIntegrations } from "./memory.ts"

/** Integrations in tests. */
export const integrationsFeature: ControlFeature<IntegrationsControlDb> = {
  control: {
    shapes: [integrationShape],
    rules: {
      integrations: {
        findActive: [uuid, text],
        lockSealedWith: [keepList(text), orNull(uuid), limit],
        reseal: [keepList(fields({ id: uuid, sealed: orNull(text), sealed_with: orNull(text) }))],
      },
    },
    make: ({ statements }) => ({ integrations: memoryIntegrations(statements) }),
  },
}
