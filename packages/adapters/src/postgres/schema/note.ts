import type { SchemaStep } from "./migration.ts"
import { compareReleases } from "./release.ts"
import { type Schema, versionOf } from "./schema.ts"

/**
 * What a database's comment says about its schema. It can be read without connecting to the database. The steps that are
 * noted inside of the database are the truth: a restored one has no comment, or a wrong one.
 */
export interface Note {
  /** The number of the last step. */
  readonly version: string
  /** The oldest release that may run on it; null where every one may. */
  readonly needs: string | null
}

/** The text of a comment. */
export const formatNote = ({ version, needs }: Note): string =>
  needs === null ? `schema ${version}` : `schema ${version} needs ${needs}`

/** Reads a comment; null for one that is missing or says something else. */
export const parseNote = (comment: string | null): Note | null => {
  const [, version, needs = null] = /^schema (\d{4})(?: needs (\d+\.\d+\.\d+))?$/.exec(comment ?? "") ?? []
  return version === undefined ? null : { version, needs }
}

/** Whether a schema that is noted so has every step of `schema`. It may have more. */
export const isUpToDate = (schema: Schema, { version }: Note): boolean => version >= versionOf(schema)

/** Whether the release of `schema` is too old for a database that is noted so. */
export const isTooOldFor = (schema: Schema, needs: string | null): boolean =>
  needs !== null && compareReleases(schema.release, needs) < 0

/** Whether the release works without these steps: their indexes make it faster, no more. */
export const areOptional = (missing: ReadonlyArray<SchemaStep>): boolean =>
  missing.every(({ concurrently }) => concurrently !== undefined)

/** The later of two demands. */
export const pickLater = (a: string | null, b: string | null): string | null => {
  if (a === null || b === null) return a ?? b
  return compareReleases(a, b) < 0 ? b : a
}
