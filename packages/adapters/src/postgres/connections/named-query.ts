import pg from "pg"
import type { Answer } from "./answer.ts"
import type { AnswerTimer } from "./answer-timer.ts"

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
  /** How long the server may take for it, in milliseconds; 0 is without limit. */
  readonly millis: number
}

type Settle = (error: Error | null, answer?: Answer) => void

/** The part of the driver's connection that its types leave out. */
interface Wire {
  /** The names that are being prepared. */
  readonly submittedNamedStatements: Record<string, string>
  sync(): void
}

// As long as no answer comes, nobody knows whether the server is still there: this is not to take much longer than for one.
const mostTogether = 4

// The part of the driver's query that its types leave out. Only what is a `Query` can be pipelined.
const Query = pg.Query as unknown as new (
  text: string,
) => {
  text: string
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

/** How the prepared statements of one connection are run. */
export interface NamedQueries {
  /** Puts a statement behind those that are to be sent next. */
  add(statement: Named): Promise<Answer>
  /** Sends what was added. */
  send(): void
}

/**
 * Runs the prepared statements of one connection. The server describes what a statement answers at its first execution only: as long
 * as it is prepared that stays, because the server refuses to run it when a migration has changed that. Statements that are sent
 * together are answered together, by one write of the server instead of one each. Where one fails, those after it are not run, and
 * fail with its error: outside of a transaction each has to be sent alone. `timer` waits for them as for one.
 */
export const namedQueries = (client: pg.Client, types: pg.CustomTypesConfig, timer: AnswerTimer): NamedQueries => {
  const known = new Map<string, Described>()
  const none = { value: () => {} }
  // The same connection, on which a query does not end what is sent together; on the second it asks nothing about the columns.
  const inside: object = Object.create(client.connection, { sync: none })
  const withoutDescribe: object = Object.create(inside, { describe: none })

  class NamedQuery extends Query {
    #described: Described | undefined
    readonly #rows: Array<unknown> = []
    #rowCount = 0
    #failure: Error | undefined
    #isRefused = false

    readonly millis: number
    constructor({ name, text, values, millis }: Named, settle: Settle) {
      super(text)
      this.millis = millis
      this.name = name
      this.values = values
      this.callback = settle
    }
    /** Answers whether the server will answer: a value that cannot be written, and a name of another text, are refused here. */
    write(): boolean {
      this.#described = known.get(this.name ?? "")
      const refusal = this.submit(this.#described === undefined ? inside : withoutDescribe)
      if (refusal !== null) this.handleError(refusal)
      return !this.#isRefused
    }
    handleError(error: Error) {
      this.#isRefused = true
      this.callback(error)
    }
    describe(fields: ReadonlyArray<Field>) {
      this.#keep(describe(fields, types))
    }
    addRow(fields: ReadonlyArray<string | null>) {
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
    complete(command: string) {
      if (this.#described === undefined) this.#keep(noColumns)
      this.#rowCount = Number(/\d+$/.exec(command)?.[0] ?? 0)
    }
    answer() {
      if (this.#failure !== undefined) this.callback(this.#failure)
      else this.callback(null, { rows: this.#rows, rowCount: this.#rowCount })
    }
    #keep(described: Described) {
      this.#described = described
      known.set(this.name ?? "", described)
    }
  }

  /** What is sent together. To the driver it is one query: the one whose answer comes next. */
  class NamedGroup extends Query {
    #left: Array<NamedQuery>

    constructor(queries: ReadonlyArray<NamedQuery>) {
      super("")
      this.#left = [...queries]
      this.callback = () => {}
    }
    override submit(connection: Wire) {
      this.#left = this.#left.filter((query) => query.write())
      this.#standFor(this.#left[0])
      connection.sync()
      return null
    }
    handleRowDescription({ fields }: { readonly fields: ReadonlyArray<Field> }) {
      this.#left[0]?.describe(fields)
    }
    handleDataRow({ fields }: { readonly fields: ReadonlyArray<string | null> }) {
      this.#left[0]?.addRow(fields)
    }
    handleCommandComplete({ text }: { readonly text: string }) {
      const [done, next] = this.#left
      done?.complete(text)
      // Outside of a transaction it is committed after this, and that may fail.
      if (next === undefined) return
      this.#left.shift()
      this.#standFor(next)
      done?.answer()
    }
    handleError(error: Error) {
      for (const query of this.#left.splice(0)) {
        // The server has passed it over, so it is prepared the next time.
        delete (client.connection as unknown as Wire).submittedNamedStatements[query.name ?? ""]
        query.handleError(error)
      }
      timer.answered()
    }
    handleReadyForQuery() {
      this.#left.shift()?.answer()
      timer.answered()
    }
    #standFor(query: NamedQuery | undefined) {
      this.name = query?.name
      this.text = query?.text ?? ""
    }
  }

  let waiting: Array<NamedQuery> = []
  const send = () => {
    if (waiting.length === 0) return
    const queries = waiting
    waiting = []
    timer.expect(queries.map(({ millis }) => millis))
    const group = new NamedGroup(queries)
    try {
      client.query(group as unknown as pg.Submittable)
    } catch (error) {
      // A part of it may be written: nothing else can be told from it any more.
      group.handleError(error as Error)
      client.connection.stream.destroy(error as Error)
    }
  }
  return {
    add: (statement) =>
      new Promise((resolve, reject) => {
        waiting.push(
          new NamedQuery(statement, (error, answer) => (answer === undefined ? reject(error) : resolve(answer))),
        )
        if (waiting.length === mostTogether) send()
      }),
    send,
  }
}
