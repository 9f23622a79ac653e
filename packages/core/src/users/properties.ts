import type { JsonObject } from "../schema.ts"

/** The most bytes that the properties of a user may have as JSON, after a merge [D]. */
export const maxPropertiesBytes = 64 * 1024

/** Merges `changes` into `properties` at the top level only: a nested object is replaced as a whole. */
export const mergeProperties = (properties: JsonObject, changes: JsonObject): JsonObject =>
  // Built from entries, not by assignment, so that a key `__proto__` stays a key.
  Object.fromEntries([...Object.entries(properties), ...Object.entries(changes)])

/** The size of an object as JSON, in bytes of UTF-8. */
export const propertiesBytes = (properties: JsonObject): number =>
  new TextEncoder().encode(JSON.stringify(properties)).length
