import type { IntegrationsControlDb } from "@hearth/core/integrations"
import type { ControlFeature } from "../feature.ts"
import { integrationShape, memoryIntegrations } from "./memory.ts"

/** Integrations in tests. */
export const integrationsFeature: ControlFeature<IntegrationsControlDb> = {
  control: {
    shapes: [integrationShape],
    make: ({ statements }) => ({ integrations: memoryIntegrations(statements) }),
  },
}
