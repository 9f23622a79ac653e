import type { Clock } from "@hearth/core"
import {
  type ExportColumns,
  type Exports,
  eventExportColumns,
  type PageBudget,
  type PageKey,
  reviewExportColumns,
  type SectionLinks,
  type TextPage,
  userExportColumns,
} from "@hearth/core/exports"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { type Bindings, makeBindings } from "../sql/bindings.ts"
import { lineSql, sectionLineSql } from "./export-lines.ts"

/** A condition on rows with the value that is bound in it. */
type Condition = readonly [text: (parameter: string) => string, value: string | number | Date, type: string]

/** What a page is read from, and how a line is written. */
interface Source {
  readonly table: string
  /** The columns that rows are sorted by, each with its type. */
  readonly key: ReadonlyArray<readonly [column: string, type: string]>
  /** Which end is first; the lowest where nothing is said. */
  readonly order?: "asc" | "desc"
  readonly columns: ReadonlyArray<string>
  /** Rows without an end that were last seen at an instant or before have ended then. */
  readonly lapsed?: { readonly ended: string; readonly seen: string; readonly by: Date }
  /** Rows whose end was at an instant or before hold no more. */
  readonly expired?: { readonly flag: string; readonly end: string; readonly by: Date }
  /** The column that can be large. */
  readonly large: string | null
  readonly where: ReadonlyArray<Condition>
  /** SQL that is joined to the rows of the page. Gets the condition that selects those after the last page. */
  readonly joined?: (after: string) => string
  readonly line: string
}

/** Some lines of a page. `last` is the key of the page's last row, and null in all texts but the last. */
interface AnsweredText {
  readonly text: string
  readonly rows: number
  /** The place of its last row on the page. */
  readonly place: number
  /** How many rows there are for the page, those included that do not fit. */
  readonly found: number
  readonly last: PageKey | null
}

const before = (size: string, order: string) =>
  `sum(${size}) over (order by ${order} rows unbounded preceding) - ${size}`

/** What is bound to a page's statement. */
interface Bound {
  readonly where: string
  readonly joined: string
  readonly rows: string
  readonly bytes: string
}

// For texts of 256 KB and more V8 collects all of its heap again and again: seven times for 200,000 users, and that took as long as
// to send them. For those of 64 KB it does so once.
const textBytes = 64 * 1024
const textsOfPage = 8

/**
 * One page, in a few texts. The stored size of values is cheap to read. Where they are few bytes and not compressed, the lines are
 * at most a few times as long, and each text is sent while the next is written. Otherwise rows are cut by their stored size first, so
 * that fewer lines are written in vain, and then by the size of their lines; running sums cost a third more.
 */
const pageText = (
  { table, key, columns, large, line, order: direction = "asc" }: Source,
  { where, joined, rows, bytes }: Bound,
) => {
  const names = key.map(([column]) => column)
  const keys = names.join(", ")
  const order = names.map((name) => `${name} ${direction}`).join(", ")
  const sent = `string_agg(line, '' order by ${order}) as text, count(*)::int as rows, max(place)::int as place`
  const stored = large === null ? "1" : `coalesce(pg_column_size(${large}), 0)`
  const squeezed = large === null ? "false" : `pg_column_compression(${large}) is not null`
  return `
  with picked as materialized (
    select ${columns.join(", ")}, ${stored} as stored, ${squeezed} as is_squeezed,
      row_number() over (order by ${order}) as place
    from ${table} where ${where} order by ${order} limit ${rows}
  ), size as materialized (
    select count(*)::int as found, sum(stored) < ${bytes} and not bool_or(is_squeezed) as is_small from picked
  ), texts as (
    select ${sent}, max(place) = (select found from size) as is_last from (
      select ${keys}, place, ${line} as line from picked ${joined} where (select is_small from size)
    ) as written group by (place - 1) / greatest(1, ${rows} / ${textsOfPage})
    union all
    select ${sent}, max(place) = max(max(place)) over () as is_last from (
      select ${keys}, place, line, ${before("octet_length(line)", order)} as bytes_before from (
        select ${keys}, place, ${line} as line
        from (select *, ${before("stored", order)} as stored_before from picked) as picked ${joined}
        where stored_before < ${bytes} and not (select is_small from size)
      ) as written
    ) as measured where bytes_before < ${bytes} group by bytes_before / ${textBytes}
  )
  select text, rows, place, (select found from size) as found, case when is_last then (
    select array[${names.map((name) => `${name}::text`).join(", ")}] from picked where picked.place = texts.place
  ) end as last from texts`
}

/** What is selected of a column. */
const selectColumn =
  ({ lapsed, expired }: Source, bind: Bindings["bind"]) =>
  (column: string): string => {
    if (column === expired?.flag)
      return `${column} and coalesce(${expired.end} > ${bind(expired.by, "timestamptz")}, true) as ${column}`
    if (lapsed === undefined || column !== lapsed.ended) return column
    const { ended, seen, by } = lapsed
    return `case when ${ended} is null and ${seen} <= ${bind(by, "timestamptz")} then ${seen} else ${ended} end as ${ended}`
  }

const pageOf = (statements: Statements, source: Source, after: PageKey | null, budget: PageBudget) => {
  const { bind, values } = makeBindings()
  const where = source.where.map(([condition, value, type]) => condition(bind(value, type)))
  const parameters = after === null ? [] : source.key.map(([, type], at) => bind(after[at] ?? "", type))
  const isAfter = (columns: ReadonlyArray<string>) =>
    parameters.length === 0
      ? "true"
      : `(${columns.join(", ")}) ${source.order === "desc" ? "<" : ">"} (${parameters.join(", ")})`
  where.push(isAfter(source.key.map(([column]) => column)))
  const columns = source.columns.map(selectColumn(source, bind))
  const text = pageText(
    { ...source, columns },
    {
      where: where.join(" and "),
      joined: source.joined?.(isAfter(["app_user_id"])) ?? "",
      rows: bind(budget.rows, "bigint"),
      bytes: bind(budget.bytes, "bigint"),
    },
  )
  return Effect.map(statements.rows<AnsweredText>(text, values), (answered): TextPage => {
    // An order by the database would wait for the last text before it sent the first.
    const sorted = answered.toSorted((one, other) => one.place - other.place)
    const end = sorted.at(-1)
    if (end === undefined) return { texts: [], rows: 0, next: null }
    const rows = sorted.reduce((sum, each) => sum + each.rows, 0)
    const isEnd = rows === end.found && end.found < budget.rows
    return { texts: sorted.map((each) => each.text), rows, next: isEnd ? null : end.last }
  })
}

// Aggregates the devices of all users between the first and the last of the page: a lookup per user takes three times as long.
const devices = (after: string) => `left join (
    select app_user_id, string_agg(distinct platform, '|' order by platform) as platforms, count(*) as devices
    from push_tokens
    where is_active and ${after} and app_user_id <= (
      select id from picked order by id offset greatest((select found from size) - 1, 0) limit 1
    )
    group by app_user_id
  ) as devices on app_user_id = picked.id
  cross join lateral (
    select coalesce(platforms, '') as platform_strings, coalesce(devices, 0) as push_token_count
  ) as filled`

const namesOf = (columns: ExportColumns) => columns.map(({ name }) => name)

const keyType = (columns: ExportColumns, name: string): string => {
  const kind = columns.find((column) => column.name === name)?.kind
  return kind === "instant" ? "timestamptz" : kind === "day" ? "date" : "uuid"
}

const largeOf = (columns: ExportColumns): string | null => columns.find(({ kind }) => kind === "json")?.name ?? null

const equals = (column: string) => (parameter: string) => `${column} = ${parameter}`
const isLinked =
  ({ table, row }: SectionLinks, owner: string) =>
  (parameter: string) =>
    `id in (select ${row} from ${table} where ${owner} = ${parameter})`
const since = (column: string) => (parameter: string) => `${column} >= ${parameter}`
const until = (column: string) => (parameter: string) => `${column} < ${parameter}`
const isMember = (parameter: string) =>
  `exists (select from segment_memberships m where m.segment_id = ${parameter} and m.app_user_id = app_users.id)`

type Optional = readonly [text: Condition[0], value: Condition[1] | null, type: string]

/** The conditions whose value is given. */
const given = (...optional: ReadonlyArray<Optional>): ReadonlyArray<Condition> =>
  optional.flatMap(([text, value, type]) => (value === null ? [] : [[text, value, type] as const]))

/** Files, page by page. */
export const makeExports = (statements: Statements, clock: Clock): Exports => ({
  users: (format, filter, after, budget) => {
    const source: Source = {
      table: "app_users",
      key: [["id", "uuid"]],
      columns: namesOf(userExportColumns.slice(0, -2)),
      large: "properties",
      where: given([since("created_at"), filter.since, "timestamptz"], [isMember, filter.segment_id, "uuid"]),
      joined: devices,
      line: lineSql(format, userExportColumns),
    }
    return pageOf(statements, source, after, budget)
  },
  userEvents: (format, filter, after, budget) => {
    const source: Source = {
      table: "engagement_events",
      key: [
        ["occurred_at", "timestamptz"],
        ["id", "uuid"],
      ],
      columns: namesOf(eventExportColumns),
      large: "properties",
      where: given(
        [equals("app_user_id"), filter.user_id, "uuid"],
        [since("occurred_at"), filter.since, "timestamptz"],
        [until("occurred_at"), filter.until, "timestamptz"],
        [equals("event_name"), filter.event_name, "text"],
      ),
      line: lineSql(format, eventExportColumns),
    }
    return pageOf(statements, source, after, budget)
  },
  reviews: (format, { since: from, rating_min, rating_max }, after, budget) => {
    const source: Source = {
      table: "reviews",
      key: [["id", "uuid"]],
      columns: namesOf(reviewExportColumns),
      large: "body",
      where: given(
        [since("created_at"), from, "timestamptz"],
        [(lowest) => `rating >= ${lowest}`, rating_min, "int"],
        [(highest) => `rating <= ${highest}`, rating_max, "int"],
      ),
      line: lineSql(format, reviewExportColumns),
    }
    return pageOf(statements, source, after, budget)
  },
  section: (described, userId, after, budget, order = "asc") => {
    const {
      name: section,
      columns,
      key,
      large = largeOf(columns),
      owner = "app_user_id",
      lapse,
      expiry,
      links,
    } = described
    const ago = (millis: number) => new Date(clock.now().getTime() - millis)
    const isTheirs = links === undefined ? equals(owner) : isLinked(links, owner)
    const source: Source = {
      table: section,
      key: key.map((name) => [name, keyType(columns, name)] as const),
      order,
      columns: namesOf(columns),
      large,
      where: [[isTheirs, userId, "uuid"]],
      line: sectionLineSql(section, columns),
      ...(lapse === undefined ? {} : { lapsed: { ...lapse, by: ago(lapse.millis) } }),
      ...(expiry === undefined ? {} : { expired: { ...expiry, by: ago(expiry.millis) } }),
    }
    return pageOf(statements, source, after, budget)
  },
})
