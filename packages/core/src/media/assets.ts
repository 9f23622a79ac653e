import { Effect, Option } from "effect"
import type { BackgroundControlDb } from "../background/port.ts"
import { InvalidInput, InvalidToken, NotFound, QuotaExceeded } from "../failure.ts"
import type { Limits } from "../limits/limits.ts"
import { type ListPage, type ListQuery, readLargeList } from "../list-cursor.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { type Addresses, makeAddresses } from "./addresses.ts"
import type { MediaAssetRow, NewAsset, NewClientAsset } from "./asset.ts"
import { expectMediaWork } from "./files-job.ts"
import type { AssetFilter, MediaDb } from "./port.ts"
import { makeRemoveFiles } from "./remove-files.ts"
import { cleanFilename, firstCheckMillis, type MediaLimits, storagePath, userQuota } from "./rules.ts"
import { settleFiles } from "./settle-files.ts"

const invalid = (path: string, message: string) => new InvalidInput({ issues: [{ path, message }] })

const newestFirst = [
  ["created_at", "desc"],
  ["id", "desc"],
] as const

/** Fails where `bytes` more are more than a user may have. The caller has locked the user, so that two do not pass at once. */
const checkUserQuota = Effect.fnUntraced(function* (
  db: MediaDb,
  userId: string,
  more: { readonly assets: number; readonly bytes: number },
) {
  const { assets, bytes } = yield* db.mediaAssets.sumOf(userId)
  if (assets + more.assets > userQuota.assets) return yield* new QuotaExceeded({ limit: userQuota.assets })
  if (bytes + more.bytes > userQuota.bytes) return yield* new QuotaExceeded({ limit: userQuota.bytes })
})

/** Fails where `bytes` more are more than the project may have. Locks its usage. */
const checkProjectQuota = Effect.fnUntraced(function* (db: MediaDb, bytes: number, { quotaBytes }: MediaLimits) {
  if ((yield* db.mediaUsage.lock()) + bytes > quotaBytes) return yield* new QuotaExceeded({ limit: quotaBytes })
})

/**
 * Writes that a file has arrived, and answers its row as it is then: null where it is gone. A size that was not known until now must be
 * within the quotas.
 */
export const settleArrived = Effect.fnUntraced(function* (
  db: MediaDb & UsersDb,
  { id, app_user_id, size_bytes }: MediaAssetRow,
  size: number,
  limits: MediaLimits,
) {
  const isNew = size_bytes === null
  if (isNew && app_user_id !== null) yield* db.users.lock(app_user_id)
  const present = Option.getOrNull(yield* db.mediaAssets.lock(id))
  // Somebody else has found it meanwhile, and counted it.
  if (present === null || present.status === "uploaded") return present
  if (isNew && app_user_id !== null) yield* checkUserQuota(db, app_user_id, { assets: 0, bytes: size })
  if (isNew) yield* checkProjectQuota(db, size, limits)
  yield* settleFiles(db, { arrived: [{ id, size_bytes: size }], later: [], lost: [] })
  return Option.getOrNull(yield* db.mediaAssets.find({ id }))
})

type AssetsPorts = Pick<
  Ports<MediaDb & UsersDb, BackgroundControlDb>,
  "clock" | "control" | "ids" | "secrets" | "storage" | "tenants"
>

/** The files of a project (spec: media; I7). `origin` is where the caller reaches the service: addresses begin with it. */
export const makeAssets = (ports: AssetsPorts, limits: MediaLimits, countNew: Limits["newMedia"]) => {
  const { clock, control, ids, storage, tenants } = ports
  const addresses: Addresses = makeAddresses(ports)
  const removeFiles = makeRemoveFiles(ports)

  const checkSize = (size: number | null) => {
    if (size === null)
      return storage.kind === "remote" ? Effect.fail(invalid("size_bytes", "is required")) : Effect.void
    return size <= limits.maxBytes
      ? Effect.void
      : Effect.fail(invalid("size_bytes", `must be at most ${limits.maxBytes}`))
  }

  /** Takes a row back to which nobody was told where its file is sent. Where that is not possible either, it goes after a day. */
  const withdraw = (projectId: string, { id, size_bytes }: MediaAssetRow) =>
    tenants
      .transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          if (Option.isNone(yield* db.mediaAssets.lock(id, "update"))) return
          yield* db.mediaAssets.removeAll([id])
          yield* db.mediaUsage.add(-(size_bytes ?? 0))
        }),
      )
      .pipe(Effect.ignoreCause)

  /** Adds a file, after `admit` has locked whose it is and let it pass. */
  const create = Effect.fnUntraced(function* <E>(
    projectId: string,
    userId: string | null,
    input: NewAsset,
    origin: string,
    admit: (db: MediaDb & UsersDb, bytes: number) => Effect.Effect<void, E>,
  ) {
    yield* checkSize(input.size_bytes)
    const [now, bytes] = [clock.now(), input.size_bytes ?? 0]
    const filename = cleanFilename(input.filename)
    const check_at = new Date(now.getTime() + firstCheckMillis)
    yield* expectMediaWork({ clock, control }, projectId, check_at)
    const row = yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* admit(db, bytes)
        if (input.folder_id !== null && Option.isNone(yield* db.mediaFolders.lock(input.folder_id, "key share")))
          return yield* invalid("folder_id", "must be a folder of the project")
        yield* checkProjectQuota(db, bytes, limits)
        const path = storagePath(
          projectId,
          yield* db.mediaAssets.freeMillis(projectId, now.getTime(), filename),
          filename,
        )
        const made: MediaAssetRow = {
          ...input,
          ...{ id: ids.uuid(), path, filename, mime_type: input.mime_type.toLowerCase(), app_user_id: userId },
          ...{ status: "pending", created_at: now, check_at },
        }
        yield* Effect.orDie(db.mediaAssets.insert(made))
        yield* db.mediaUsage.add(bytes)
        return made
      }),
    )
    const upload_url = yield* Effect.tapError(addresses.upload(row, origin), () => withdraw(projectId, row))
    return { data: addresses.show(row, origin), upload_url }
  })

  const list = (projectId: string, { app_user_id, folder_id }: AssetFilter, query: ListQuery, origin: string) => {
    const filter = {
      ...(app_user_id === undefined ? {} : { app_user_id }),
      ...(folder_id === undefined ? {} : { folder_id }),
    }
    return Effect.map(
      tenants.read(projectId, ({ mediaAssets }) =>
        readLargeList(query, {
          page: (slice) => mediaAssets.pageMatching(filter, slice),
          after: ({ at, id }, slice) => mediaAssets.listAfter(filter, newestFirst, { created_at: at, id }, slice),
          place: ({ created_at, id }) => ({ at: created_at, id }),
        }),
      ),
      ({ rows, ...page }): ListPage<ReturnType<Addresses["show"]>> => ({
        ...page,
        rows: rows.map((row) => addresses.show(row, origin)),
      }),
    )
  }

  const own = (userId: string | null) => (userId === null ? {} : { app_user_id: userId })

  /** A file; with a user one of that user. */
  const find = (projectId: string, userId: string | null, id: string) =>
    orFail(
      tenants.read(projectId, (db) => db.mediaAssets.find({ id, ...own(userId) })),
      NotFound,
    )

  const complete = Effect.fnUntraced(function* (projectId: string, userId: string | null, id: string, origin: string) {
    const row = yield* find(projectId, userId, id)
    if (row.status === "uploaded") return addresses.show(row, origin)
    const file = yield* storage.find(row.path)
    if (file === null) return addresses.show(row, origin)
    const settled = tenants.transact(projectId, (db) => settleArrived(db, row, file.size_bytes, limits))
    // It is one too many: it stays pending, and its upload is refused.
    yield* Effect.catchTag(settled, "QuotaExceeded", () => Effect.void)
    return addresses.show(yield* find(projectId, userId, id), origin)
  })

  return {
    /**
     * Adds a file of the admin plane, pending, and answers where its bytes are sent; `origin` is where the sender reaches the service [I7.1].
     * `INVALID_INPUT` for a size in bytes or a folder that does not do; `QUOTA_EXCEEDED`; `STORAGE_UNAVAILABLE`.
     */
    create: Effect.fn("media.create")((projectId: string, input: NewAsset, origin: string) =>
      create(projectId, null, input, origin, () => Effect.void),
    ),

    /**
     * Adds a user's file like `create` [I7.3]. `INVALID_INPUT`; `QUOTA_EXCEEDED` over the user's or the project's quota [I0.2];
     * `RATE_LIMIT_EXCEEDED` for too many a day [I0.1]; `STORAGE_UNAVAILABLE`; `INVALID_TOKEN` for a user who is gone.
     */
    createOwn: Effect.fn("media.createOwn")(function* (
      projectId: string,
      userId: string,
      input: NewClientAsset,
      origin: string,
    ) {
      const made = create(projectId, userId, { ...input, folder_id: null }, origin, (db, bytes) =>
        Effect.andThen(orFail(db.users.lock(userId), InvalidToken), checkUserQuota(db, userId, { assets: 1, bytes })),
      )
      return yield* countNew(projectId, userId)(made)
    }),

    /** The files of a user or in a folder (`app_user_id`, `folder_id`), else all, the newest first [I7.3]. The storage is not asked. */
    list,

    /**
     * Asks the storage whether a pending file is there: then it is `uploaded`, unless it is over a quota. Answers it as it is by then
     * [I7.3]. `NOT_FOUND`; `STORAGE_UNAVAILABLE`.
     */
    complete: Effect.fn("media.complete")((projectId: string, id: string, origin: string) =>
      complete(projectId, null, id, origin),
    ),

    /** Does what `complete` does for a file of this user; another's is `NOT_FOUND` [I7.3]. `STORAGE_UNAVAILABLE`. */
    completeOwn: Effect.fn("media.completeOwn")((projectId: string, userId: string, id: string, origin: string) =>
      complete(projectId, userId, id, origin),
    ),

    /** Removes a file: its row, then what the storage has. Nothing happens where there is none [I7.3]. */
    remove: Effect.fn("media.remove")((projectId: string, id: string) => removeFiles(projectId, id, null)),

    /** Removes a file of this user; another's is `NOT_FOUND` [I7.3]. */
    removeOwn: Effect.fn("media.removeOwn")(function* (projectId: string, userId: string, id: string) {
      if (!(yield* removeFiles(projectId, id, userId))) return yield* new NotFound()
    }),
  }
}
