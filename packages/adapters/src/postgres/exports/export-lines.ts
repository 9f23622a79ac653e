import type { CellKind, ExportColumn, ExportColumns, ExportFormat } from "@hearth/core/exports"

// SQL that writes lines as `csvLine`, `jsonLine` and `sectionLine` of core do. The contract suite compares the bytes.

/** A part of a line: text as it is, or an expression. */
type Part = { readonly text: string } | { readonly sql: string }

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** The parts as one expression. Adjacent texts are merged: fewer operators make lines cheaper. */
const joined = (parts: ReadonlyArray<Part>): string => {
  const operands: Array<string> = []
  let text = ""
  const flush = () => {
    if (text !== "") operands.push(literal(text))
    text = ""
  }
  for (const part of parts) {
    if ("text" in part) text += part.text
    else {
      flush()
      operands.push(part.sql)
    }
  }
  flush()
  return operands.join(" || ")
}

const inQuotes = (sql: string): ReadonlyArray<Part> => [{ text: '"' }, { sql }, { text: '"' }]

// Adds a microsecond so that all six digits are written and can be cut to milliseconds. `to_char` takes longer.
const instant = (column: string): ReadonlyArray<Part> => [
  { sql: `replace(left((${column} + interval '1 microsecond')::text, 23), ' ', 'T')` },
  { text: "Z" },
]

const doubled = (sql: string) => `replace(${sql}, '"', '""')`

// The code points of = + - @, tab and carriage return [E13].
const harmless = (text: string) =>
  `case when ascii(${text}) in (61, 43, 45, 64, 9, 13) then '''' || ${text} else ${text} end`

type Cells = Readonly<Record<CellKind, (column: string) => ReadonlyArray<Part>>>

const asText = (column: string): ReadonlyArray<Part> => [{ sql: `${column}::text` }]

// JSON writes numbers in plain decimal digits.
const decimal = (column: string): ReadonlyArray<Part> => [{ sql: `to_jsonb(${column})::text` }]

// Without the zeros that fill up the scale of the column.
const money = (column: string): ReadonlyArray<Part> => [{ sql: `trim_scale(${column})::text` }]

const csvCells: Cells = {
  uuid: asText,
  text: (column) => inQuotes(doubled(harmless(column))),
  instant,
  day: asText,
  boolean: asText,
  count: asText,
  whole: asText,
  amount: decimal,
  number: decimal,
  money,
  json: (column) => inQuotes(doubled(`${column}::text`)),
  // A list of words is stored as a text with `|` between them.
  words: (column) => [{ sql: column }],
}

const jsonValues: Cells = {
  ...csvCells,
  uuid: (column) => inQuotes(`${column}::text`),
  text: (column) => [{ sql: `to_json(${column})::text` }],
  instant: (column) => [{ text: '"' }, ...instant(column), { text: '"' }],
  day: (column) => inQuotes(`${column}::text`),
  json: asText,
  words: (column) => [
    { text: "[" },
    { sql: `case ${column} when '' then '' else '"' || replace(${column}, '|', '", "') || '"' end` },
    { text: "]" },
  ],
}

/** The value of a column; `nothing` where it is null. */
const cellOf = (cells: Cells, { name, kind, isNullable }: ExportColumn, nothing: string): ReadonlyArray<Part> => {
  const parts = cells[kind](name)
  return isNullable ? [{ sql: `coalesce(${joined(parts)}, ${literal(nothing)})` }] : parts
}

const jsonObject = (columns: ExportColumns): ReadonlyArray<Part> => [
  { text: "{" },
  ...columns.flatMap((column, at) => [
    { text: `${at === 0 ? "" : ","}"${column.name}":` },
    ...cellOf(jsonValues, column, "null"),
  ]),
  { text: "}" },
]

const csvCellsOf = (columns: ExportColumns): ReadonlyArray<Part> =>
  columns.flatMap((column, at) => [...(at === 0 ? [] : [{ text: "," }]), ...cellOf(csvCells, column, "")])

const end: Part = { text: "\n" }

/** The SQL expression of a line of a file of rows. */
export const lineSql = (format: ExportFormat, columns: ExportColumns): string =>
  joined([...(format === "csv" ? csvCellsOf(columns) : jsonObject(columns)), end])

/** The SQL expression of a line of the file about one user. */
export const sectionLineSql = (section: string, columns: ExportColumns): string =>
  joined([{ text: `{"section":"${section}","data":` }, ...jsonObject(columns), { text: "}" }, end])
