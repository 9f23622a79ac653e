import { Schema, Struct } from "effect"
import { ModerationState } from "../moderation/content.ts"
import { JsonObject, partial, Timestamp, text, Uuid, Whole, withDefaults } from "../schema.ts"
import { WebUrl } from "../web-address.ts"

/** The most items of one insert of the admin plane [I1.1]. */
export const mostInserted = 500

/** The most items of one import [E11]. */
export const mostImported = 5_000

// Limits of clients: the text that rules read [I6.1], and what a user of 5,000 items may store with each.
const mostClientText = 20_000
const mostClientMetadata = 16 * 1024

const word = text(0, 255)

const fields = {
  title: Schema.NullOr(text(0, 500)),
  body: text(1, 100_000),
  media_url: Schema.NullOr(text(1, 2_048)),
  /** The project's own word, by which lists can be filtered. */
  category: Schema.NullOr(word),
  tags: Schema.Array(word).check(Schema.isMaxLength(50)),
  metadata: JsonObject,
}

const defaults = { title: null, media_url: null, category: null, tags: [], metadata: {} } as const

/** An item of a library (spec: content, item). */
export const ContentItem = Schema.Struct({
  id: Uuid,
  library_id: Uuid,
  ...fields,
  is_premium: Schema.Boolean,
  is_active: Schema.Boolean,
  /** Its place in the library: lists are by `sort_order`, then by `id` [I1.2]. */
  sort_order: Whole,
  /** The user who wrote it; null for the developers' own, and once that user is gone [I0.4]. */
  owner_app_user_id: Schema.NullOr(Uuid),
  /** What moderation says of it. Others see it where this is `shown` and it is active [I6.3]. */
  moderation: ModerationState,
  created_at: Timestamp,
  updated_at: Timestamp,
}).annotate({ identifier: "ContentItem" })
export type ContentItem = typeof ContentItem.Type

/** An item that has no place in its library yet. */
export const UnplacedItem = Schema.Struct(Struct.omit(ContentItem.fields, ["sort_order"]))
export type UnplacedItem = typeof UnplacedItem.Type

/** The fields with which developers make an item. It is active, and comes last in its library. */
export const NewContentItem = Schema.Struct(
  withDefaults({ ...fields, is_premium: Schema.Boolean }, { ...defaults, is_premium: false }),
).annotate({ identifier: "NewContentItem" })
export type NewContentItem = typeof NewContentItem.Type

const listOf = (most: number) =>
  Schema.Struct({ items: Schema.Array(NewContentItem).check(Schema.isMinLength(1), Schema.isMaxLength(most)) })

/** What one insert of the admin plane is given. */
export const NewContentItems = listOf(mostInserted).annotate({ identifier: "NewContentItems" })

/** What an import is given [E11]. */
export const ContentImport = listOf(mostImported).annotate({ identifier: "ContentImport" })

/** The fields of an item that developers can change. Those left out stay, null clears. */
export const ContentItemChanges = Schema.Struct(
  partial({
    ...fields,
    is_premium: Schema.Boolean,
    is_active: Schema.Boolean,
    sort_order: Whole.check(Schema.isBetween({ minimum: -1_000_000_000, maximum: 1_000_000_000 })),
  }),
).annotate({ identifier: "ContentItemChanges" })
export type ContentItemChanges = typeof ContentItemChanges.Type

const utf8 = new TextEncoder()

const clientFields = {
  ...fields,
  body: text(1, mostClientText),
  media_url: Schema.NullOr(WebUrl),
  metadata: JsonObject.check(
    Schema.makeFilter(
      (value: JsonObject) =>
        utf8.encode(JSON.stringify(value)).length <= mostClientMetadata ||
        `must have at most ${mostClientMetadata} bytes as JSON`,
    ),
  ),
}

/** The fields with which a user makes an item. Whether it is premium or active is not theirs to say. */
export const NewClientItem = Schema.Struct(withDefaults(clientFields, defaults)).annotate({
  identifier: "NewClientItem",
})
export type NewClientItem = typeof NewClientItem.Type

/** The fields that users can change of their own items. Those left out stay, null clears. */
export const ClientItemChanges = Schema.Struct(partial({ ...clientFields, is_active: Schema.Boolean })).annotate({
  identifier: "ClientItemChanges",
})
export type ClientItemChanges = typeof ClientItemChanges.Type
