import { type Failure, type FailureClass, type InputIssue, InvalidInput, listIssues, NotFound } from "@hearth/core"
import { Effect, Result, Schema } from "effect"
import { InvalidLimit, InvalidOffset, UnknownParameter } from "../response/failures.ts"
import type { Fields } from "../routing/route.ts"
import { findNearest } from "./nearest.ts"

// These two have codes of their own on every list [A8].
const known: Readonly<Record<string, FailureClass>> = { limit: InvalidLimit, offset: InvalidOffset }

/** Failures by the name of what is malformed. */
export type Malformed = Readonly<Record<string, FailureClass>>

/** The failures of a route's query, by the names of its keys. */
export interface QueryFailures {
  readonly malformed?: Malformed
  /** Of those that must be there. Where one is not, that is answered before what is wrong with the values of any. */
  readonly missing?: Readonly<Record<string, FailureClass>>
}

/** The failure of a malformed query key. */
export const queryFailure = (key: string, malformed: Malformed = {}): FailureClass =>
  malformed[key] ?? known[key] ?? InvalidInput

/** The failure of a malformed path parameter [A6]. */
export const paramFailure = (name: string, malformed: Malformed = {}): FailureClass => malformed[name] ?? NotFound

const isText = (value: string): boolean => value.isWellFormed() && !value.includes("\u0000")

/** Percent-decodes; null where that fails or the result is no valid text. */
export const percentDecode = (encoded: string): string | null => {
  try {
    const value = decodeURIComponent(encoded)
    return isText(value) ? value : null
  } catch {
    return null
  }
}

/**
 * The keys and values of a query string. A key that is repeated has the value null, and so has one of `names` whose value cannot be decoded.
 * Null where anything else cannot be decoded.
 */
const split = (search: string, names: ReadonlyArray<string>): Map<string, string | null> | null => {
  const pairs = new Map<string, string | null>()
  for (const pair of search.slice(1).split("&")) {
    if (pair === "") continue
    const [key = "", ...rest] = pair.replaceAll("+", " ").split("=")
    const name = percentDecode(key)
    const value = percentDecode(rest.join("="))
    if (name === null || (value === null && !names.includes(name))) return null
    pairs.set(name, pairs.has(name) ? null : value)
  }
  return pairs
}

const badQuery = () =>
  new InvalidInput(
    { issues: [{ path: "", message: "must be UTF-8 without NUL" }] },
    "The query must be UTF-8 without NUL.",
  )

/** In an address a + is a space, as the + of a time zone that was not encoded. */
const hintAtPlus = (issue: InputIssue, given: Readonly<Record<string, string>>, search: string): InputIssue =>
  search.includes("+") && /\d \d{2}:?\d{2}$/.test(given[issue.path] ?? "")
    ? { ...issue, message: `${issue.message}; write its + as %2B` }
    : issue

const noQuery = Effect.succeed({})

// Parameters are named by callers, and may be long.
const longestName = 100

const refuseUnknown = (given: string, known: ReadonlyArray<string>): UnknownParameter => {
  const parameter = given.length > longestName ? `${given.slice(0, longestName).toWellFormed()}…` : given
  const nearest = given.length > longestName ? null : findNearest(given, known)
  const takes = known.length === 0 ? "This call takes none." : `Known are ${known.join(", ")}.`
  const meant = nearest === null ? "" : ` Did you mean ${nearest}?`
  return new UnknownParameter(
    nearest === null ? { parameter, known } : { parameter, nearest, known },
    `There is no parameter ${parameter}.${meant} ${takes}`,
  )
}

/** The refusal of the first parameter that is not known; null without any. */
const findUnknown = (search: string, names: ReadonlyArray<string>): UnknownParameter | null => {
  const pairs = split(search, names)
  const [unknown] = pairs === null ? [""] : [...pairs.keys()].filter((name) => !names.includes(name))
  return unknown === undefined ? null : refuseUnknown(unknown, names)
}

/**
 * Makes the reader of a route's query: declared keys, each at most once. The first bad one, in the order of declaration, is answered. A
 * strict reader refuses the others, after that, where the others ignore them. Null for a route that has nothing to read.
 */
export const makeQueryReader = (fields: Fields, { malformed, missing = {} }: QueryFailures = {}, isStrict = false) => {
  const names = Object.keys(fields)
  if (names.length === 0) {
    return isStrict
      ? (search: string): Effect.Effect<Readonly<Record<string, unknown>>, Failure> => {
          const unknown = search.length < 2 ? null : findUnknown(search, names)
          return unknown === null ? noQuery : Effect.fail(unknown)
        }
      : null
  }
  const ownFailures = Object.keys(malformed ?? {})
  const schema = Schema.Struct(fields)
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (search: string): Effect.Effect<Readonly<Record<string, unknown>>, Failure> => {
    const pairs = split(search, ownFailures)
    if (pairs === null) return Effect.fail(badQuery())
    const given: Record<string, string> = {}
    for (const name of names) {
      const value = pairs.get(name)
      if (value === null) {
        return Effect.fail(
          new (queryFailure(name, malformed))({
            issues: [{ path: name, message: "must be given once, in UTF-8 without NUL" }],
          }),
        )
      }
      if (value !== undefined) given[name] = value
      else if (missing[name] !== undefined) return Effect.fail(new missing[name]())
    }
    const result = decode(given)
    if (Result.isSuccess(result)) {
      const unknown = isStrict ? [...pairs.keys()].find((name) => !names.includes(name)) : undefined
      return unknown === undefined ? Effect.succeed(result.success) : Effect.fail(refuseUnknown(unknown, names))
    }
    const issues = listIssues(result.failure.issue, schema).map((issue) => hintAtPlus(issue, given, search))
    const bad = names.find((name) => issues.some(({ path }) => path === name)) ?? ""
    return Effect.fail(new (queryFailure(bad, malformed))({ issues }))
  }
}

/** Makes the reader of the headers that a route declares; null where it declares none. One that is empty is there; one that is repeated is one with a comma. */
export const makeHeadersReader = (fields: Fields = {}) => {
  const names = Object.keys(fields)
  if (names.length === 0) return null
  const schema = Schema.Struct(fields)
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (headers: Headers): Effect.Effect<Readonly<Record<string, unknown>>, Failure> => {
    const given = names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    const result = decode(Object.fromEntries(given))
    return Result.isSuccess(result)
      ? Effect.succeed(result.success)
      : Effect.fail(new InvalidInput({ issues: listIssues(result.failure.issue, schema) }))
  }
}

/** Makes the reader of a route's path parameters; null where its path has none. What cannot be decoded is a malformed id [A6]. */
export const makeParamsReader = (fields: Fields, malformed?: Malformed) => {
  const readers = Object.entries(fields).map(([name, schema]) => ({
    name,
    decode: Schema.decodeUnknownResult(schema),
    Failed: paramFailure(name, malformed),
  }))
  if (readers.length === 0) return null
  return (
    encoded: Readonly<Record<string, string>> | undefined,
  ): Effect.Effect<Readonly<Record<string, unknown>>, Failure> => {
    const params: Record<string, unknown> = {}
    for (const { name, decode, Failed } of readers) {
      const value = percentDecode(encoded?.[name] ?? "")
      const result = value === null ? null : decode(value)
      if (result === null || Result.isFailure(result)) return Effect.fail(new Failed())
      params[name] = result.success
    }
    return Effect.succeed(params)
  }
}
