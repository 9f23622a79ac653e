import type { Effect } from "effect"
import type { DatedContent } from "../moderation/content.ts"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { ContentItem, UnplacedItem } from "./item.ts"
import type { ContentLibrary, CountedLibrary } from "./library.ts"

/** Collections of items. Their items go with them. */
export interface ContentLibraries extends Table<ContentLibrary> {
  /** A slice of the libraries with how many items each has, the oldest first. */
  pageWithCounts(slice: Slice): Effect.Effect<Page<CountedLibrary>>
}

/** Which items of a library are read. */
export interface ItemFilter {
  /** The user who reads: only what that user may see, as `isVisible` says. Null for developers, who see all of them. */
  readonly reader: string | null
  /** Only those of this category; null is no condition. */
  readonly category: string | null
  /** The inactive ones where it is false. Left out is true. */
  readonly is_active?: boolean
}

/** What libraries hold. Gone with its library; stays without its author, whose id becomes null [I0.4]. */
export interface ContentItems extends Table<ContentItem> {
  /**
   * Adds items at the end of the library, in their order: the first gets the library's highest `sort_order` and 1, or 1 in an
   * empty library, each next one 1 more [I1.2]. The caller has locked the library, or the numbers are not unique. Answers the
   * first number. All are of this library, and at least one is given.
   */
  append(libraryId: string, items: ReadonlyArray<UnplacedItem>): Effect.Effect<number>
  /** A slice of the library's items that the filter selects, by (`sort_order`, `id`). */
  pageOfLibrary(libraryId: string, filter: ItemFilter, slice: Slice): Effect.Effect<Page<ContentItem>>
  /** How many items this user has written that are there. */
  countOwned(userId: string): Effect.Effect<number>
  /** Which are the newest items that users have written, at most `limit`. */
  newestOfUsers(limit: number): Effect.Effect<ReadonlyArray<DatedContent>>
  /** Makes at most `limit` items of the user nobody's, and answers how many. They are locked by id. */
  release(userId: string, limit: number): Effect.Effect<number>
  /** Removes at most `limit` items of the library, and answers how many. They are locked by id. */
  removeSome(libraryId: string, limit: number): Effect.Effect<number>
}

/** What a project's database has for content. */
export interface ContentDb {
  readonly contentLibraries: ContentLibraries
  readonly contentItems: ContentItems
}
