import { Cause, Effect } from "effect"
import { NotFound, type TenantFailure } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { ExportFile } from "./export-file.ts"
import { failedSectionLine, sectionLine } from "./lines.ts"
import { firstBudget, nextBudget, type Piece, streamText } from "./pages.ts"
import type { ExportsDb, PageBudget, PageKey, TextPage } from "./port.ts"
import type { ExportSection, ViewSection } from "./section.ts"

/** How far the file has been read: the position in a section, and the sections after it. */
interface Position<Db> {
  readonly section: ExportSection<Db>
  readonly following: ReadonlyArray<ExportSection<Db>>
  readonly after: PageKey | null
  readonly budget: PageBudget
}

const startAt = <Db>([section, ...following]: ReadonlyArray<ExportSection<Db>>): Position<Db> | null =>
  section === undefined ? null : { section, following, after: null, budget: firstBudget }

const advance = <Db>(position: Position<Db>, page: TextPage): Position<Db> | null =>
  page.next === null
    ? startAt(position.following)
    : { ...position, after: page.next, budget: nextBudget(position.budget, page) }

const readView = <Db>(db: Db, { name, columns, read }: ViewSection<Db>, userId: string, now: Date) =>
  Effect.map(read(db, userId, now), (records): TextPage => {
    const lines = records.map((record) => sectionLine(name, columns, record))
    return { texts: lines.length === 0 ? [] : [lines.join("")], rows: lines.length, next: null }
  })

/** A user's export (spec: data-access bundle). A user without rows in the first section does not exist. */
export const makeBundle = <Db extends ExportsDb>(
  { clock, signals, tenants }: Pick<Ports<Db>, "clock" | "signals" | "tenants">,
  sections: ReadonlyArray<ExportSection<Db>>,
) => {
  const readPage = (projectId: string, userId: string, { section, after, budget }: Position<Db>) =>
    tenants.read(projectId, (db) =>
      "read" in section
        ? readView(db, section, userId, clock.now())
        : db.exports.section(section, userId, after, budget),
    )

  /** The page in place of a section that cannot be read. The rows before it are valid, and the next section follows. */
  const failSection = (projectId: string, section: string, cause: Cause.Cause<TenantFailure>) =>
    Effect.suspend(() => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      signals.emit({ name: "export_section_failed", project_id: projectId, section, reason: Cause.pretty(cause) })
      return Effect.succeed<TextPage>({ texts: [failedSectionLine(section)], rows: 0, next: null })
    })

  const makePiece = (
    projectId: string,
    userId: string,
    position: Position<Db>,
    page: TextPage,
  ): Piece<TenantFailure> => {
    const next = advance(position, page)
    return { texts: page.texts, rest: next === null ? null : readPieces(projectId, userId, next) }
  }

  const readPieces = (
    projectId: string,
    userId: string,
    position: Position<Db>,
  ): NonNullable<Piece<TenantFailure>["rest"]> =>
    readPage(projectId, userId, position).pipe(
      Effect.catchCause((cause) => failSection(projectId, position.section.name, cause)),
      Effect.map((page) => makePiece(projectId, userId, position, page)),
    )

  return Effect.fn("exports.user")(function* (projectId: string, userId: string) {
    const position = startAt(sections)
    if (position === null) return yield* new NotFound()
    const page = yield* readPage(projectId, userId, position)
    if (page.rows === 0) return yield* new NotFound()
    const file: ExportFile = {
      content_type: "application/x-ndjson; charset=utf-8",
      filename: `user-${userId}-export.ndjson`,
      text: streamText(makePiece(projectId, userId, position, page)),
    }
    return file
  })
}
