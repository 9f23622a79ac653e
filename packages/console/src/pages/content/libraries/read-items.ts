import { readCsv } from "./read-csv.ts"

/** What is wrong with a file, and where, as people count. */
export interface Fault {
  readonly place: string
  readonly message: string
}

/** What was found in a file. */
export interface ReadItems {
  readonly items: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Where each item is. */
  readonly places: ReadonlyArray<string>
  readonly faults: ReadonlyArray<Fault>
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const none = (message: string): ReadItems => ({ items: [], places: [], faults: [{ place: "The file", message }] })

const readJsonItems = (text: string): ReadItems => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return none(`is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const list: unknown = isObject(value) ? value["items"] : value
  if (!Array.isArray(list)) return none('must be a list of items, or {"items": […]}')
  const places = list.map((_, at) => `Item ${at + 1}`)
  const faults = list.flatMap((item, at) =>
    isObject(item) ? [] : [{ place: places[at] ?? "", message: "must be an object" }],
  )
  return { items: list.filter(isObject), places, faults }
}

type Cell = { readonly value: unknown } | { readonly fault: string }

const asText = (value: string): Cell => ({ value })

const columns: Readonly<Record<string, (text: string) => Cell>> = {
  ...{ title: asText, body: asText, media_url: asText, category: asText },
  tags: (text) => ({
    value: text
      .split(/[;|,]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ""),
  }),
  is_premium: (text) =>
    /^(true|false)$/i.test(text) ? { value: /^true$/i.test(text) } : { fault: "must be true or false" },
  metadata: (text) => {
    try {
      return { value: JSON.parse(text) }
    } catch {
      return { fault: "is not JSON" }
    }
  },
}

const readRow = (names: ReadonlyArray<string>, cells: ReadonlyArray<string>) => {
  const item: Record<string, unknown> = {}
  const wrong: Array<string> = []
  if (cells.length > names.length) wrong.push(`has ${cells.length} cells for ${names.length} columns`)
  for (const [index, name] of names.entries()) {
    const given = cells[index] ?? ""
    if (given === "") continue
    const read = (columns[name] ?? asText)(given)
    if ("fault" in read) wrong.push(`${name} ${read.fault}`)
    else item[name] = read.value
  }
  return { item, wrong }
}

const readCsvItems = (text: string): ReadItems => {
  const lines = readCsv(text)
  if (lines === null) return none("has a quote that is out of place, or that does not end")
  const [head, ...rows] = lines
  const names = (head?.cells ?? []).map((name) => name.trim().toLowerCase())
  const unknown = names.filter((name) => !Object.hasOwn(columns, name))
  if (!names.includes("body")) return none("needs a first line with the names of its columns, and body among them")
  if (unknown.length > 0) return none(`has columns that items do not have: ${unknown.join(", ")}`)
  const read = rows.map(({ cells, number }) => ({ ...readRow(names, cells), place: `Line ${number}` }))
  return {
    items: read.map(({ item }) => item),
    places: read.map(({ place }) => place),
    faults: read.flatMap(({ wrong, place }) => wrong.map((message) => ({ place, message }))),
  }
}

/** Reads the items of a JSON or CSV file. What they must be like is the service's to say. */
export const readItems = (name: string, text: string): ReadItems => {
  const bare = text.replace(/^\uFEFF/, "")
  return /\.csv$/i.test(name) ? readCsvItems(bare) : readJsonItems(bare)
}
