import { Duplicate, type Order, type Page, type RowLock, type SliceRows, type Table, type Where } from "@hearth/core"
import { Effect, Option } from "effect"
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely"
import pg from "pg"
import type { Answer } from "../connections/answer.ts"
import type { Statement } from "../connections/connection.ts"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { cutPage, jsonBytes, type Measured, readCut } from "./cut-page.ts"

type AnyTables = Record<string, Record<string, unknown>>

// Kysely only writes statements; `Statements` run them.
const build = new Kysely<AnyTables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

interface Built {
  compile(): { readonly sql: string; readonly parameters: ReadonlyArray<unknown> }
}

const statementOf = (query: Built): Statement => {
  const { parameters, sql } = query.compile()
  return { text: sql, values: parameters }
}

const rowLocks: Readonly<Record<RowLock, ReturnType<typeof sql>>> = {
  "key share": sql`for key share`,
  share: sql`for share`,
  "no key update": sql`for no key update`,
  update: sql`for update`,
}

/** The columns of a record as they are bound. */
export const encodeRow = ({ json, name }: TableShape, record: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([column, value]) => {
      // Leaving it out would widen a search or keep a value; null would be another value.
      if (value === undefined) throw new TypeError(`${name}.${column} is undefined.`)
      return [column, json.has(column) && value !== null ? JSON.stringify(value) : value]
    }),
  )

/** Runs a statement that writes to one table. Fails with `Duplicate` where a unique key of it is taken. */
export const attemptWrite = (
  statements: Statements,
  shape: TableShape,
  make: () => Statement,
): Effect.Effect<Answer, Duplicate> =>
  Effect.catch(statements.attempt(make), (error) => {
    const key = takenKey(shape, error)
    return key === undefined ? Effect.die(error) : Effect.fail(new Duplicate({ key }))
  })

/** Plain rows of one table. */
export const makeTable = <Row extends { readonly id: string }>(
  statements: Statements,
  shape: TableShape,
): Table<Row> => {
  const { columns, json, name, nullable } = shape
  const encoded = (record: object) => encodeRow(shape, record)

  const matching = <Query extends { where(column: string, operator: "=" | "is", value: unknown): Query }>(
    query: Query,
    where: Where<Row>,
  ): Query =>
    Object.entries(encoded(where)).reduce(
      (narrowed, [column, value]) => narrowed.where(column, value === null ? "is" : "=", value),
      query,
    )

  const keysOf = (order: Order<Row>): Order<Row> =>
    order.some(([column]) => column === "id") ? order : [...order, ["id", "asc"]]

  const sorted = (where: Where<Row>, order: Order<Row>) =>
    keysOf(order).reduce(
      (query, [column, way]) =>
        query.orderBy(column, (by) => {
          const sorting = way === "asc" ? by.asc() : by.desc()
          // Said of a column without nulls, it would keep an index from being read backwards.
          return nullable.has(column) ? sorting.nullsLast() : sorting
        }),
      matching(build.selectFrom(name).select(columns), where),
    )

  /** Compared as a row, so that an index in this order is entered at the place. */
  const isAfter = (order: Order<Row>, place: Partial<Row>) => {
    const keys = keysOf(order).map(([column]) => column)
    const ways = new Set(keysOf(order).map(([, way]) => way))
    if (ways.size > 1 || keys.some((column) => nullable.has(column)))
      throw new TypeError(`There is no such place in ${name}.`)
    const values = Object.values(encoded(Object.fromEntries(keys.map((column) => [column, place[column]]))))
    const [left, right] = [sql.join(keys.map((column) => sql.ref(column))), sql.join(values)]
    return ways.has("asc") ? sql<boolean>`(${left}) > (${right})` : sql<boolean>`(${left}) < (${right})`
  }

  const run = (make: () => Built) => Effect.orDie(statements.attempt(() => statementOf(make())))
  const read = (make: () => Statement) => Effect.orDie(statements.attempt(() => ({ ...make(), changesNothing: true })))
  const select = (make: () => Built) => read(() => statementOf(make()))
  const rowsOf = (make: () => Built) => Effect.map(select(make), ({ rows }) => rows as ReadonlyArray<Row>)
  const firstOf = (make: () => Built) => Effect.map(rowsOf(make), (rows) => Option.fromNullishOr(rows[0]))

  /** The rows of a slice. Those that have JSON may be large. */
  const sliceOf = (order: Order<Row>, make: () => Built): Effect.Effect<SliceRows<Row>> => {
    if (json.size === 0) return Effect.map(rowsOf(make), (rows) => ({ rows }))
    const sorting = keysOf(order).map(([column, way]) => `${column} ${way}${nullable.has(column) ? " nulls last" : ""}`)
    const bytes = [...json].map(jsonBytes).join(" + ")
    const cut = read(() => {
      const { text, values } = statementOf(make())
      return { text: cutPage(text, sorting.join(", "), bytes), values }
    })
    return Effect.map(cut, ({ rows }) => readCut<Row>(rows as ReadonlyArray<Row & Measured>))
  }

  const write = (make: () => Built) => attemptWrite(statements, shape, () => statementOf(make()))

  return {
    insert: (row) => Effect.asVoid(write(() => build.insertInto(name).values(encoded(row)))),
    find: (where) => firstOf(() => matching(build.selectFrom(name).select(columns), where).limit(1)),
    // Not `for update` by default: other transactions may write rows that reference it.
    lock: (id, mode = "no key update") =>
      firstOf(() => build.selectFrom(name).select(columns).where("id", "=", id).modifyEnd(rowLocks[mode])),
    list: (where, order) => rowsOf(() => sorted(where, order)),
    page: Effect.fnUntraced(function* (where, order, { limit, offset }) {
      const { rows, ...cutShort } = yield* sliceOf(order, () => sorted(where, order).limit(limit).offset(offset))
      const isLast = rows.length > 0 && rows.length < limit && cutShort.is_cut !== true
      if (isLast) return { rows, total: offset + rows.length } satisfies Page<Row>
      const counted = yield* select(() =>
        matching(build.selectFrom(name).select(build.fn.countAll().as("total")), where),
      )
      return { rows, ...cutShort, total: Number((counted.rows[0] as { total: string }).total) } satisfies Page<Row>
    }),
    listAfter: (where, order, place, { limit, offset }) =>
      sliceOf(order, () => sorted(where, order).where(isAfter(order, place)).limit(limit).offset(offset)),
    update: (id, changes) => {
      if (Object.keys(changes).length === 0)
        return firstOf(() => build.selectFrom(name).select(columns).where("id", "=", id))
      const changed = write(() => build.updateTable(name).set(encoded(changes)).where("id", "=", id).returning(columns))
      return Effect.map(changed, ({ rows }) => Option.fromNullishOr(rows[0] as Row | undefined))
    },
    remove: (where) =>
      Effect.map(
        run(() => matching(build.deleteFrom(name), where)),
        ({ rowCount }) => rowCount,
      ),
  }
}

const uniqueViolation = "23505"

const takenKey = ({ uniqueKeys }: TableShape, error: unknown): ReadonlyArray<string> | undefined =>
  error instanceof pg.DatabaseError && error.code === uniqueViolation
    ? uniqueKeys.get(error.constraint ?? "")
    : undefined
