import type { ContentDb } from "@hearth/core/content"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import {
  contentItemsContract,
  contentItemsSectionContract,
  contentLibrariesContract,
  longItemsContract,
} from "./contract.ts"
import { itemShape, libraryShape, memoryItems, memoryLibraries } from "./memory.ts"
import { contentItems, contentLibraries } from "./tables.ts"

/** Content in tests: tables and repositories in memory, contract suites. */
export const contentFeature: TenantFeature<ContentDb> = {
  tenant: {
    shapes: [libraryShape, itemShape],
    sections: { content_items: itemShape },
    make: ({ statements }) => ({
      contentLibraries: memoryLibraries(statements),
      contentItems: memoryItems(statements),
    }),
    contracts: [
      (open) => tableContract(open, contentLibraries),
      (open) => tableContract(open, contentItems),
      contentLibrariesContract,
      contentItemsContract,
      contentItemsSectionContract,
      longItemsContract,
    ],
  },
}
