import type { ExportsDb } from "@hearth/core/exports"
import type { TenantFeature } from "../feature.ts"
import { makeExports } from "./exports.ts"

/** Exports in PostgreSQL. They have no tables of their own. */
export const exportsFeature: TenantFeature<ExportsDb> = {
  tenant: {
    entities: [],
    repositories: { exports: (statements, _, clock) => makeExports(statements, clock) },
  },
}
