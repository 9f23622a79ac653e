import { Effect, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { InvalidCursor } from "../events/failures.ts"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { isUuid, JsonObject, parseInstant } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import { type ExportRecord, sectionLine } from "./lines.ts"
import type { ExportsDb, PageKey } from "./port.ts"
import type { ExportSection } from "./section.ts"

/** A page of what is stored about a user in one section of the export. `next_cursor` is null at the end. */
export const UserRecords = Schema.Struct({
  data: Schema.Array(JsonObject),
  next_cursor: Schema.NullOr(Schema.String),
}).annotate({ identifier: "UserRecords" })

/** Which page is read. */
export interface RecordsQuery {
  /** The name of a section of the user's export. */
  readonly section: string
  readonly limit: number
  /** The `next_cursor` of the page before. */
  readonly cursor?: string
}

// A page of records is held as a whole until it is sent.
const mostBytes = 512 * 1024

const isDay = (text: string): boolean => text.length === 10 && parseInstant(text) !== null

// As databases write an instant: also with a space, and finer than milliseconds.
const isInstant = (text: string): boolean =>
  /^.{10}[ T].{8}(\.\d{1,6})?(Z|\+00)$/.test(text) &&
  parseInstant(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`) !== null

/** What a cursor has to know of a section. */
type Sorted = Pick<ExportSection<never>, "columns" | "key">

/** Whether a text is a value of a column by which rows are sorted. */
const fits = ({ columns }: Sorted, name: string, text: unknown): boolean => {
  if (typeof text !== "string") return false
  const kind = columns.find((column) => column.name === name)?.kind
  return kind === "instant" ? isInstant(text) : kind === "day" ? isDay(text) : isUuid(text)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The key of a cursor of this section; null where it is none. It grants nothing: the user comes from the request. */
const readCursor = (section: Sorted, cursor: string): PageKey | null => {
  const bytes = Base64Url.decode(cursor)
  const key = Result.isFailure(bytes) ? null : parseJson(new TextDecoder().decode(bytes.success))
  const isKey =
    Array.isArray(key) &&
    key.length === section.key.length &&
    section.key.every((name, at) => fits(section, name, key[at]))
  return isKey ? key : null
}

const writeCursor = (key: PageKey | null): string | null =>
  key === null ? null : Base64Url.encode(JSON.stringify(key))

/** The order of keys as texts: ids, days and instants of records are sorted by them. */
const compareKeys = (one: PageKey, other: PageKey): number => {
  const at = one.findIndex((text, place) => text !== other[place])
  return at === -1 ? 0 : (one[at] ?? "") < (other[at] ?? "") ? -1 : 1
}

/** A page of records that were all made: the last by their key first, after a key of the page before. */
const cutRecords = (
  { key }: Sorted,
  records: ReadonlyArray<ExportRecord>,
  after: PageKey | null,
  limit: number,
): { readonly page: ReadonlyArray<ExportRecord>; readonly next: PageKey | null } => {
  const describe = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value))
  const left = records
    .map((record) => ({ record, place: key.map((name) => describe(record[name])) }))
    .filter(({ place }) => after === null || compareKeys(place, after) < 0)
    .toSorted((one, other) => compareKeys(other.place, one.place))
  const page = left.slice(0, limit)
  return {
    page: page.map(({ record }) => record),
    next: left.length > limit ? (page.at(-1)?.place ?? null) : null,
  }
}

/** The records in lines of a user's export. */
const readLines = (text: string): ReadonlyArray<JsonObject> =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const { data }: { readonly data: JsonObject } = JSON.parse(line)
      return data
    })

/**
 * Shows what a user's export has of them, one section at a time, page by page, the last by its key first: the values are the same,
 * and what is left out there is left out here.
 */
export const makeRecords = <Db extends ExportsDb & UsersDb>(
  { clock, tenants }: Pick<Ports<Db>, "clock" | "tenants">,
  sections: ReadonlyArray<ExportSection<Db>>,
) =>
  Effect.fn("exports.records")(function* (projectId: string, userId: string, { section, limit, cursor }: RecordsQuery) {
    const found = sections.find(({ name }) => name === section)
    if (found === undefined)
      return yield* new NotFound(undefined, `There is no section ${section} of a user's records.`)
    const after = cursor === undefined ? null : readCursor(found, cursor)
    if (cursor !== undefined && after === null) return yield* new InvalidCursor()
    return yield* tenants.read(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* orFail(db.users.find({ id: userId }), NotFound)
        if ("read" in found) {
          const { page, next } = cutRecords(found, yield* found.read(db, userId, clock.now()), after, limit)
          const text = page.map((record) => sectionLine(found.name, found.columns, record)).join("")
          return { data: readLines(text), next_cursor: writeCursor(next) }
        }
        const page = yield* db.exports.section(found, userId, after, { rows: limit, bytes: mostBytes }, "desc")
        return { data: readLines(page.texts.join("")), next_cursor: writeCursor(page.next) }
      }),
    )
  })
