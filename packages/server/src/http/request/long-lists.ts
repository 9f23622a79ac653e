import { type InputIssue, phraseOf } from "@hearth/core"
import { SchemaAST } from "effect"

/** Answers what is wrong with a value at a path, if anything. */
type Check = (value: unknown, path: string) => InputIssue | null

const join = (path: string, key: string | number) => (path === "" ? String(key) : `${path}.${key}`)

/** The most items that a list may have; null where its schema does not say. */
const readLimit = ({ checks }: SchemaAST.Arrays): number | null => {
  const limits = (checks ?? []).flatMap(({ annotations }) => {
    const { id, payload } = (annotations?.["representation"] ?? {}) as { id?: string; payload?: { maxLength?: number } }
    return id === "effect/schema/isMaxLength" && payload?.maxLength !== undefined ? [payload.maxLength] : []
  })
  return limits.length === 0 ? null : Math.min(...limits)
}

const firstIssue = <Item>(items: Iterable<Item>, check: (item: Item) => InputIssue | null): InputIssue | null => {
  for (const item of items) {
    const issue = check(item)
    if (issue !== null) return issue
  }
  return null
}

const checkList = (ast: SchemaAST.Arrays): Check | null => {
  const limit = readLimit(ast)
  const [item = null] = ast.rest.map(makeListCheck)
  if (limit === null && item === null) return null
  return (value, path) => {
    if (!Array.isArray(value)) return null
    if (limit !== null && value.length > limit) return { path, message: `must be ${phraseOf(ast)}` }
    return item === null ? null : firstIssue(value.entries(), ([at, each]) => item(each, join(path, at)))
  }
}

const checkFields = (ast: SchemaAST.Objects): Check | null => {
  const fields = ast.propertySignatures.flatMap(({ name, type }) => {
    const check = typeof name === "string" ? makeListCheck(type) : null
    return check === null ? [] : [[String(name), check] as const]
  })
  if (fields.length === 0) return null
  return (value, path) => {
    if (typeof value !== "object" || value === null) return null
    const given = value as Readonly<Record<string, unknown>>
    return firstIssue(fields, ([name, check]) =>
      Object.hasOwn(given, name) ? check(given[name], join(path, name)) : null,
    )
  }
}

/**
 * A check that finds the first list that is longer than its schema allows; null where the schema bounds none. A schema looks at
 * all items before it looks at their number, and at every fault of each: of a body of megabytes those are millions.
 */
export const makeListCheck = (ast: SchemaAST.AST): Check | null => {
  if (SchemaAST.isArrays(ast)) return checkList(ast)
  if (SchemaAST.isObjects(ast)) return checkFields(ast)
  if (!SchemaAST.isUnion(ast)) return null
  // Of several kinds of lists it is not known here which one is meant.
  const [only = null, ...others] = ast.types.map(makeListCheck).filter((check) => check !== null)
  return others.length === 0 ? only : null
}
