export { type ClientItemQuery, makeClientItems } from "./client-items.ts"
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
export { makeItems } from "./items.ts"
export { makeLibraries } from "./libraries.ts"
export { ContentLibrary, ContentLibraryChanges, CountedLibrary, NewContentLibrary } from "./library.ts"
export { moderatedItems, releaseItems } from "./moderated.ts"
export type { ContentDb, ContentItems, ContentLibraries, ItemFilter } from "./port.ts"
export { makeRemoveLibrary } from "./remove-library.ts"
export * from "./schedules/index.ts"
export { contentItemsSection } from "./sections.ts"
export { isVisible } from "./visible.ts"
