import pg from "pg"
import type { Answer } from "./answer.ts"

interface Column {
  readonly name: string
  readonly parse: (value: string) => unknown
}

/** What a prepared statement answers, as the server described it. */
interface Described {
  readonly columns: ReadonlyArray<Column>
  /** A row of nulls, which is copied: the rows of a statement have one shape. */
  readonly empty: Readonly<Record<string, null>>
}

interface Field {
  readonly name: string
  readonly dataTypeID: number
  readonly format: "text" | "binary"
}

interface Named {
  readonly name: string
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

type Settle = (error: Error | null, answer?: Answer) => void

// The part of the driver's query that its types leave out. Only what is a `Query` can be pipelined.
const Query = pg.Query as unknown as new (
  text: string,
) => {
  name: string | undefined
  values: ReadonlyArray<unknown> | undefined
  callback: Settle
  submit(connection: object): Error | null
}

const noColumns: Described = { columns: [], empty: {} }

const describe = (fields: ReadonlyArray<Field>, types: pg.CustomTypesConfig): Described => ({
  columns: fields.map(({ name, dataTypeID, format }) => ({ name, parse: types.getTypeParser(dataTypeID, format) })),
  empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
})

/**
 * Runs the prepared statements of one connection. The server describes what a statement answers at its first execution only: as long
 * as it is prepared that stays, because the server refuses to run it when a migration has changed that.
 */
export const namedQueries = (client: pg.Client, types: pg.CustomTypesConfig) => {
  const known = new Map<string, Described>()
  // The same connection, on which nothing is asked about the columns.
  const withoutDescribe: object = Object.create(client.connection, { describe: { value: () => {} } })

  class NamedQuery extends Query {
    #described: Described | undefined
    readonly #rows: Array<unknown> = []
    #rowCount = 0
    #failure: Error | undefined

    constructor({ name, text, values }: Named, settle: Settle) {
      super(text)
      this.name = name
      this.values = values
      this.callback = settle
    }
    override submit(connection: object) {
      this.#described = known.get(this.name ?? "")
      return super.submit(this.#described === undefined ? connection : withoutDescribe)
    }
    handleRowDescription({ fields }: { readonly fields: ReadonlyArray<Field> }) {
      this.#keep(describe(fields, types))
    }
    handleDataRow({ fields }: { readonly fields: ReadonlyArray<string | null> }) {
      if (this.#described === undefined || this.#failure !== undefined) return
      const { columns, empty } = this.#described
      try {
        const row: Record<string, unknown> = { ...empty }
        for (const [at, { name, parse }] of columns.entries()) {
          const value = fields[at]
          if (value !== null && value !== undefined) row[name] = parse(value)
        }
        this.#rows.push(row)
      } catch (error) {
        this.#failure = error as Error
      }
    }
    handleCommandComplete({ text }: { readonly text: string }) {
      if (this.#described === undefined) this.#keep(noColumns)
      this.#rowCount = Number(/\d+$/.exec(text)?.[0] ?? 0)
    }
    handleError(error: Error) {
      this.callback(error)
    }
    handleReadyForQuery() {
      if (this.#failure !== undefined) this.callback(this.#failure)
      else this.callback(null, { rows: this.#rows, rowCount: this.#rowCount })
    }
    #keep(described: Described) {
      this.#described = described
      known.set(this.name ?? "", described)
    }
  }

  return (statement: Named): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const settle: Settle = (error, answer) => (answer === undefined ? reject(error) : resolve(answer))
      client.query(new NamedQuery(statement, settle) as unknown as pg.Submittable)
    })
}
