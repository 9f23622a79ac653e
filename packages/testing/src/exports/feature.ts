import type { ExportsDb } from "@hearth/core/exports"
import type { TenantFeature } from "../feature.ts"
import { memoryExports } from "./memory.ts"

/** Exports in tests: the repository in memory. */
export const exportsFeature: TenantFeature<ExportsDb> = {
  tenant: {
    shapes: [],
    make: ({ statements, sections, clock }) => ({ exports: memoryExports(statements, sections, clock) }),
  },
}
