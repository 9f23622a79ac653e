import { SchemaAST } from "effect"

/** Adds the keys of a value that its schema does not know. */
type Watch = (value: unknown, found: Set<string>) => void

// An answer names the first ones.
const mostNames = 10
const longestName = 96

// Deeper than any body that a schema describes; a schema that contains itself ends here.
const deepest = 6

/** The schemas that a value may have, without what is wrapped around them. */
const unwrap = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const source = ast.encoding?.at(-1)?.to
  if (source !== undefined) return unwrap(source)
  if (SchemaAST.isSuspend(ast)) return unwrap(ast.thunk())
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(unwrap) : [ast]
}

/** Values of which nothing is known: of `{}` and of schemas that take any value. */
const isFree = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isObjects(ast)
    ? ast.indexSignatures.length + ast.propertySignatures.length === 0
    : ["Declaration", "Unknown", "Any", "ObjectKeyword"].includes(ast._tag)

const watchItems = (items: Watch | null): Watch | null =>
  items === null
    ? null
    : (value, found) => {
        if (Array.isArray(value)) for (const item of value) items(item, found)
      }

/** A record may have any key; its values need not. */
const watchValues = (values: Watch | null): Watch | null =>
  values === null
    ? null
    : (value, found) => {
        if (typeof value === "object" && value !== null) for (const each of Object.values(value)) values(each, found)
      }

const watchKeys = (objects: ReadonlyArray<SchemaAST.Objects>, prefix: string, depth: number): Watch | null => {
  if (objects.length === 0) return null
  const types = new Map<string, Array<SchemaAST.AST>>()
  for (const { name, type } of objects.flatMap((each) => each.propertySignatures))
    types.set(String(name), [...(types.get(String(name)) ?? []), type])
  const keys = new Map([...types].map(([name, asts]) => [name, makeWatch(asts, `${prefix}${name}`, depth + 1)]))
  return (value, found) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return
    const given = value as Readonly<Record<string, unknown>>
    for (const key in given) {
      const watch = keys.get(key)
      if (watch === undefined) {
        if (found.size <= mostNames) found.add(prefix + key)
      } else if (watch !== null) watch(given[key], found)
    }
  }
}

const makeWatch = (asts: ReadonlyArray<SchemaAST.AST>, path: string, depth: number): Watch | null => {
  const all = asts.flatMap(unwrap)
  if (depth > deepest || all.some(isFree)) return null
  const items = all.filter(SchemaAST.isArrays).flatMap(({ rest }) => rest)
  const inList = items.length === 0 ? null : watchItems(makeWatch(items, `${path}[]`, depth + 1))
  const objects = all.filter(SchemaAST.isObjects)
  const values = objects.flatMap(({ indexSignatures }) => indexSignatures.map(({ type }) => type))
  const inObject =
    values.length === 0
      ? watchKeys(objects, path === "" ? "" : `${path}.`, depth)
      : watchValues(makeWatch(values, `${path}.*`, depth + 1))
  if (inList === null || inObject === null) return inList ?? inObject
  return (value, found) => (Array.isArray(value) ? inList : inObject)(value, found)
}

/** A name as a header can have it: what is not plain ASCII is percent-encoded. */
const encode = (name: string): string => {
  const text = encodeURIComponent(name.slice(0, longestName).toWellFormed())
    .replaceAll("%5B", "[")
    .replaceAll("%5D", "]")
  return text.slice(0, longestName).replace(/%[\dA-F]?$/, "")
}

/**
 * Makes the function that names the keys of a body that its schema does not know, for the header `X-Ignored-Keys` [A5]: nested ones by their
 * path, as `events[].nmae` and `limits.*.per_hour`, at most 10 of them, then `...`. Null where there are none. Objects that may have any key
 * and any value are left alone.
 */
export const makeIgnoredKeys = ({
  ast,
}: {
  readonly ast: SchemaAST.AST
}): ((value: unknown) => string | null) | null => {
  const watch = makeWatch([ast], "", 0)
  if (watch === null) return null
  return (value) => {
    const found = new Set<string>()
    watch(value, found)
    if (found.size === 0) return null
    const names = [...found].slice(0, mostNames).map(encode)
    return [...names, ...(found.size > mostNames ? ["..."] : [])].join(", ")
  }
}
