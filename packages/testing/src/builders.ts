/** The instant at which builders create everything. A `manualClock` begins there too. */
export const builtAt = new Date("2026-01-01T00:00:00.000Z")

let built = 0

/** A unique number, greater than the one before. */
export const nextNumber = (): number => {
  built += 1
  return built
}

/** The id of this number, in the form of a uuid of version 7. */
export const makeId = (n: number): string => `019b76da-a800-7000-8000-${n.toString(16).padStart(12, "0")}`

/** An id in the form of a uuid of version 7. Each is greater than the one before. */
export const anId = (): string => makeId(nextNumber())

/** Columns that a caller must give, because they reference a row that must exist, and those that may be given. */
export type Given<Row, Required extends keyof Row = never> = Partial<Row> & Pick<Row, Required>
