import { Duplicate, type Order, type Slice, type Table, type Where } from "@hearth/core"
import { Effect, Option } from "effect"
import { ascending, equal, keep } from "./columns.ts"
import type { Draft, Statements } from "./database.ts"
import { canLockRow, columnOf, insertRow, lockRows, removeRow, replaceRow, rowsOf } from "./rows.ts"
import type { Identified, Shape } from "./shape.ts"

/** The plain operations on one table. */
export const memoryTable = <Row extends Identified>(statements: Statements, shape: Shape<Row>): Table<Row> => ({
  insert: (row) =>
    statements.change((draft) => void insertRow(draft, shape, row)).pipe(Effect.catchDefect(duplicateIsFailure)),
  find: (where) => findRow(statements, shape, where),
  lock: (id, mode) =>
    Effect.map(
      statements.query((draft) => lockRows(draft, shape, select(draft, shape, { id } as Where<Row>), mode)[0]),
      Option.fromUndefinedOr,
    ),
  list: (where, order) => statements.query((draft) => sorted(shape, select(draft, shape, where), order)),
  page: (where, order, slice) =>
    statements.query((draft) => pageOf(sorted(shape, select(draft, shape, where), order), slice)),
  listAfter: (where, order, place, slice) =>
    statements.query((draft) => ({ rows: sliceAfter(shape, select(draft, shape, where), order, place, slice) })),
  update: (id, changes) =>
    statements
      .change((draft) => {
        const present = rowsOf(draft, shape).get(keep(columnOf(shape, "id"), id) as string)
        return present === undefined ? undefined : replaceRow(draft, shape, present, { ...present, ...changes })
      })
      .pipe(Effect.map(Option.fromUndefinedOr), Effect.catchDefect(duplicateIsFailure)),
  remove: (where) =>
    statements.change((draft) => {
      const rows = select(draft, shape, where)
      for (const row of rows) removeRow(draft, shape, row)
      return rows.length
    }),
})

const findRow = <Row extends Identified>(statements: Statements, shape: Shape<Row>, where: Where<Row>) =>
  Effect.map(
    statements.query((draft) => select(draft, shape, where)[0]),
    Option.fromUndefinedOr,
  )

/** Removes up to `limit` rows of a user, and passes over those that others have locked. Answers how many. */
export const removeOfUser = <Row extends Identified & { readonly app_user_id: string }>(
  statements: Statements,
  shape: Shape<Row>,
  app_user_id: string,
  limit: number,
): Effect.Effect<number> =>
  statements.change((draft) => {
    const rows = select(draft, shape, { app_user_id } as Where<Row>)
    const chosen = rows.filter(({ id }) => canLockRow(draft, shape, id, "update")).slice(0, limit)
    for (const row of chosen) removeRow(draft, shape, row)
    return chosen.length
  })

/** The rows that `where` describes. */
export const select = <Row extends Identified>(
  draft: Draft,
  shape: Shape<Row>,
  where: Where<Row>,
): ReadonlyArray<Row> => {
  const wanted = Object.entries(where).map(([name, value]) => {
    const column = columnOf(shape, name)
    return [name, value === null ? null : keep(column, value)] as const
  })
  const rows = rowsOf(draft, shape)
  const id = wanted.find(([name]) => name === "id")?.[1]
  const isWanted = (row: Row) => {
    for (const [name, value] of wanted) if (!equal(row[name as keyof Row], value)) return false
    return true
  }
  if (typeof id === "string") return [rows.get(id)].filter((row) => row !== undefined && isWanted(row)) as Array<Row>
  const found: Array<Row> = []
  for (const row of rows.values()) if (isWanted(row)) found.push(row)
  return found
}

/** The order of two rows, ties by id, nulls last. */
const comparing = <Row extends Identified>(shape: Shape<Row>, order: Order<Row>) => {
  const all: Order<Row> = [...order, ["id", "asc"]]
  const keys = all.map(([name, direction]) => [name, direction, ascending(columnOf(shape, name))] as const)
  return (first: Row, second: Row): number => {
    for (const [name, direction, compare] of keys) {
      const [a, b] = [first[name], second[name]]
      if (equal(a, b)) continue
      if (a === null || b === null) return a === null ? 1 : -1
      return direction === "asc" ? compare(a, b) : compare(b, a)
    }
    return 0
  }
}

/** `rows` in this order, ties by id, nulls last. */
export const sorted = <Row extends Identified>(
  shape: Shape<Row>,
  rows: ReadonlyArray<Row>,
  order: Order<Row>,
): ReadonlyArray<Row> => {
  const compare = comparing(shape, order)
  return rows.length < 2 ? rows : rows.toSorted(compare)
}

/** A slice of what comes in this order after a place, in which there may be a row. */
export const sliceAfter = <Row extends Identified>(
  shape: Shape<Row>,
  rows: ReadonlyArray<Row>,
  order: Order<Row>,
  place: Partial<Row> & Identified,
  slice: Slice,
): ReadonlyArray<Row> => {
  const keys: Order<Row> = order.some(([name]) => name === "id") ? order : [...order, ["id", "asc"]]
  const columns = keys.map(([name]) => columnOf(shape, name))
  if (new Set(keys.map(([, way]) => way)).size > 1 || columns.some(({ isNullable }) => isNullable))
    throw new TypeError(`Table ${shape.name} has no such places.`)
  const kept = columns.map((column) => [column.name, keep(column, place[column.name as keyof Row])] as const)
  const [mark, compare] = [Object.fromEntries(kept) as unknown as Row, comparing(shape, order)]
  const behind = rows.filter((row) => compare(row, mark) > 0)
  return pageOf(sorted(shape, behind, order), slice).rows
}

/** A slice of `rows`, and how many they are. */
export const pageOf = <Row>(rows: ReadonlyArray<Row>, { limit, offset }: Slice) => {
  for (const count of [limit, offset]) {
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no count of rows.`)
  }
  return { rows: rows.slice(offset, offset + limit), total: rows.length }
}

/** Makes the `Duplicate` that a change threw its failure. */
export const duplicateIsFailure = (defect: unknown): Effect.Effect<never, Duplicate> =>
  defect instanceof Duplicate ? Effect.fail(defect) : Effect.die(defect)
