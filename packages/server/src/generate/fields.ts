import { type Json, readReference } from "../http/openapi/plain-schemas.ts"

const listOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

const code = (value: unknown): string => `\`${JSON.stringify(value)}\``

// Every integer has the bounds of JSON numbers: they are left out.
const bound = (value: unknown): number | null =>
  typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null

const range = (least: unknown, most: unknown, unit?: string): string => {
  const [from, to] = [bound(least), bound(most)]
  const counted = (count: number) => (unit === undefined ? `${count}` : `${count} ${unit}${count === 1 ? "" : "s"}`)
  if (from !== null && to !== null) return `, ${from} to ${counted(to)}`
  if (from !== null && from > 0) return `, at least ${counted(from)}`
  return to === null ? "" : `, at most ${counted(to)}`
}

/** A link to the description of a record on the same page. */
export const linkTo = (name: string): string => `[${name}](#${name.toLowerCase()})`

/** The properties of an object schema, and which of them must be there. */
export const propertiesOf = (schema: Json) => ({
  properties: Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Json>>),
  required: new Set((schema["required"] ?? []) as ReadonlyArray<string>),
})

/** What a JSON Schema accepts, in a few words of Markdown. */
export const typeOf = (schema: Json): string => {
  const name = readReference(schema)
  if (name !== null) return linkTo(name)
  if ("const" in schema) return code(schema["const"])
  if (Array.isArray(schema["enum"])) return schema["enum"].map(code).join(" or ")
  if ("anyOf" in schema) return listOf(schema["anyOf"]).map(typeOf).join(" or ")
  const { type } = schema
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(" or ")
  switch (schema["type"]) {
    case "array":
      return `array of ${typeOf((schema["items"] ?? {}) as Json)}`
    case "object": {
      const keys = propertiesOf(schema).properties.map(([key]) => `\`${key}\``)
      return keys.length === 0 ? "object" : `object of ${keys.join(", ")}`
    }
    case "string":
      return `${schema["format"] ?? "string"}${range(schema["minLength"], schema["maxLength"], "character")}`
    case "integer":
    case "number":
      return `${schema["type"]}${range(schema["minimum"], schema["maximum"])}`
    default:
      return typeof schema["type"] === "string" ? schema["type"] : "any JSON"
  }
}

/** A Markdown table. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
