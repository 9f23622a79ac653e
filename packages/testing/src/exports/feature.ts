import type { ExportsDb } from "@hearth/core/exports"
import type { TenantFeature } from "../feature.ts"
import { exportsContract } from "./exports.contract.ts"
import { memoryExports } from "./memory.ts"
import { sectionsContract } from "./sections.contract.ts"

/** Exports in tests: the repository in memory, contract suites. */
export const exportsFeature: TenantFeature<ExportsDb> = {
  tenant: {
    shapes: [],
    make: ({ statements, sections, clock }) => ({ exports: memoryExports(statements, sections, clock) }),
    contracts: [exportsContract, sectionsContract],
  },
}
