import type { JsonObject } from "../schema.ts"

/** The most bytes that the properties of a user may have as JSON, after a merge [D]. */
export const maxPropertiesBytes = 64 * 1024

/** `changes` over `properties`, at the top level only: a nested object is replaced as a whole. */
export const mergeProperties = (properties: JsonObject, changes: JsonObject): JsonObject =>
  // Entries, not spread: a key `__proto__` stays a key.
  Object.fromEntries([...Object.entries(properties), ...Object.entries(changes)])

/** How many bytes of UTF-8 an object has as JSON. */
export const propertiesBytes = (properties: JsonObject): number =>
  new TextEncoder().encode(JSON.stringify(properties)).length
