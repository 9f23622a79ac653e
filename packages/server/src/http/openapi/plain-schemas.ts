/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 has them; or another part of the document. */
export type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** The name of a schema that is described elsewhere; null for one that is not. */
export const readReference = (schema: Json): string | null =>
  typeof schema["$ref"] === "string" ? (schema["$ref"].split("/").at(-1) ?? null) : null

const isNull = (schema: unknown): boolean => isObject(schema) && schema["type"] === "null"

/** `X or null` as one schema with two types, which generators know better than a choice. Not for references: these stay a choice. */
const joinNull = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1])) return schema
  const [only] = anyOf as [Json]
  if (typeof only["type"] !== "string" || "anyOf" in only) return schema
  const values = Array.isArray(only["enum"]) ? { enum: [...only["enum"], null] } : undefined
  return { ...only, ...values, ...rest, type: [only["type"], "null"] }
}

// These bounds say what a JSON number can be; a length of 0 says nothing.
const bounds: ReadonlyArray<readonly [string, number]> = [
  ["minimum", Number.MIN_SAFE_INTEGER],
  ["maximum", Number.MAX_SAFE_INTEGER],
  ["minLength", 0],
]

const dropBounds = (schema: Json): Json => {
  const said = bounds.filter(([name, least]) => schema[name] === least).map(([name]) => name)
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !said.includes(name)))
}

/**
 * An object with named properties is open without saying so: as `additionalProperties: true`, generators give it an index, which
 * hides misspelled names. One without properties is free-form and says so.
 */
const openObject = (schema: Json): Json => {
  if (schema["type"] !== "object") return schema
  const { additionalProperties, ...rest } = schema
  if ("properties" in rest) return additionalProperties === true ? rest : schema
  return { ...rest, additionalProperties: additionalProperties ?? true }
}

const listItems = (schema: Json): Json =>
  schema["type"] === "array" && !("items" in schema) ? { ...schema, items: {} } : schema

// Names of properties may be those of keywords: below "properties" there are schemas, not keywords.
const simplifyEach = (named: unknown): unknown =>
  isObject(named) ? Object.fromEntries(Object.entries(named).map(([name, one]) => [name, simplify(one)])) : named

const simplify = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(simplify)
  if (!isObject(schema)) return schema
  const inner = Object.entries(schema).map(([name, value]) => [
    name,
    name === "properties"
      ? simplifyEach(value)
      : ["enum", "default", "examples"].includes(name)
        ? value
        : simplify(value),
  ])
  return listItems(openObject(dropBounds(joinNull(Object.fromEntries(inner)))))
}

/** The same JSON Schema in words that generators of clients understand: `type: ["string", "null"]`, open records, free-form objects. */
export const simplifySchema = (schema: Json): Json => simplify(schema) as Json
