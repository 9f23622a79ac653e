import { Effect } from "effect"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { ContentLibrary, ContentLibraryChanges, NewContentLibrary } from "./library.ts"
import type { ContentDb } from "./port.ts"

/** Libraries, as developers set them up (spec: admin plane, content; I1.1). */
export const makeLibraries = ({ clock, ids, tenants }: Pick<Ports<ContentDb>, "clock" | "ids" | "tenants">) => ({
  /** Makes a library, which is empty [I1.1]. */
  create: Effect.fn("content.createLibrary")(function* (projectId: string, input: NewContentLibrary) {
    const library: ContentLibrary = { ...input, id: ids.uuid(), created_at: clock.now() }
    yield* tenants.transact(projectId, (db) => Effect.orDie(db.contentLibraries.insert(library)))
    return library
  }),

  /** All libraries with how many items each has, the oldest first [I1.1]. */
  list: (projectId: string, slice: Slice) => tenants.read(projectId, (db) => db.contentLibraries.pageWithCounts(slice)),

  /** One library [I1.1]. `NOT_FOUND`. */
  get: (projectId: string, id: string) =>
    orFail(
      tenants.read(projectId, (db) => db.contentLibraries.find({ id })),
      NotFound,
    ),

  /** Changes the fields of a library that are given [I1.1]. `NOT_FOUND`. */
  update: (projectId: string, id: string, changes: ContentLibraryChanges) =>
    orFail(
      tenants.transact(projectId, (db) => Effect.orDie(db.contentLibraries.update(id, changes))),
      NotFound,
    ),
})
