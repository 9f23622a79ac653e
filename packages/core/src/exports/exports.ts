import { Effect } from "effect"
import { NotFound, type TenantFailure } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { makeBundle } from "./bundle.ts"
import {
  type ExportColumns,
  type ExportFormat,
  eventExportColumns,
  reviewExportColumns,
  userExportColumns,
} from "./columns.ts"
import type { ExportFile } from "./export-file.ts"
import { csvHeader } from "./lines.ts"
import { firstBudget, nextBudget, type Piece, streamText } from "./pages.ts"
import type {
  ExportedEvents,
  ExportedReviews,
  ExportedUsers,
  ExportsDb,
  PageBudget,
  PageKey,
  TextPage,
} from "./port.ts"
import { makeRecords } from "./records.ts"
import type { ExportSection } from "./section.ts"

/** The content types by format. */
export const exportTypes = { csv: "text/csv; charset=utf-8", ndjson: "application/x-ndjson; charset=utf-8" } as const

/** What is exported, and how: what a filter leaves out is no condition. */
type Query<Filter, Needed extends keyof Filter> = Partial<Omit<Filter, Needed>> &
  Pick<Filter, Needed> & { readonly format: ExportFormat }

type ReadPage = (db: ExportsDb, after: PageKey | null, budget: PageBudget) => Effect.Effect<TextPage>

/**
 * Exports are read page by page, so that no connection is held for a slow reader [E13]. `sections` are those of a user's
 * export, in order.
 */
export const makeExports = <Db extends ExportsDb & UsersDb>(
  ports: Pick<Ports<Db>, "clock" | "signals" | "tenants">,
  sections: ReadonlyArray<ExportSection<Db>>,
) => {
  const { tenants } = ports

  const readPieces = (
    projectId: string,
    read: ReadPage,
    after: PageKey | null,
    budget: PageBudget,
  ): Effect.Effect<Piece<TenantFailure>, TenantFailure> =>
    Effect.map(
      tenants.read(projectId, (db) => read(db, after, budget)),
      (page) => ({
        texts: page.texts,
        rest: page.next === null ? null : readPieces(projectId, read, page.next, nextBudget(budget, page)),
      }),
    )

  const makeFile = (projectId: string, name: string, format: ExportFormat, columns: ExportColumns, read: ReadPage) =>
    Effect.map(readPieces(projectId, read, null, firstBudget), ({ texts, rest }): ExportFile => {
      const head = format === "csv" ? [csvHeader(columns)] : []
      return {
        content_type: exportTypes[format],
        filename: `${name}.${format}`,
        text: streamText({ texts: [...head, ...texts], rest }),
      }
    })

  return {
    /** The users that match the filter, ordered by id. An unknown segment has no members (spec: admin plane, users). */
    users: Effect.fn("exports.users")(
      (projectId: string, { format, since = null, segment_id = null }: Query<ExportedUsers, never>) =>
        makeFile(projectId, "users-export", format, userExportColumns, (db, after, budget) =>
          db.exports.users(format, { since, segment_id }, after, budget),
        ),
    ),

    /** The events of a user, the oldest first (spec: admin plane, users). `NOT_FOUND` without the user, before anything is sent. */
    userEvents: Effect.fn("exports.userEvents")(function* (
      projectId: string,
      { format, user_id, since = null, until = null, event_name = null }: Query<ExportedEvents, "user_id">,
    ) {
      yield* tenants.read(projectId, (db) => orFail(db.users.find({ id: user_id }), NotFound))
      return yield* makeFile(projectId, `user-${user_id}-events`, format, eventExportColumns, (db, after, budget) =>
        db.exports.userEvents(format, { user_id, since, until, event_name }, after, budget),
      )
    }),

    /** The reviews that match the filter, ordered by id (spec: admin plane, reviews). */
    reviews: Effect.fn("exports.reviews")(
      (projectId: string, { format, since = null, ...ratings }: Query<ExportedReviews, "rating_min" | "rating_max">) =>
        makeFile(projectId, "reviews-export", format, reviewExportColumns, (db, after, budget) =>
          db.exports.reviews(format, { since, ...ratings }, after, budget),
        ),
    ),

    /**
     * All that is stored about a user, section by section. A section that cannot be read has an error line (spec: data-access bundle).
     * `NOT_FOUND` without the user, before anything is sent.
     */
    user: makeBundle(ports, sections),

    /** What is in one section of that file, as a list. `NOT_FOUND` without the user or the section; `INVALID_CURSOR`. */
    records: makeRecords(ports, sections),
  }
}
