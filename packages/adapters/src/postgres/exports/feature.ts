import type { ExportsDb } from "@hearth/core/exports"
import type { TenantFeature } from "../feature.ts"
import { makeExports } from "./exports.ts"

/** What there is of exports in PostgreSQL. */
export const exportsFeature: TenantFeature<ExportsDb> = {
  tenant: {
    entities: [],
    repositories: { exports: makeExports },
  },
}
