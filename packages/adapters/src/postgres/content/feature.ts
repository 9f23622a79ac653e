import type {
  ContentDb,
  ContentLibraries,
  ContentLibrary as ContentLibraryRow,
  ContentSchedulesDb,
  CountedLibrary,
} from "@hearth/core/content"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TenantFeature } from "../feature.ts"
import type { TableShape } from "../schema/schema.ts"
import { cutPage, jsonBytes, type Measured, readCut } from "../sql/cut-page.ts"
import { makeTable } from "../sql/table.ts"
import { ContentItem, ContentLibrary, content, contentItemsByCategory } from "./entities.ts"
import { makeItems } from "./items.ts"
import { ContentDelivery, ContentSchedule, contentSchedules } from "./schedule-entities.ts"
import { makeDeliveries, makeSchedules } from "./schedules.ts"

// Counted together: where one library has most of the items, the planner would read all of them for each of the others.
const page = `
  with page as materialized (
    ${cutPage(
      "select * from content_libraries order by created_at, id limit $1 offset $2",
      "created_at, id",
      jsonBytes("content_schema"),
    )}
  ), counted as (
    select library_id, count(*)::int as items
    from page join content_items on library_id = page.id group by library_id
  )
  select page.*, coalesce(counted.items, 0) as item_count
  from page left join counted on counted.library_id = page.id order by page.created_at, page.id`

const makeLibraries = (statements: Statements, shape: TableShape): ContentLibraries => ({
  ...makeTable<ContentLibraryRow>(statements, shape),
  pageWithCounts: Effect.fnUntraced(function* ({ limit, offset }) {
    const rows = yield* statements.rows<CountedLibrary & Measured>(page, [limit, offset])
    const [counted] = yield* statements.rows<{ readonly total: number }>(
      "select count(*)::int as total from content_libraries",
    )
    return { ...readCut<CountedLibrary>(rows), total: counted?.total ?? 0 }
  }),
})

/** Content in PostgreSQL: libraries and their items. */
export const contentFeature: TenantFeature<ContentDb & ContentSchedulesDb> = {
  tenant: {
    entities: [ContentLibrary, ContentItem, ContentSchedule, ContentDelivery],
    steps: [content, contentSchedules, contentItemsByCategory],
    repositories: {
      contentLibraries: (statements, shapes) => makeLibraries(statements, shapes(ContentLibrary)),
      contentItems: (statements, shapes) => makeItems(statements, shapes(ContentItem)),
      contentSchedules: (statements, shapes) => makeSchedules(statements, shapes(ContentSchedule)),
      contentDeliveries: (statements, shapes) =>
        makeDeliveries(statements, shapes(ContentDelivery), shapes(ContentItem)),
    },
  },
}
