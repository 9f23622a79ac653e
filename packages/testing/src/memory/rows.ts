import { type Column, Duplicate, type RowLock } from "@hearth/core"
import { indexBytes, keep } from "./columns.ts"
import type { Draft } from "./database.ts"
import type { Identified, Shape } from "./shape.ts"

/** The rows of a table by id. */
export const rowsOf = <Row extends Identified>(draft: Draft, shape: Shape<Row>) => draft.layer<Row>(shape.name)

const lockKey = (shape: Shape, id: string) => `${shape.name} ${id}`

/** Locks a row of this id, whether or not it exists. */
export const lockRow = (draft: Draft, shape: Shape, id: string, mode: RowLock): void =>
  draft.lock(lockKey(shape, id), mode)

/** Whether `lockRow` would not wait: what `skip locked` asks. */
export const canLockRow = (draft: Draft, shape: Shape, id: string, mode: RowLock): boolean =>
  draft.canLock(lockKey(shape, id), mode)

/** Locks these rows in their order, and answers them. */
export const lockRows = <Row extends Identified>(
  draft: Draft,
  shape: Shape<Row>,
  rows: ReadonlyArray<Row>,
  mode: RowLock = "no key update",
): ReadonlyArray<Row> => {
  for (const { id } of rows) lockRow(draft, shape, id, mode)
  return rows
}

/**
 * `row` as the table stores it. Throws when a column is missing, unknown or has an invalid value. What is the very value of
 * `present`, a row that is stored, is not looked at again.
 */
export const keepRow = <Row extends Identified>(shape: Shape<Row>, row: Row, present?: Row): Row => {
  const given = row as unknown as Readonly<Record<string, unknown>>
  const stored = present as Readonly<Record<string, unknown>> | undefined
  for (const name of Object.keys(given)) columnOf(shape, name)
  const kept: Record<string, unknown> = {}
  for (const [name, column] of shape.columns) {
    const value = given[name]
    kept[name] = stored !== undefined && value !== undefined && value === stored[name] ? value : keep(column, value)
  }
  return kept as unknown as Row
}

/** The column of this name. Throws when there is none. */
export const columnOf = (shape: Shape, name: string): Column => {
  const column = shape.columns.get(name)
  if (column === undefined) throw new TypeError(`Table ${shape.name} has no column ${name}.`)
  return column
}

/** Adds a row. Throws `Duplicate` when a key is taken, an error when a parent is missing. Answers the row as it is stored. */
export const insertRow = <Row extends Identified>(draft: Draft, shape: Shape<Row>, given: Row): Row => {
  const row = keepRow(shape, given)
  const rows = rowsOf(draft, shape)
  requireChecked(shape, row)
  requireIndexable(shape, row)
  lockRow(draft, shape, row.id, "update")
  if (rows.get(row.id) !== undefined) throw new Duplicate({ key: ["id"] })
  claimKeys(draft, shape, shape.unique, row)
  requireParents(draft, shape, row)
  rows.set(row.id, row)
  return row
}

/** Replaces the row of the same id. Throws like `insertRow`. */
export const replaceRow = <Row extends Identified>(draft: Draft, shape: Shape<Row>, present: Row, given: Row): Row => {
  const row = keepRow(shape, given, present)
  if (row.id !== present.id) throw new TypeError("The id of a row does not change.")
  requireChecked(shape, row)
  requireIndexable(shape, row, present)
  const changed = shape.unique.filter(
    (columns) => !hasSame(columns, row, present) && keyOf(columns, row) !== keyOf(columns, present),
  )
  lockRow(draft, shape, row.id, changed.length === 0 ? "no key update" : "update")
  releaseKeys(draft, shape, changed, present)
  claimKeys(draft, shape, changed, row)
  requireParents(draft, shape, row, present)
  rowsOf(draft, shape).set(row.id, row)
  return row
}

/** Removes a row and all rows that reference it. In columns that are cleared the reference becomes null instead. */
export const removeRow = <Row extends Identified>(draft: Draft, shape: Shape<Row>, row: Row): void => {
  lockRow(draft, shape, row.id, "update")
  releaseKeys(draft, shape, shape.unique, row)
  rowsOf(draft, shape).delete(row.id)
  for (const { child, columns } of childrenOf(draft.shapes, shape)) {
    for (const orphan of rowsOf(draft, child).values()) {
      const naming = columns.filter((column) => fieldOf(orphan, column) === row.id)
      if (naming.length === 0) continue
      if (!naming.every((column) => child.cleared.includes(column))) removeRow(draft, child, orphan)
      else replaceRow(draft, child, orphan, { ...orphan, ...Object.fromEntries(naming.map((name) => [name, null])) })
    }
  }
}

interface Child {
  readonly child: Shape
  /** Its columns that reference the parent. */
  readonly columns: ReadonlyArray<string>
}

const children = new WeakMap<ReadonlyArray<Shape>, Map<string, ReadonlyArray<Child>>>()

/** The tables that reference a table. */
const childrenOf = (shapes: ReadonlyArray<Shape>, { name }: Shape): ReadonlyArray<Child> => {
  const known = children.get(shapes) ?? new Map<string, ReadonlyArray<Child>>()
  children.set(shapes, known)
  const found =
    known.get(name) ??
    shapes.flatMap((child) => {
      const columns = Object.keys(child.parents).filter((column) => child.parents[column] === name)
      return columns.length === 0 ? [] : [{ child, columns }]
    })
  known.set(name, found)
  return found
}

/** The id of the row that has the unique key `columns` of `row`; undefined when no row has it, or when a part of it is null. */
export const ownerOfKey = <Row extends Identified>(
  draft: Draft,
  shape: Shape<Row>,
  columns: ReadonlyArray<keyof Row & string>,
  row: Row,
): string | undefined => {
  const key = keyOf(columns, row)
  return key === null ? undefined : keysOf(draft, shape, columns).get(key)
}

const fieldOf = (row: Identified, column: string) => (row as unknown as Readonly<Record<string, unknown>>)[column]

/** Whether a row has the very values of another in these columns. */
const hasSame = (columns: ReadonlyArray<string>, row: Identified, other: Identified) => {
  for (const column of columns) if (fieldOf(row, column) !== fieldOf(other, column)) return false
  return true
}

const keysName = (shape: Shape, columns: ReadonlyArray<string>) => `${shape.name} by ${columns.join()}`

const keysOf = (draft: Draft, shape: Shape, columns: ReadonlyArray<string>) =>
  draft.layer<string>(keysName(shape, columns))

const keyOf = (columns: ReadonlyArray<string>, row: Identified) => {
  const values = columns.map((column) => fieldOf(row, column))
  return values.includes(null) ? null : JSON.stringify(values)
}

// The most that fits into a page of a B-tree three times. PostgreSQL also takes longer text that it can compress to this.
const mostIndexBytes = 2_704

interface TextIndex {
  readonly names: ReadonlyArray<string>
  readonly columns: ReadonlyArray<Column>
}

const textIndexes = new WeakMap<Shape, ReadonlyArray<TextIndex>>()

/** The indexes of a table that text can be too long for. */
const textIndexesOf = (shape: Shape): ReadonlyArray<TextIndex> => {
  const isHashed = (names: ReadonlyArray<string>) => shape.hashed.some((each) => each.join() === names.join())
  const found =
    textIndexes.get(shape) ??
    [["id"], ...shape.unique, ...shape.indexed]
      .filter((names) => !isHashed(names))
      .map((names) => ({ names, columns: names.map((name) => columnOf(shape, name)) }))
      .filter(({ columns }) => columns.some(({ kind }) => kind === "text"))
  textIndexes.set(shape, found)
  return found
}

const requireChecked = (shape: Shape, row: Identified) => {
  const broken = shape.checks.find((isTrue) => !isTrue(row as never))
  if (broken !== undefined) throw new RangeError(`Table ${shape.name} refuses a row: ${broken}`)
}

const requireIndexable = (shape: Shape, row: Identified, present?: Identified) => {
  for (const { names, columns } of textIndexesOf(shape)) {
    if (present !== undefined && hasSame(names, row, present)) continue
    if (indexBytes(columns, row as unknown as Readonly<Record<string, unknown>>) > mostIndexBytes)
      throw new RangeError(`Table ${shape.name}: ${names.join()} is too long for an index.`)
  }
}

type Keys = ReadonlyArray<ReadonlyArray<string>>

// Whoever wants a key that another transaction has taken or given back waits until that is decided.
const claimKeys = (draft: Draft, shape: Shape, keys: Keys, row: Identified) => {
  for (const columns of keys) {
    const key = keyOf(columns, row)
    if (key === null) continue
    draft.lock(`${keysName(shape, columns)} ${key}`, "update")
    if (keysOf(draft, shape, columns).get(key) !== undefined) throw new Duplicate({ key: columns })
    keysOf(draft, shape, columns).set(key, row.id)
  }
}

const releaseKeys = (draft: Draft, shape: Shape, keys: Keys, row: Identified) => {
  for (const columns of keys) {
    const key = keyOf(columns, row)
    if (key === null) continue
    draft.lock(`${keysName(shape, columns)} ${key}`, "update")
    keysOf(draft, shape, columns).delete(key)
  }
}

/** Locks the parents against removal, unless they stay the same. */
const requireParents = (draft: Draft, shape: Shape, row: Identified, present?: Identified) => {
  for (const [column, parent] of Object.entries(shape.parents)) {
    const id = fieldOf(row, column)
    if (id === null || (present !== undefined && fieldOf(present, column) === id)) continue
    draft.lock(`${parent} ${id}`, "key share")
    if (draft.layer(parent).get(String(id)) === undefined) {
      throw new Error(`Table ${shape.name}: there is no ${parent} of this ${column}.`)
    }
  }
}
