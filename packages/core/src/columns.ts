import { type Schema, SchemaAST } from "effect"

/**
 * What a column can hold. A `count` is whole and has 31 bits, an `amount` need not be whole; neither is negative. A `whole`
 * and a `number` may be. An `instant` has milliseconds, a `day` is `YYYY-MM-DD`.
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
  | "json"

/** How a field of a record is stored. */
export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
  /** The only texts there are; null where any may be. */
  readonly values: ReadonlyArray<string> | null
}

/** A record, as far as it tells what is stored of it. */
export interface StoredRecord<Fields extends Schema.Struct.Fields = Schema.Struct.Fields> {
  readonly fields: Fields
}

const annotation = "hearth/column"

/** Annotates a schema whose values are stored in a column of this kind. Checks that are added later do not change it. */
export const columnKind = (kind: ColumnKind) => ({ [annotation]: kind })

const readAnnotation = ({ annotations, checks }: SchemaAST.AST): ColumnKind | undefined =>
  [annotations, ...(checks ?? []).map((check) => check.annotations)]
    .map((each) => each?.[annotation] as ColumnKind | undefined)
    .findLast((kind) => kind !== undefined)

const inferKind = (name: string, ast: SchemaAST.AST): ColumnKind => {
  const kind = readAnnotation(ast)
  if (kind !== undefined) return kind
  if (SchemaAST.isString(ast)) return "text"
  if (SchemaAST.isBoolean(ast)) return "boolean"
  // Whether it is whole and whether it may be negative is for the record to say, not to be guessed.
  if (SchemaAST.isNumber(ast))
    throw new TypeError(`${name} is a number of no kind: say Count, Whole, Amount or Finite.`)
  return "json"
}

/** What a value may be: the members of a union, opened up. */
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
 * The columns of a record: those that are named, in that order, or all of them. What is neither one of the schema's words nor
 * text, a flag or one of some texts is JSON. Throws for a number that does not say its kind.
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
