import { randomUUID } from "node:crypto"
import type { Random } from "./random.ts"

/** The part of JSON Schema that the OpenAPI document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

/** Looks a schema up by its reference. */
export type Resolve = (schema: JsonSchema) => JsonSchema

const hasType = (type: string, value: unknown): boolean => {
  if (type === "null") return value === null
  if (type === "array") return Array.isArray(value)
  if (type === "integer") return Number.isInteger(value)
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value)
  return typeof value === type
}

const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
}

const isWithin = (size: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY) =>
  size >= least && size <= most

/** Where a value is not what its schema says; null where it is. */
export const findMismatch = (resolve: Resolve, given: JsonSchema, value: unknown, path = "$"): string | null => {
  const schema = resolve(given)
  const { type, enum: allowed, anyOf, allOf = [], properties = {}, required = [], items, format } = schema
  const inner = (one: JsonSchema, part: unknown, at: string) => findMismatch(resolve, one, part, at)
  for (const one of allOf) {
    const found = inner(one, value, path)
    if (found !== null) return found
  }
  if (anyOf !== undefined && !anyOf.some((one) => inner(one, value, path) === null)) return `${path}: none of anyOf`
  if (allowed !== undefined && !allowed.includes(value)) return `${path}: not one of ${allowed.join()}`
  if (type !== undefined && ![type].flat().some((one) => hasType(one, value))) return `${path}: no ${type}`
  if (typeof value === "string") {
    if (!isWithin(value.length, schema.minLength, schema.maxLength)) return `${path}: length ${value.length}`
    if (formats[format ?? ""]?.test(value) === false) return `${path}: no ${format}`
  }
  if (typeof value === "number" && !isWithin(value, schema.minimum, schema.maximum)) return `${path}: ${value}`
  if (Array.isArray(value)) {
    for (const [at, part] of value.entries()) {
      const found = items === undefined ? null : inner(items, part, `${path}[${at}]`)
      if (found !== null) return found
    }
  } else if (typeof value === "object" && value !== null) {
    const missing = required.find((name) => !(name in value))
    if (missing !== undefined) return `${path}: ${missing} is missing`
    for (const [name, part] of Object.entries(value)) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      const found = known === undefined ? null : inner(known, part, `${path}.${name}`)
      if (found !== null) return found
    }
  }
  return null
}

const names = ["lesson", "level", "plan", "a b", "é💙", "x".repeat(255), "0"]

const makeText = (random: Random, { minLength = 0, maxLength = 40 }: JsonSchema): string => {
  const text = random.pick(names)
  return text.slice(0, maxLength).padEnd(Math.min(minLength, 100), "p")
}

/** A value that fits its schema, mostly: what a schema does not say, such as a time zone, is left to luck. */
export const makeValue = (random: Random, resolve: Resolve, given: JsonSchema, ids: ReadonlyArray<string>): unknown => {
  const schema = resolve(given)
  const make = (one: JsonSchema) => makeValue(random, resolve, one, ids)
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (schema.anyOf !== undefined) return make(random.pick(schema.anyOf))
  if (Array.isArray(schema.type)) return make({ ...schema, type: random.pick(schema.type) })
  const { format } = schema
  if (format === "uuid") return random.chance(0.8) ? random.pick(ids) : randomUUID()
  if (format === "date-time") return new Date(Date.now() - random.below(50) * 86_400_000).toISOString()
  switch (schema.type) {
    case "string":
      return makeText(random, schema)
    case "boolean":
      return random.chance(0.5)
    case "null":
      return null
    case "integer":
    case "number": {
      const { minimum = -1_000, maximum = 1_000 } = schema
      const edge = random.pick([minimum, maximum, null, null, null])
      return edge ?? Math.min(maximum, Math.max(minimum, random.below(20)))
    }
    case "array":
      return Array.from({ length: random.below(4) }, () => make(schema.items ?? {}))
    case "object": {
      const { properties = {}, required = [] } = schema
      const taken = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(0.5))
      return Object.fromEntries(taken.map(([name, one]) => [name, make(one)]))
    }
    default:
      return schema.allOf?.[0] === undefined ? random.pick([1, "text", null, true, { a: [1] }]) : make(schema.allOf[0])
  }
}
