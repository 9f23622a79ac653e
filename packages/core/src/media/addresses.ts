import { Effect, Option, Schema } from "effect"
import { Forbidden } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import { Uuid } from "../schema.ts"
import type { MediaAsset, MediaAssetRow } from "./asset.ts"
import { addressMillis } from "./rules.ts"

// What is sealed for this is good for nothing else.
const context = "media upload"

const Grant = Schema.Struct({
  asset: Uuid,
  path: Schema.String,
  type: Schema.String,
  size: Schema.NullOr(Schema.Finite),
  until: Schema.Finite,
})

const readGrant = Schema.decodeUnknownOption(Schema.fromJsonString(Grant))

/** Where the service itself serves a file: a path from the root of its host. */
const filesPath = (path: string): string => `/files/${path.split("/").map(encodeURIComponent).join("/")}`

/**
 * The addresses of files. One for an upload to this service carries a sealed grant: path, type, size and time, authenticated
 * with the keys of the service, so that nothing of it can be changed [I7.2].
 */
export const makeAddresses = ({ clock, secrets, storage }: Pick<Ports, "clock" | "secrets" | "storage">) => {
  const publicAddress = (path: string, origin: string) =>
    storage.kind === "remote" ? storage.address(path) : `${origin}${filesPath(path)}`

  return {
    /** A file as callers see it. `origin` is where they reach the service. */
    show: ({ path, app_user_id, check_at: _, ...row }: MediaAssetRow, origin: string): MediaAsset => ({
      ...row,
      storage_url: publicAddress(path, origin),
      uploaded_by: app_user_id ?? "admin",
    }),

    /** Where the file is sent with PUT, for 15 minutes. */
    upload: Effect.fnUntraced(function* ({ id, path, mime_type, size_bytes }: MediaAssetRow, origin: string) {
      if (storage.kind === "remote")
        return yield* storage.presign({ path, mime_type, size_bytes: size_bytes ?? 0, seconds: addressMillis / 1_000 })
      const until = clock.now().getTime() + addressMillis
      const grant = { asset: id, path, type: mime_type, size: size_bytes, until }
      return `${publicAddress(path, origin)}?upload=${yield* secrets.seal(JSON.stringify(grant), context)}`
    }),

    /** What an address for an upload to `path` allows. Fails where it was not made here, is altered, for another path or late. */
    openGrant: Effect.fnUntraced(function* (sealed: string, path: string) {
      const text = yield* secrets.open(sealed, context)
      const grant = text === null ? null : Option.getOrNull(readGrant(text))
      if (grant === null || grant.path !== path || clock.now().getTime() >= grant.until)
        return yield* new Forbidden(undefined, "The address was altered, or its time is over: ask for a new one.")
      return grant
    }),
  }
}

/** The addresses of files. */
export type Addresses = ReturnType<typeof makeAddresses>
