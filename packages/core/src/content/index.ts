export {
  ClientItemChanges,
  ContentImport,
  ContentItem,
  ContentItemChanges,
  mostImported,
  mostInserted,
  NewClientItem,
  NewContentItem,
  NewContentItems,
  UnplacedItem,
} from "./item.ts"
export { ContentLibrary, ContentLibraryChanges, CountedLibrary, NewContentLibrary } from "./library.ts"
export type { ContentDb, ContentItems, ContentLibraries, ItemFilter } from "./port.ts"
export { contentItemsSection } from "./sections.ts"
export { isVisible } from "./visible.ts"
