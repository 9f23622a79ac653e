import type { Effect, Option } from "effect"
import type { ListPlace } from "../list-cursor.ts"
import type { Page, Slice, SliceRows, Table } from "../ports/table.ts"
import type {
  DeepLinkSettings,
  LinkDay,
  LinkDomain,
  LinkStats,
  Platform,
  TrackedLink,
  TrackedLinkRow,
} from "./deep-link.ts"

/** One opening of a link. `app_user_id` is null for a stranger. */
export interface LinkClick {
  readonly tracked_link_id: string
  readonly platform: Platform
  readonly app_user_id: string | null
  readonly at: Date
}

/** The settings of a project's links: there is one row, or none yet. */
export interface DeepLinkConfigs {
  find(): Effect.Effect<Option.Option<DeepLinkSettings>>
  /** The settings, locked until the transaction ends, also where there are none yet, so that of two changes none is lost. */
  lock(): Effect.Effect<Option.Option<DeepLinkSettings>>
  save(settings: DeepLinkSettings): Effect.Effect<void>
}

/** The links of a project. Unique: `slug`. Their clicks go with them. */
export interface TrackedLinks extends Table<TrackedLinkRow> {
  /** The newest first, with their clicks. */
  pageWithClicks(slice: Slice): Effect.Effect<Page<TrackedLink>>
  /** A slice of those that come after a place in that list: by `created_at`, then `id`, both descending. */
  listWithClicksAfter(place: ListPlace, slice: Slice): Effect.Effect<SliceRows<TrackedLink>>
  /**
   * Counts a click: in the sum of the link, the day in UTC and the platform, and the user once per link. A link or a user who is
   * gone is passed over.
   */
  addClick(click: LinkClick): Effect.Effect<void>
  /** A link with its clicks. */
  findWithClicks(id: string): Effect.Effect<Option.Option<TrackedLink>>
  /** The days of a link since one, that included, on which it was opened; the earliest first. */
  daysSince(id: string, day: string): Effect.Effect<ReadonlyArray<LinkDay>>
  /** The sums of a link. */
  stats(id: string): Effect.Effect<Option.Option<LinkStats>>
  count(): Effect.Effect<number>
  /** Keeps others from making a link until the transaction ends, so that they are counted one after the other [I0.2]. */
  lockCreation(): Effect.Effect<void>
}

/** What a project has of deep links. */
export interface DeepLinksDb {
  readonly deepLinkConfigs: DeepLinkConfigs
  readonly trackedLinks: TrackedLinks
}

/** What the control database has of them: whose domain is whose. Gone with the project. */
export interface DeepLinksControlDb {
  readonly linkDomains: Table<LinkDomain>
}
