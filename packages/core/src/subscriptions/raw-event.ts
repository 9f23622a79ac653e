import { isObject, isText, type JsonObject } from "../schema.ts"

// Attributes of subscribers have no limit of their own. What is kept is copied to every entitlement.
const mostCharacters = 16_384
// Long, and not about what was bought.
const heavy = new Set(["subscriber_attributes", "experiments", "aliases"])
const longestText = 255

const fits = (value: object) => JSON.stringify(value).length <= mostCharacters

const isShort = (value: unknown) =>
  value === null || typeof value === "number" || typeof value === "boolean" || isText(value, 0, longestText)

const pick = (fields: JsonObject, isKept: (name: string, value: unknown) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => isKept(name, value)))

/** The event of a body as the provider sent it: whole up to 16,384 characters, else without what makes it long. */
export const readRawEvent = (payload: JsonObject | null): JsonObject => {
  const event = payload?.["event"]
  if (!isObject(event)) return {}
  const fields = event as JsonObject
  if (fits(fields)) return fields
  const light = pick(fields, (name) => !heavy.has(name))
  if (fits(light)) return light
  const short = pick(light, (name, value) => isText(name, 1, longestText) && isShort(value))
  return fits(short) ? short : {}
}
