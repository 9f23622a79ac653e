import type { SchemaAST } from "effect"
import { readColumnKind } from "./columns.ts"

const flatten = (checks: ReadonlyArray<SchemaAST.Check<never>> | undefined): ReadonlyArray<SchemaAST.Filter<never>> =>
  (checks ?? []).flatMap((check) =>
    check._tag === "FilterGroup" ? flatten(check.checks as ReadonlyArray<SchemaAST.Check<never>>) : [check],
  )

const checksOf = (ast: SchemaAST.AST) =>
  flatten((ast as { readonly checks?: ReadonlyArray<SchemaAST.Check<never>> }).checks)

interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

const boundsOf = (ast: SchemaAST.AST): Bounds =>
  Object.assign({}, ...checksOf(ast).map((check) => check.annotations?.["representation"]?.payload ?? {}))

/** The sentence that a check has of its own, as `must be a uuid`. */
export const ownMessage = (check: SchemaAST.Filter<never>): string | undefined => {
  const message = check.annotations?.["message"]
  return typeof message === "string" ? message : undefined
}

const mustBe = "must be "

/** `1 to 200`, `at most 200`, `at least 1`; null without bounds. */
const amountOf = ({ minLength = 0, maxLength }: Bounds): string | null => {
  if (maxLength === undefined) return minLength === 0 ? null : `at least ${minLength}`
  if (minLength === maxLength) return String(maxLength)
  return minLength === 0 ? `at most ${maxLength}` : `${minLength} to ${maxLength}`
}

/** `1 to 200 characters`; null without bounds. */
const countOf = (bounds: Bounds, [one, many]: readonly [string, string]): string | null => {
  const amount = amountOf(bounds)
  return amount === null ? null : `${amount} ${/(^| )1$/.test(amount) ? one : many}`
}

const characters = ["character", "characters"] as const

/** The length that text must have: `1 to 200 characters`. */
export const lengthPhrase = (minLength: number, maxLength?: number): string =>
  countOf(maxLength === undefined ? { minLength } : { minLength, maxLength }, characters) ?? ""

const numberPhrase = (ast: SchemaAST.AST): string => {
  const isInt = checksOf(ast).some(({ annotations }) => annotations?.["representation"]?.id === "effect/schema/isInt")
  const { minimum, exclusiveMinimum, exclusiveMaximum, ...bounds } = boundsOf(ast)
  // Beyond it integers are not exact, so it is no bound that anybody chose.
  const maximum = bounds.maximum === Number.MAX_SAFE_INTEGER ? undefined : bounds.maximum
  const noun = isInt ? "an integer" : "a number"
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`
  const limits = [
    ...(typeof exclusiveMinimum === "number" ? [`greater than ${exclusiveMinimum}`] : []),
    ...(minimum === undefined ? [] : [`of at least ${minimum}`]),
    ...(typeof exclusiveMaximum === "number" ? [`less than ${exclusiveMaximum}`] : []),
    ...(maximum === undefined ? [] : [`of at most ${maximum}`]),
  ]
  return limits.length === 0 ? noun : `${noun} ${limits.join(" and ")}`
}

/** What a check of the text says of it, as `a uuid`. */
const checkedPhrase = (ast: SchemaAST.AST): string | undefined =>
  checksOf(ast)
    .flatMap((check) => ownMessage(check) ?? [])
    .find((message) => message.startsWith(mustBe) && !message.endsWith(" characters"))
    ?.slice(mustBe.length)

const stringPhrase = (ast: SchemaAST.AST): string => {
  const length = countOf(boundsOf(ast), characters)
  return checkedPhrase(ast) ?? (length === null ? "a string" : `a string of ${length}`)
}

const arrayPhrase = (ast: SchemaAST.AST): string => {
  const count = countOf(boundsOf(ast), ["entry", "entries"])
  return count === null ? "an array" : `an array of ${count}`
}

/** `a, b or c`. */
export const joinChoices = (choices: ReadonlyArray<string>): string => {
  const last = choices.at(-1) ?? ""
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(", ")} or ${last}`
}

const unionPhrases = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Union" ? ast.types.flatMap(unionPhrases) : [phraseOf(ast)]

const ends: Readonly<Partial<Record<SchemaAST.AST["_tag"], string>>> = {
  Boolean: "true or false",
  Null: "null",
  Objects: "an object",
  Declaration: "a JSON value",
}

/** What a value of this schema has to be, after `must be`: `an integer from 1 to 100`, `daily or weekly`, `a uuid or null`. */
export const phraseOf = (ast: SchemaAST.AST): string => {
  // Numbers and flags are text in a query: what they mean is said, not how they are written.
  const source = ast.encoding?.at(-1)?.to
  if (source !== undefined && !["Number", "Boolean"].includes(ast._tag)) return checkedPhrase(ast) ?? phraseOf(source)
  if (ast._tag === "String") return stringPhrase(ast)
  if (ast._tag === "Number") return numberPhrase(ast)
  if (ast._tag === "Literal") return String(ast.literal)
  if (ast._tag === "Arrays") return arrayPhrase(ast)
  // Where a use case is called, instants are of JavaScript.
  if (ast._tag === "Declaration" && readColumnKind(ast) === "instant") return "a Date"
  if (ast._tag === "Suspend") return phraseOf(ast.thunk())
  if (ast._tag === "Union") return joinChoices([...new Set(unionPhrases(ast))])
  return ends[ast._tag] ?? checkedPhrase(ast) ?? "valid"
}
