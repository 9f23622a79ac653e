import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"

/** A commit of the history: who made it, and when. */
export interface Commit {
  readonly event_id: string
  readonly user: string
  readonly event_name: string
  readonly occurred_at: string
}

/** The longest runs of an author in UTC days and ISO weeks, as another program counted them. */
export interface LongestRuns {
  readonly user: string
  readonly daily: number
  readonly weekly: number
}

const lines = (name: string): ReadonlyArray<string> =>
  // From the folder of the sources, which the package has too: nothing copies the files to the output of the compiler.
  gunzipSync(readFileSync(new URL(`../../src/demo/history/${name}`, import.meta.url)))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")

/** 9,784 commits by 266 authors over ten years. */
export const readCommits = (): ReadonlyArray<Commit> => lines("events.ndjson.gz").map((line) => JSON.parse(line))

/** The longest streaks that the service must count for the 266 authors. */
export const readLongestRuns = (): ReadonlyArray<LongestRuns> => {
  const [header = "", ...rows] = lines("streaks.csv.gz")
  const columns = header.split(",")
  const column = (cells: ReadonlyArray<string>, name: string) => cells[columns.indexOf(name)] ?? ""
  return rows.map((row) => {
    const cells = row.split(",")
    const count = (name: string) => Number(column(cells, name))
    return { user: column(cells, "user"), daily: count("daily_longest"), weekly: count("weekly_longest") }
  })
}
