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
export const keepList =
  (keepIt: Keep): Keep =>
  (value) =>
    (value as ReadonlyArray<unknown>).map(keepIt)

/** A record whose named fields, where they are there, are these. */
export const fields = (keepThem: Readonly<Record<string, Keep>>): Keep => {
  const rules = Object.entries(keepThem)
  return (value) => {
    const given = value as Readonly<Record<string, unknown>>
    let kept: Record<string, unknown> | undefined
    for (const [name, keepIt] of rules) {
      const one = given[name]
      const keptOne = one === undefined ? one : keepIt(one)
      if (keptOne === one) continue
      kept ??= { ...given }
      kept[name] = keptOne
    }
    return kept ?? given
  }
}

/** Where a page begins, and the most rows that it has. */
export const slice = fields({ limit, offset: limit })

/** A place in a list by an instant. */
export const place = fields({ at: instant, id: uuid })

type Repository = Readonly<Record<string, unknown>>
interface Rules {
  readonly [name: string]: ReadonlyArray<Keep> | Rules | undefined
}

const isList = (rules: ReadonlyArray<Keep> | Rules): rules is ReadonlyArray<Keep> => Array.isArray(rules)

const withRule =
  (repository: Repository, name: string, rule: ReadonlyArray<Keep>, statements: Statements) =>
  (...given: ReadonlyArray<unknown>): unknown => {
    let kept: ReadonlyArray<unknown>
    try {
      kept = given.map((value, place) => rule[place]?.(value) ?? value)
    } catch (fault) {
      return statements.query(() => {
        throw fault
      })
    }
    return (repository[name] as (...kept: ReadonlyArray<unknown>) => unknown)(...kept)
  }

/**
 * A repository whose methods die, as a statement that fails, of arguments that PostgreSQL would refuse. A method gets its rule when
 * it is read: a transaction has repositories of its own, and calls few of their methods.
 */
export const withRules = (repository: Repository, rules: Rules, statements: Statements): Repository => {
  const checked = new Map<PropertyKey, unknown>()
  const check = (name: string, rule: ReadonlyArray<Keep> | Rules) =>
    isList(rule)
      ? withRule(repository, name, rule, statements)
      : withRules(repository[name] as Repository, rule, statements)
  return new Proxy(repository, {
    get: (_, name) => {
      const rule = rules[name as string]
      if (rule === undefined) return repository[name as string]
      const found = checked.get(name) ?? check(name as string, rule)
      checked.set(name, found)
      return found
    },
  })
}
