import { SchemaAST, type SchemaIssue } from "effect"
import { ownMessage, phraseOf } from "./phrases.ts"

/** Something that is wrong with an input, and where. */
export interface InputIssue {
  /** Keys and indexes with dots between; empty for the whole. */
  readonly path: string
  readonly message: string
}

/** An input can have thousands of issues: an answer lists the first ones. */
export const mostIssues = 100

// Keys are chosen by callers, and may be long.
const longestKey = 100

type Path = ReadonlyArray<string>

/** A key as a path shows it. */
export const stepOf = (key: PropertyKey): string => {
  const text = String(key)
  return text.length > longestKey ? `${text.slice(0, longestKey).toWellFormed()}…` : text
}

const childOf = (ast: SchemaAST.AST | undefined, key: PropertyKey): SchemaAST.AST | undefined => {
  if (ast === undefined) return undefined
  if (SchemaAST.isArrays(ast)) return ast.elements[Number(key)] ?? ast.rest[0]
  if (!SchemaAST.isObjects(ast)) return undefined
  return ast.propertySignatures.find(({ name }) => name === key)?.type ?? ast.indexSignatures[0]?.type
}

const isNested = (issue: SchemaIssue.Issue): boolean => {
  if (issue._tag === "Pointer" || issue._tag === "Composite") return true
  if (issue._tag === "Filter" || issue._tag === "Encoding") return isNested(issue.issue)
  return issue._tag === "AnyOf" && issue.issues.some(isNested)
}

/** The message that a check gives for this value only: one that depends on it, or one of its own. */
const checkMessage = ({ filter, issue }: SchemaIssue.Filter): string | undefined => {
  const given = issue._tag === "InvalidValue" ? issue.annotations?.["message"] : undefined
  return typeof given === "string" ? given : ownMessage(filter as SchemaAST.Filter<never>)
}

const find = (issue: SchemaIssue.Issue, path: Path, ast: SchemaAST.AST | undefined): ReadonlyArray<InputIssue> => {
  const say = (message: string) => [{ path: path.join("."), message }]
  const expect = (expected: SchemaAST.AST | undefined) =>
    say(expected === undefined ? "must be valid" : `must be ${phraseOf(expected)}`)
  switch (issue._tag) {
    case "Pointer":
      return find(
        issue.issue,
        [...path, ...issue.path.map(stepOf)],
        issue.path.reduce<SchemaAST.AST | undefined>(childOf, ast),
      )
    case "Composite":
      return issue.issues.flatMap((each) => find(each, path, issue.ast))
    case "Encoding":
      return find(issue.issue, path, issue.ast)
    case "AnyOf":
      return findInUnion(issue, path)
    case "Filter": {
      if (isNested(issue.issue)) return find(issue.issue, path, ast)
      const message = checkMessage(issue)
      return message === undefined ? expect(ast) : say(message)
    }
    case "MissingKey":
      return say("is required")
    case "UnexpectedKey":
      return say("is not a key of this object")
    case "InvalidType":
      // The schema of the field says more than the part of it that failed: text that is read as a number has to be one.
      return expect(ast !== undefined && !isNestable(ast) ? ast : issue.ast)
    default:
      return expect(ast)
  }
}

const isNestable = (ast: SchemaAST.AST) => SchemaAST.isObjects(ast) || SchemaAST.isArrays(ast)

/** Of several kinds of value: what is wrong within the one that was meant, else what all of them are. */
const findInUnion = (issue: SchemaIssue.AnyOf, path: Path): ReadonlyArray<InputIssue> => {
  const nested = issue.issues.filter(isNested)
  if (nested.length > 0) return nested.flatMap((each) => find(each, path, issue.ast))
  const [only] = issue.issues
  const message = issue.issues.length === 1 && only?._tag === "Filter" ? checkMessage(only) : undefined
  const orNull = issue.ast.types.some(({ _tag }) => _tag === "Null") ? " or null" : ""
  const said =
    message === undefined
      ? `must be ${phraseOf(issue.ast)}`
      : `${message}${message.startsWith("must be ") ? orNull : ""}`
  return [{ path: path.join("."), message: said }]
}

/**
 * What is wrong with a value that a schema refused, at most 100 issues, each path bounded. All sentences follow a path: `is required`,
 * `must be 1 to 200 characters`, `must be daily or weekly`. Values are never repeated: they may be secrets.
 */
export const listIssues = (issue: SchemaIssue.Issue, schema?: { readonly ast: SchemaAST.AST }, under: Path = []) =>
  withoutRepeated(find(issue, under, schema?.ast)).slice(0, mostIssues)

// Two checks of a value may say the same of it.
const withoutRepeated = (issues: ReadonlyArray<InputIssue>) =>
  issues.filter(({ path, message }, at) => {
    const before = issues[at - 1]
    return before?.path !== path || before.message !== message
  })

// A sentence names the first issues only; `details` has them all.
const mostNamed = 5
const longestSentence = 1_000

const nameIssue = ({ path, message }: InputIssue): string =>
  path === "" ? `The body ${message}` : `${path.replaceAll(/\.(\d+)(?=\.|$)/g, "[$1]")} ${message}`

/** One sentence with the first issues, as `events[3].event_name is required; 2 more are in details.issues.`; null without any. */
export const describeIssues = (issues: unknown): string | null => {
  if (!Array.isArray(issues) || issues.length === 0) return null
  const named = (issues as ReadonlyArray<InputIssue>).slice(0, mostNamed).map(nameIssue)
  while (named.length > 1 && named.join("; ").length > longestSentence) named.pop()
  const rest = issues.length - named.length
  const more = rest === 0 ? "" : `; ${rest} more ${rest === 1 ? "is" : "are"} in details.issues`
  return `${named.join("; ")}${more}.`
}
