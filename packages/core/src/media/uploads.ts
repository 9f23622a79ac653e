import { Effect, Option } from "effect"
import { type LimitLookups, limitLookups } from "../access/limit-lookups.ts"
import { Forbidden, InvalidInput, NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { ProjectsDb } from "../projects/port.ts"
import type { UsersDb } from "../users/port.ts"
import { makeAddresses } from "./addresses.ts"
import { AlreadyUploaded, FileTooLarge, type MediaAssetRow, OtherMediaType } from "./asset.ts"
import { settleArrived } from "./assets.ts"
import type { MediaDb } from "./port.ts"
import { makeReadyProjects } from "./ready-projects.ts"
import { isInline, type MediaLimits, readMimeType } from "./rules.ts"
import type { ByteRange, Bytes, LocalStorage } from "./storage.ts"

// Each one fills the disk until one of them wins. Another one waits: of those before it, all may have lost their senders.
const uploadsPerFile = 4

/** A file on its way here. */
export interface IncomingFile {
  /** What `upload` says in the query of the address. */
  readonly grant: string
  readonly content_type: string | null
  /** Null where it was not announced. */
  readonly length: number | null
  readonly body: Bytes
  /** Where the sender reaches the service. */
  readonly origin: string
}

/** A file as it is served. */
export interface ServedFile {
  /** Never changes: neither does the file. */
  readonly id: string
  readonly filename: string
  readonly mime_type: string
  readonly size_bytes: number
  /** Whether a browser may show it; else it is saved [I7.2]. */
  readonly is_inline: boolean
  /** A part of it; null where the storage does not have it. */
  readonly read: (range: ByteRange) => ReturnType<LocalStorage["read"]>
}

type UploadsPorts = Pick<
  Ports<MediaDb & UsersDb, ProjectsDb>,
  "clock" | "control" | "revocations" | "secrets" | "storage" | "tenants"
>

/** Files that come and go through this service, where the storage is local [I7.2]. */
export const makeUploads = (ports: UploadsPorts, limits: MediaLimits, limit: LimitLookups) => {
  const { storage, tenants } = ports
  const addresses = makeAddresses(ports)
  const isReady = makeReadyProjects(ports, limit)
  const inTurn = limitLookups(uploadsPerFile)

  /** The row of a file that may be sent now, with its type and size. */
  const findPending = Effect.fnUntraced(function* (projectId: string, path: string, file: IncomingFile) {
    const grant = yield* addresses.openGrant(file.grant, path)
    if (storage.kind === "remote" || !(yield* isReady(projectId)))
      return yield* new Forbidden(undefined, "This address takes no file: its project is gone or not ready.")
    const row = yield* orFail(
      tenants.read(projectId, (db) => db.mediaAssets.find({ id: grant.asset, path })),
      Forbidden,
    )
    if (row.status === "uploaded") return yield* new AlreadyUploaded()
    if (readMimeType(file.content_type) !== grant.type) return yield* new OtherMediaType()
    const most = grant.size ?? limits.maxBytes
    if (file.length !== null && file.length > most) return yield* new FileTooLarge({ limit: most })
    return { row, size: { leastBytes: grant.size ?? 1, mostBytes: most }, files: storage }
  })

  /** Writes that the file is there; fails where there is no row for it any more, or where it is one too many. */
  const note = (projectId: string, row: MediaAssetRow, size: number) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        return (yield* settleArrived(db, row, size, limits)) ?? (yield* new Forbidden())
      }),
    )

  const write = Effect.fnUntraced(function* (projectId: string, path: string, file: IncomingFile) {
    const { row, size, files } = yield* findPending(projectId, path, file)
    const outcome = yield* inTurn(path, files.write(path, file.body, size))
    if (outcome.kind === "too_large") return yield* new FileTooLarge({ limit: size.mostBytes })
    if (outcome.kind === "cut_short")
      return yield* new InvalidInput({ issues: [{ path: "", message: `must have at least ${size.leastBytes} bytes` }] })
    if (outcome.kind !== "written") {
      // Whoever wrote it may have died before the row said so.
      const found = yield* files.find(path)
      if (found !== null) yield* Effect.ignoreCause(note(projectId, row, found.size_bytes))
      return yield* new AlreadyUploaded()
    }
    const undo = () => Effect.ignoreCause(files.remove([path]))
    const noted = yield* Effect.tapError(note(projectId, row, outcome.size_bytes), ({ code }) =>
      code === "FORBIDDEN" || code === "QUOTA_EXCEEDED" ? undo() : Effect.void,
    )
    return addresses.show(noted, file.origin)
  })

  return {
    /**
     * Takes a file in, where the storage is local. It is whole and on the disk before anything says so; whatever else happens leaves
     * nothing [I7.2]. A fifth at once waits until one before it has ended. `FORBIDDEN` without a grant; `ALREADY_UPLOADED`;
     * `UNSUPPORTED_MEDIA_TYPE`; `PAYLOAD_TOO_LARGE`; `QUOTA_EXCEEDED`; `INVALID_INPUT` for one that is too short; `STORAGE_UNAVAILABLE`.
     */
    receive: Effect.fn("media.receive")((projectId: string, name: string, file: IncomingFile) =>
      write(projectId, `${projectId}/${name}`, file),
    ),

    /** A file for anybody who knows its address [I7.2]. Only a path that a row has reaches the disk; another one is `NOT_FOUND`. */
    open: Effect.fn("media.open")(function* (projectId: string, name: string) {
      if (storage.kind === "remote" || !(yield* isReady(projectId))) return yield* new NotFound()
      const path = `${projectId}/${name}`
      const found = yield* tenants.read(projectId, (db) => db.mediaAssets.find({ path, status: "uploaded" }))
      if (Option.isNone(found)) return yield* new NotFound()
      const { id, filename, mime_type, size_bytes } = found.value
      const served: ServedFile = {
        ...{ id, filename, mime_type, size_bytes: size_bytes ?? 0, is_inline: isInline(mime_type) },
        read: (range) => storage.read(path, range),
      }
      return served
    }),
  }
}
