import type { Clock } from "@hearth/core"
import {
  type ExportColumns,
  type ExportRecord,
  type Exports,
  eventExportColumns,
  lineIn,
  type PageBudget,
  type PageKey,
  reviewExportColumns,
  sectionLine,
  type TextPage,
  userExportColumns,
} from "@hearth/core/exports"
import { eventShape } from "../events/memory.ts"
import type { SectionShapes } from "../feature.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { rowsOf } from "../memory/rows.ts"
import type { Shape } from "../memory/shape.ts"
import { select } from "../memory/table.ts"
import { pushTokenShape } from "../push/memory.ts"
import { reviewShape } from "../reviews/memory.ts"
import { membershipShape } from "../segments/memory-shapes.ts"
import { userShape } from "../users/memory-shapes.ts"

const recordsOf = (draft: Draft, shape: Shape): ReadonlyArray<ExportRecord> =>
  [...rowsOf(draft, shape).values()].map((row) => ({ ...row }))

/** The sort keys of a record. Instants, days and ids sort as their texts do. */
const keyOf = (record: ExportRecord, names: ReadonlyArray<string>): PageKey =>
  names.map((name) => {
    const value = record[name]
    return value instanceof Date ? value.toISOString() : String(value)
  })

const compare = (a: PageKey, b: PageKey): number => {
  for (const [at, text] of a.entries()) {
    const other = b[at] ?? ""
    if (text !== other) return text < other ? -1 : 1
  }
  return 0
}

const check = ({ rows, bytes }: PageBudget) => {
  for (const count of [rows, bytes]) {
    if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`${count} is no budget.`)
  }
}

/** The page of these records after `after`, cut like PostgreSQL's. */
const pageOf = (
  records: ReadonlyArray<ExportRecord>,
  key: ReadonlyArray<string>,
  line: (record: ExportRecord) => string,
  after: PageKey | null,
  budget: PageBudget,
  order: "asc" | "desc" = "asc",
): TextPage => {
  check(budget)
  const sign = order === "asc" ? 1 : -1
  const picked = records
    .map((record) => ({ key: keyOf(record, key), record }))
    .filter((each) => after === null || sign * compare(each.key, after) > 0)
    .toSorted((a, b) => sign * compare(a.key, b.key))
    .slice(0, budget.rows)
  const lines: Array<string> = []
  let bytes = 0
  for (const { record } of picked) {
    if (bytes >= budget.bytes) break
    const text = line(record)
    lines.push(text)
    bytes += Buffer.byteLength(text)
  }
  const isEnd = lines.length === picked.length && picked.length < budget.rows
  return { texts: lines, rows: lines.length, next: isEnd ? null : (picked[lines.length - 1]?.key ?? null) }
}

const withDevices = (draft: Draft) => {
  const active = [...rowsOf(draft, pushTokenShape).values()].filter(({ is_active }) => is_active)
  const byUser = Map.groupBy(active, ({ app_user_id }) => app_user_id)
  return (user: ExportRecord): ExportRecord => {
    const devices = byUser.get(String(user["id"])) ?? []
    const platform_strings = [...new Set(devices.map(({ platform }) => platform))].sort()
    return { ...user, platform_strings, push_token_count: devices.length }
  }
}

const makeLineWriter = (line: (columns: ExportColumns, record: ExportRecord) => string, columns: ExportColumns) => {
  return (record: ExportRecord) => line(columns, record)
}

const membersOf = (draft: Draft, segment_id: string): ReadonlySet<string> =>
  new Set(select(draft, membershipShape, { segment_id }).map(({ app_user_id }) => app_user_id))

/** Files, page by page, as the core writes their lines. */
export const memoryExports = (statements: Statements, sections: SectionShapes, clock: Clock): Exports => ({
  users: (format, { since, segment_id }, after, budget) =>
    statements.query((draft) => {
      const members = segment_id === null ? null : membersOf(draft, segment_id)
      const users = [...rowsOf(draft, userShape).values()].filter(
        ({ id, created_at }) => (since === null || created_at >= since) && (members === null || members.has(id)),
      )
      const records = users.map((user) => ({ ...user })).map(withDevices(draft))
      return pageOf(records, ["id"], makeLineWriter(lineIn(format), userExportColumns), after, budget)
    }),
  userEvents: (format, { user_id, since, until, event_name }, after, budget) =>
    statements.query((draft) => {
      const events = [...rowsOf(draft, eventShape).values()].filter(
        (event) =>
          event.app_user_id === user_id &&
          (since === null || event.occurred_at >= since) &&
          (until === null || event.occurred_at < until) &&
          (event_name === null || event.event_name === event_name),
      )
      const records = events.map((event) => ({ ...event }))
      return pageOf(records, ["occurred_at", "id"], makeLineWriter(lineIn(format), eventExportColumns), after, budget)
    }),
  reviews: (format, { since, rating_min, rating_max }, after, budget) =>
    statements.query((draft) => {
      const reviews = [...rowsOf(draft, reviewShape).values()].filter(
        ({ created_at, rating }) =>
          (since === null || created_at >= since) && rating >= rating_min && rating <= rating_max,
      )
      const records = reviews.map((review) => ({ ...review }))
      return pageOf(records, ["id"], makeLineWriter(lineIn(format), reviewExportColumns), after, budget)
    }),
  section: ({ name, columns, key, owner = "app_user_id", lapse, expiry, links }, userId, after, budget, order) =>
    statements.query((draft) => {
      const lapsed = lapse === undefined ? null : new Date(clock.now().getTime() - lapse.millis)
      const end = (record: ExportRecord): ExportRecord => {
        if (lapse === undefined || lapsed === null || record[lapse.ended] !== null) return record
        const seen = record[lapse.seen]
        return seen instanceof Date && seen <= lapsed ? { ...record, [lapse.ended]: seen } : record
      }
      const expire = (record: ExportRecord): ExportRecord => {
        if (expiry === undefined) return record
        const end = record[expiry.end]
        const isOver = end instanceof Date && end.getTime() + expiry.millis <= clock.now().getTime()
        return isOver ? { ...record, [expiry.flag]: false } : record
      }
      const rowsOfTable = (table: string) => {
        const shape = sections[table]
        if (shape === undefined) throw new Error(`There is no table of ${table}.`)
        return recordsOf(draft, shape)
      }
      const owned = (table: string) => rowsOfTable(table).filter((record) => record[owner] === userId)
      const linked = links === undefined ? null : new Set(owned(links.table).map((record) => record[links.row]))
      const theirs = linked === null ? owned(name) : rowsOfTable(name).filter(({ id }) => linked.has(id))
      const records = theirs.map((record) => expire(end(record)))
      return pageOf(records, key, (record) => sectionLine(name, columns, record), after, budget, order)
    }),
})
