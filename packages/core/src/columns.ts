import { type Schema, SchemaAST } from "effect"

/**
 * The kind of a column. A `count` is whole, has 31 bits and is not negative; an `amount` is not negative and may have a
 * fraction. A `whole` and a `number` may be negative. `money` may be negative too, and has at most 4 decimals, which are exact.
 * An `instant` has milliseconds, a `day` is `YYYY-MM-DD`.
 */
export type ColumnKind =
  | "uuid"
  | "text"
  | "day"
  | "instant"
  | "boolean"
  | "count"
  | "whole"
  | "amount"
  | "number"
  | "money"
  | "json"

/** How a field of a record is stored. */
export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
  /** The only allowed texts; null when any text is allowed. */
  readonly values: ReadonlyArray<string> | null
}

/** The part of a record's schema that its columns are derived from. */
export interface StoredRecord<Fields extends Schema.Struct.Fields = Schema.Struct.Fields> {
  readonly fields: Fields
}

const annotation = "hearth/column"

/** The annotation of a schema whose values are stored in a column of this kind. Later checks do not change the kind. */
export const columnKind = (kind: ColumnKind) => ({ [annotation]: kind })

/** The kind that a schema was annotated with. */
export const readColumnKind = ({ annotations, checks }: SchemaAST.AST): ColumnKind | undefined =>
  [annotations, ...(checks ?? []).map((check) => check.annotations)]
    .map((each) => each?.[annotation] as ColumnKind | undefined)
    .findLast((kind) => kind !== undefined)

const inferKind = (name: string, ast: SchemaAST.AST): ColumnKind => {
  const kind = readColumnKind(ast)
  if (kind !== undefined) return kind
  if (SchemaAST.isString(ast)) return "text"
  if (SchemaAST.isBoolean(ast)) return "boolean"
  // A plain number does not say whether it is whole or may be negative, so the record has to.
  if (SchemaAST.isNumber(ast))
    throw new TypeError(`${name} is a number of no kind: say Count, Whole, Amount, Finite or Money.`)
  return "json"
}

/** The members of a union, with nested unions flattened. */
const flattenUnion = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(flattenUnion) : [ast]

const readLiteral = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isLiteral(ast) && typeof ast.literal === "string" ? [ast.literal] : []

const describeColumn = (name: string, ast: SchemaAST.AST): Column => {
  const all = flattenUnion(ast)
  const others = all.filter((each) => !SchemaAST.isNull(each))
  const isNullable = others.length < all.length
  const values = others.flatMap(readLiteral)
  if (values.length === others.length) return { name, kind: "text", isNullable, values }
  const [only, ...more] = others
  const kind = only === undefined || more.length > 0 ? "json" : inferKind(name, only)
  return { name, kind, isNullable, values: null }
}

/**
 * The columns of a record: those that are named, in that order, or all of them. A field without an annotated kind is text, a
 * boolean, or else JSON. Throws for a number without an annotated kind.
 */
export const describeColumns = <Fields extends Schema.Struct.Fields>(
  { fields }: StoredRecord<Fields>,
  names: ReadonlyArray<keyof Fields & string> = Object.keys(fields),
): ReadonlyArray<Column> =>
  names.map((name) => {
    const field = fields[name]
    if (field === undefined) throw new TypeError(`There is no field ${name}.`)
    return describeColumn(name, field.ast)
  })
