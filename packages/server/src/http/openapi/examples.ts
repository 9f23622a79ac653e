import { readFileSync } from "node:fs"

/** A call that a journey of the tests has made: its body, and what was answered. */
export interface Example {
  readonly request?: unknown
  readonly status: number
  readonly answer?: unknown
  /** What the same call answers with the other statuses of its success, by status: of what was there already, for example. */
  readonly others?: Readonly<Record<string, unknown>>
}

// The same from src and from dist: a package has this file of src, too.
const file = new URL("../../../src/http/openapi/examples.json", import.meta.url)

/** What was recorded, by the id of the operation. A test compares it with what is answered now. */
export const readExamples = (): Readonly<Record<string, Example>> => JSON.parse(readFileSync(file, "utf8"))
