import { Schema } from "effect"
import { wholeNumber } from "../environment/backing.ts"
import { hiding, optional, withDefault } from "../environment/settings.ts"
import { parseStorageUrl } from "./storage-url.ts"

const Address = Schema.String.check(
  Schema.makeFilter(
    (value: string) =>
      parseStorageUrl(value) !== null ||
      "must be s3://bucket/prefix, with region, endpoint, path_style and public_url in its query, or file:///folder",
  ),
)

const wholeBytes = (most: number) => wholeNumber(1, most, `must be a whole number of bytes from 1 to ${most}`)

/** Where files are kept, for server and worker [I7.2, F2]. */
export const storageSettings = {
  STORAGE_URL: hiding(
    "password",
    optional(
      "Where the files of media are: s3://key:secret@bucket/prefix?region=…&endpoint=…&path_style=true&public_url=…, or file:///folder. Without it in DATA_DIR, which server and worker must share then. Without key and secret those are used that the AWS SDK finds by itself.",
      Address,
      "s3://bucket?region=eu-central-1",
    ),
  ),
}

/** How much projects may store, for the server [I7.1, I0.2]. */
export const mediaSettings = {
  // Amazon takes 5 GB in one PUT.
  MEDIA_MAX_BYTES: withDefault("The most bytes of a file.", wholeBytes(5 * 1024 ** 3), 100 * 1024 ** 2),
  MEDIA_QUOTA_BYTES: withDefault("The most bytes of all files of a project.", wholeBytes(2 ** 50), 10 * 1024 ** 3),
}
