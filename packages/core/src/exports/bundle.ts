import { Cause, Effect, Option } from "effect"
import { NotFound, type TenantUnavailable } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { StreaksDb } from "../streaks/port.ts"
import { readStreaks } from "../streaks/views.ts"
import type { UsersDb } from "../users/port.ts"
import { type SectionName, sectionNames, userStreakColumns } from "./columns.ts"
import type { ExportFile } from "./export-file.ts"
import { failedSectionLine, sectionLine } from "./lines.ts"
import { firstBudget, nextBudget, type Piece, textFrom } from "./pages.ts"
import type { ExportsDb, PageBudget, PageKey, TextPage } from "./port.ts"

/** How far the file has come. */
interface Place {
  readonly section: SectionName
  readonly after: PageKey | null
  readonly budget: PageBudget
}

const startOf = (section: SectionName): Place => ({ section, after: null, budget: firstBudget })

const placeAfter = ({ section, budget }: Place, page: TextPage): Place | null => {
  if (page.next !== null) return { section, after: page.next, budget: nextBudget(budget, page) }
  const next = sectionNames[sectionNames.indexOf(section) + 1]
  return next === undefined ? null : startOf(next)
}

const streaksPage = Effect.fnUntraced(function* (db: StreaksDb & UsersDb, userId: string, now: Date) {
  const user = yield* db.users.find({ id: userId })
  const streaks = Option.isNone(user) ? [] : yield* readStreaks(db, user.value, now)
  const lines = streaks.map(({ streak }) => sectionLine("user_streaks", userStreakColumns, { ...streak }))
  return { text: lines.join(""), rows: lines.length, next: null } satisfies TextPage
})

/** The file about one user (spec: data-access bundle). */
export const makeBundle = ({
  clock,
  signals,
  tenants,
}: Pick<Ports<ExportsDb & StreaksDb & UsersDb>, "clock" | "signals" | "tenants">) => {
  const pageAt = (projectId: string, userId: string, { section, after, budget }: Place) =>
    tenants.read(projectId, (db) =>
      section === "user_streaks"
        ? streaksPage(db, userId, clock.now())
        : db.exports.section(section, userId, after, budget),
    )

  /** What a section that cannot be read leaves behind. The rows before it are valid, and the next section follows. */
  const failed = (projectId: string, section: SectionName, cause: Cause.Cause<TenantUnavailable>) =>
    Effect.suspend(() => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      signals.emit({ name: "export_section_failed", project_id: projectId, section, reason: Cause.pretty(cause) })
      return Effect.succeed<TextPage>({ text: failedSectionLine(section), rows: 0, next: null })
    })

  const pieceOf = (projectId: string, userId: string, place: Place, page: TextPage): Piece<TenantUnavailable> => {
    const next = placeAfter(place, page)
    return { text: page.text, rest: next === null ? null : piecesFrom(projectId, userId, next) }
  }

  const piecesFrom = (projectId: string, userId: string, place: Place): NonNullable<Piece<TenantUnavailable>["rest"]> =>
    pageAt(projectId, userId, place).pipe(
      Effect.catchCause((cause) => failed(projectId, place.section, cause)),
      Effect.map((page) => pieceOf(projectId, userId, place, page)),
    )

  return Effect.fn("exports.user")(function* (projectId: string, userId: string) {
    const place = startOf("app_users")
    const page = yield* pageAt(projectId, userId, place)
    if (page.rows === 0) return yield* new NotFound()
    const file: ExportFile = {
      content_type: "application/x-ndjson; charset=utf-8",
      filename: `user-${userId}-export.ndjson`,
      text: textFrom(pieceOf(projectId, userId, place, page)),
    }
    return file
  })
}
