import type { CellKind, ExportColumns, ExportFormat } from "./columns.ts"
import { jsonText } from "./json-text.ts"

/** A row to write, with a value for every column. Instants are dates, days are text. */
export type ExportRecord = Readonly<Record<string, unknown>>

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`

// Text that a spreadsheet takes for a formula [E13].
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text)

const formatPlain = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

// Kinds whose numbers are written in plain decimal digits, without an exponent.
const decimalKinds = new Set<CellKind>(["amount", "number", "money"])

const unquotedKinds = new Set<CellKind>(["boolean", "count", "whole"])

/**
 * A cell of RFC 4180. Null is empty; text and JSON are always in quotes, so empty text is not null. Text that a spreadsheet
 * would run gets a leading `'` [E13].
 */
export const csvCell = (kind: CellKind, value: unknown): string => {
  if (value === null) return ""
  if (kind === "text") return quote(isFormula(String(value)) ? `'${value}` : String(value))
  if (kind === "json") return quote(jsonText(value))
  if (kind === "words") return (value as ReadonlyArray<string>).join("|")
  return decimalKinds.has(kind) ? jsonText(value) : formatPlain(value)
}

const jsonValue = (kind: CellKind, value: unknown): string => {
  if (value === null) return "null"
  if (kind === "json" || kind === "words" || decimalKinds.has(kind)) return jsonText(value)
  return unquotedKinds.has(kind) ? formatPlain(value) : JSON.stringify(formatPlain(value))
}

const jsonObject = (columns: ExportColumns, record: ExportRecord): string =>
  `{${columns.map(({ name, kind }) => `"${name}":${jsonValue(kind, record[name])}`).join(",")}}`

/** The header line. Lines end with a line feed, as those of COPY do. */
export const csvHeader = (columns: ExportColumns): string => `${columns.map(({ name }) => name).join(",")}\n`

/** A row as a line of CSV. */
export const csvLine = (columns: ExportColumns, record: ExportRecord): string =>
  `${columns.map(({ name, kind }) => csvCell(kind, record[name])).join(",")}\n`

/** A row as a line of NDJSON: the same values as in CSV, in JSON's own types, and no `'` before formulas. */
export const jsonLine = (columns: ExportColumns, record: ExportRecord): string => `${jsonObject(columns, record)}\n`

/** The function that writes a row as a line in a format. */
export const lineIn = (format: ExportFormat) => (format === "csv" ? csvLine : jsonLine)

/** A row as a line of a user's export. */
export const sectionLine = (section: string, columns: ExportColumns, record: ExportRecord): string =>
  `{"section":"${section}","data":${jsonObject(columns, record)}}\n`

/** The error line of a section that could not be read. It does not contain the reason. */
export const failedSectionLine = (section: string): string =>
  `${JSON.stringify({ section, error: "SECTION_QUERY_FAILED", message: "This section could not be read completely." })}\n`
