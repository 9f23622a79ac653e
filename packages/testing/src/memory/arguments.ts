import type { ColumnKind } from "@hearth/core"
import { keep } from "./columns.ts"
import type { Statements } from "./database.ts"

/** What PostgreSQL makes of an argument. Throws for what it would refuse. */
export type Keep = (value: unknown) => unknown

type AnyMethod = (...given: never) => unknown

/**
 * What the methods of repositories are given, place by place. What has no rule is checked by the statement itself, as rows are by
 * their tables.
 */
export type ArgumentRules<Part> = {
  readonly [Name in keyof Part]?: Part[Name] extends AnyMethod
    ? ReadonlyArray<Keep>
    : Part[Name] extends object
      ? ArgumentRules<Part[Name]>
      : never
}

const kept =
  (kind: ColumnKind): Keep =>
  (value) =>
    keep({ name: "an argument", kind, isNullable: false, values: null }, value)

/** A uuid, which becomes one in small letters. */
export const uuid = kept("uuid")
/** Text without NUL. */
export const text = kept("text")
/** A day that exists. */
export const day = kept("day")
/** An instant of the years 1 to 9999. */
export const instant = kept("instant")
/** JSON. */
export const json = kept("json")

/** How many rows at most: a whole number, 0 or more. */
export const limit: Keep = (value) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new RangeError(`${value} is no count of rows.`)
  return value
}

/** What nothing is asked of. */
export const any: Keep = (value) => value

/** Null, or this. */
export const orNull =
  (keepIt: Keep): Keep =>
  (value) =>
    value === null ? null : keepIt(value)

/** Nothing, or this. */
export const optional =
  (keepIt: Keep): Keep =>
  (value) =>
    value === undefined ? undefined : keepIt(value)

/** A list of these. */
export const listOf =
  (keepIt: Keep): Keep =>
  (value) =>
    (value as ReadonlyArray<unknown>).map(keepIt)

/** A record whose named fields, where they are there, are these. */
export const fields =
  (keepThem: Readonly<Record<string, Keep>>): Keep =>
  (value) => {
    const given = value as Readonly<Record<string, unknown>>
    const changed = Object.entries(keepThem).flatMap(([name, keepIt]) =>
      given[name] === undefined ? [] : [[name, keepIt(given[name])] as const],
    )
    return { ...given, ...Object.fromEntries(changed) }
  }

/** Where a page begins, and the most rows that it has. */
export const slice = fields({ limit, offset: limit })

type Repository = Readonly<Record<string, unknown>>
interface Rules {
  readonly [name: string]: ReadonlyArray<Keep> | Rules | undefined
}

const isList = (rules: ReadonlyArray<Keep> | Rules): rules is ReadonlyArray<Keep> => Array.isArray(rules)

const attempt = <A>(work: () => A): { readonly answer: A } | { readonly fault: unknown } => {
  try {
    return { answer: work() }
  } catch (fault) {
    return { fault }
  }
}

/** A repository whose methods die, as a statement that fails, of arguments that PostgreSQL would refuse. */
export const withRules = (repository: Repository, rules: Rules, statements: Statements): Repository => {
  const checked: Record<string, unknown> = {}
  for (const [name, rule] of Object.entries(rules)) {
    if (rule === undefined) continue
    if (!isList(rule)) {
      checked[name] = withRules(repository[name] as Repository, rule, statements)
      continue
    }
    const method = repository[name] as (...given: ReadonlyArray<unknown>) => unknown
    checked[name] = (...given: ReadonlyArray<unknown>) => {
      const kept = attempt(() => given.map((value, place) => (rule[place] ?? any)(value)))
      return "fault" in kept
        ? statements.query(() => {
            throw kept.fault
          })
        : method(...kept.answer)
    }
  }
  return { ...repository, ...checked }
}
