import { Schema } from "effect"
import { Count, JsonObject, Name, Prose, partial, Timestamp, Uuid, withDefaults } from "../schema.ts"

const fields = {
  name: Name,
  description: Schema.NullOr(Prose),
  /** What items are meant to look like. It is kept for developers and their apps, and not enforced [I1.1]. */
  content_schema: Schema.NullOr(JsonObject),
}

/** A collection of items (spec: content, library). Its items and schedules go with it. */
export const ContentLibrary = Schema.Struct({ id: Uuid, ...fields, created_at: Timestamp }).annotate({
  identifier: "ContentLibrary",
})
export type ContentLibrary = typeof ContentLibrary.Type

/** A library with how many items it has, inactive ones included. */
export const CountedLibrary = Schema.Struct({ ...ContentLibrary.fields, item_count: Count }).annotate({
  identifier: "CountedLibrary",
})
export type CountedLibrary = typeof CountedLibrary.Type

/** The fields with which a library is made. */
export const NewContentLibrary = Schema.Struct(
  withDefaults(fields, { description: null, content_schema: null }),
).annotate({ identifier: "NewContentLibrary" })
export type NewContentLibrary = typeof NewContentLibrary.Type

/** The fields of a library that can be changed. Those left out stay, null clears. */
export const ContentLibraryChanges = Schema.Struct(partial(fields)).annotate({ identifier: "ContentLibraryChanges" })
export type ContentLibraryChanges = typeof ContentLibraryChanges.Type
