/** The columns that identify a window of a leaderboard. */
export const windowColumns = ["leaderboard_id", "version", "window_start"] as const

/** The columns of the order of a window. */
export const orderColumns = ["deficit", "reached_at", "app_user_id"] as const

/** Columns, qualified with a name. */
export const writeColumns = (name: string, columns: ReadonlyArray<string>): string =>
  columns.map((column) => `${name}.${column}`).join(", ")

/** The condition that two rows are of the same window. */
export const sameWindow = (a: string, b: string): string =>
  windowColumns.map((column) => `${a}.${column} = ${b}.${column}`).join(" and ")

/** The position of a row in the order of its window. */
export const writePosition = (name: string): string => `(${writeColumns(name, orderColumns)})`

/** The position before all others. */
export const firstPosition =
  "'-Infinity'::numeric, '-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid"
