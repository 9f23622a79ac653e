import type { IntegrationsControlDb } from "@hearth/core/integrations"
import type { ControlFeature } from "../feature.ts"
import { Integration, integrations } from "./entities.ts"
import { makeIntegrations } from "./integrations.ts"

/** Integrations in PostgreSQL. */
export const integrationsFeature: ControlFeature<IntegrationsControlDb> = {
  control: {
    entities: [Integration],
    steps: [integrations],
    repositories: { integrations: (statements, shapes) => makeIntegrations(statements, shapes(Integration)) },
  },
}
