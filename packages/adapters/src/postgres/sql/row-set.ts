/** Many rows as parameters of a statement: one array for each column, which the server reads twice as fast as JSON. */
export interface RowSet<Row> {
  /** What a statement selects them from, with a column `place` that counts them; their first parameter has this number. */
  from(firstParameter: number): string
  values(rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<unknown>>
}

/** Rows of these columns, each with its type. */
export const rowSet = <Row>(columns: { readonly [Column in keyof Row & string]: string }): RowSet<Row> => {
  const types = Object.entries<string>(columns)
  return {
    from: (first) => {
      const arrays = types.map(([, type], at) => `$${first + at}::${type}[]`)
      return `unnest(${arrays.join(", ")}) with ordinality as given (${Object.keys(columns).join(", ")}, place)`
    },
    values: (rows) =>
      types.map(([column]) =>
        rows.map((row) => {
          const value: unknown = row[column as keyof Row]
          // In an array the driver would write an instant in the local zone of the process.
          return value instanceof Date ? value.toISOString() : value
        }),
      ),
  }
}
