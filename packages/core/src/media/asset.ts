import { Schema, Struct } from "effect"
import { columnKind } from "../columns.ts"
import { failure } from "../failure.ts"
import { jsonBytes } from "../onboarding/json.ts"
import { JsonObject, Name, Text, Timestamp, text, Uuid, withDefaults } from "../schema.ts"
import { isClientType, isMimeType } from "./rules.ts"

/** The storage that keeps the files cannot be reached. Nothing was changed, or the rest is done later. */
export class StorageUnavailable extends failure(
  "StorageUnavailable",
  "upstream",
  "STORAGE_UNAVAILABLE",
  "The storage of files cannot be reached. Try again.",
) {}

/** There is a file at this address already, or as many uploads to it as there may be [I7.2]. */
export class AlreadyUploaded extends failure(
  "AlreadyUploaded",
  "conflict",
  "ALREADY_UPLOADED",
  "A file was sent to this address already.",
) {}

/** The file is larger than its address says [I7.2]. `details.limit` is in bytes. */
export class FileTooLarge extends failure(
  "FileTooLarge",
  "too_large",
  "PAYLOAD_TOO_LARGE",
  "The file is larger than its address says.",
) {}

/** The file is sent as another type than its address says [I7.2]. */
export class OtherMediaType extends failure(
  "OtherMediaType",
  "invalid",
  "UNSUPPORTED_MEDIA_TYPE",
  "The file must be sent with the Content-Type that its address was made for.",
) {}

/** The most bytes of `metadata` as JSON. */
const maxMetadataBytes = 16 * 1024

/** A number of bytes. Files may be larger than 31 bits say. */
const Bytes = Schema.Int.annotate(columnKind("amount"))

const MimeType = Text.check(Schema.makeFilter((value: string) => isMimeType(value) || "must be a type/subtype"))

const Metadata = JsonObject.check(
  Schema.makeFilter((value: object) => jsonBytes(value) <= maxMetadataBytes || "must be at most 16 KB of JSON"),
)

// S3 takes keys of 1,024 bytes: its name comes behind a prefix, the project's id and an instant.
const mostNameBytes = 765
const utf8 = new TextEncoder()

/** Whether the file is there. */
const AssetStatus = Schema.Literals(["pending", "uploaded"])

/** A file as stored. Unique: `path`. */
export const MediaAssetRow = Schema.Struct({
  id: Uuid,
  /** `<projectId>/<ms>_<filename>`: where the storage has the file. */
  path: Text,
  /** Without separators, control characters and leading dots [I7.1]. */
  filename: text(1, 255).check(
    Schema.makeFilter(
      (name: string) =>
        utf8.encode(name).length <= mostNameBytes || `must have at most ${mostNameBytes} bytes in UTF-8`,
    ),
  ),
  /** In lower case, without parameters. */
  mime_type: MimeType,
  /** Null where it was not said, until the file is there. */
  size_bytes: Schema.NullOr(Bytes),
  folder_id: Schema.NullOr(Uuid),
  alt_text: Schema.NullOr(text(0, 2_000)),
  metadata: Metadata,
  /** Whose upload it is; null is the admin plane's. */
  app_user_id: Schema.NullOr(Uuid),
  status: AssetStatus,
  created_at: Timestamp,
  /** When the storage is asked whether a pending file is there; null once it is. */
  check_at: Schema.NullOr(Timestamp),
})
export type MediaAssetRow = typeof MediaAssetRow.Type

/** A file (spec: media, asset). */
export const MediaAsset = Schema.Struct({
  ...Struct.pick(MediaAssetRow.fields, [
    "id",
    "filename",
    "mime_type",
    "size_bytes",
    "folder_id",
    "alt_text",
    "metadata",
  ]),
  /** The public address. It can be guessed [I7.2]. */
  storage_url: Schema.String,
  /** `admin`, or the id of the user whose upload it is. */
  uploaded_by: Schema.String,
  ...Struct.pick(MediaAssetRow.fields, ["status", "created_at"]),
}).annotate({ identifier: "MediaAsset" })
export type MediaAsset = typeof MediaAsset.Type

/** A new file, and where it is to be sent with PUT. */
export const NewUpload = Schema.Struct({ data: MediaAsset, upload_url: Schema.String }).annotate({
  identifier: "NewUpload",
})

const given = {
  ...Struct.pick(MediaAssetRow.fields, ["filename", "mime_type", "alt_text", "metadata"]),
  size_bytes: Schema.NullOr(Bytes.check(Schema.isGreaterThanOrEqualTo(1))),
}

const defaults = { size_bytes: null, alt_text: null, metadata: {} }

/** What a file is made with on the admin plane. */
export const NewAsset = Schema.Struct(
  withDefaults({ ...given, folder_id: MediaAssetRow.fields.folder_id }, { ...defaults, folder_id: null }),
).annotate({ identifier: "NewAsset" })
export type NewAsset = typeof NewAsset.Type

/** What a user's file is made with: an image but SVG, a video or a sound, without folder [I7.3]. */
export const NewClientAsset = Schema.Struct(
  withDefaults(
    {
      ...given,
      mime_type: MimeType.check(
        Schema.makeFilter((value: string) => isClientType(value) || "must be an image (not SVG), a video or audio"),
      ),
    },
    defaults,
  ),
).annotate({ identifier: "NewClientAsset" })
export type NewClientAsset = typeof NewClientAsset.Type

/** A folder as stored. */
export const MediaFolderRow = Schema.Struct({
  id: Uuid,
  name: Name,
  /** Null for a root folder. */
  parent_id: Schema.NullOr(Uuid),
  created_at: Timestamp,
})
export type MediaFolderRow = typeof MediaFolderRow.Type

/** A folder (spec: media, folder). */
export const MediaFolder = Schema.Struct(Struct.omit(MediaFolderRow.fields, ["created_at"])).annotate({
  identifier: "MediaFolder",
})
export type MediaFolder = typeof MediaFolder.Type

/** What a folder is made with. */
export const NewFolder = Schema.Struct(
  withDefaults(Struct.pick(MediaFolderRow.fields, ["name", "parent_id"]), { parent_id: null }),
).annotate({ identifier: "NewFolder" })
export type NewFolder = typeof NewFolder.Type

/** A file that is to be removed from the storage, or that may still arrive there and be removed then. */
export const MediaRemoval = Schema.Struct({ id: Uuid, path: Text, due_at: Timestamp })
export type MediaRemoval = typeof MediaRemoval.Type

/** The files of a project that is gone. The id was the project's. */
export const ProjectFiles = Schema.Struct({
  id: Uuid,
  due_at: Timestamp,
  /** When no upload can arrive any more: whatever is there by then is removed for the last time. */
  last_at: Timestamp,
})
export type ProjectFiles = typeof ProjectFiles.Type
