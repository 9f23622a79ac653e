import { Result, Schema, SchemaAST } from "effect"
import type { Failure } from "./failure.ts"
import { type InputIssue, mostIssues } from "./input-issues.ts"
import { isObject } from "./schema.ts"

type FindIssues = (value: unknown) => ReadonlyArray<InputIssue>

const annotation = "hearth/issues"

/**
 * A field that may be anything until its use case reads it, because a bad one has a code of its own. `findIssues` says what is wrong
 * with a value of it, each with its path in the input.
 */
export const readByUseCase = (findIssues: FindIssues) => Schema.Unknown.annotate({ [annotation]: findIssues })

/** The issues with which a parser fails; none where it succeeds. */
export const readIssues = (parsed: Result.Result<unknown, Failure>): ReadonlyArray<InputIssue> =>
  Result.isSuccess(parsed) ? [] : ((parsed.failure.details?.["issues"] ?? []) as ReadonlyArray<InputIssue>)

/**
 * `issues` of an input that `schema` refused, and those of its fields that the use case would have read: all of them at once [A5],
 * at most 100.
 */
export const withOwnIssues = (
  issues: ReadonlyArray<InputIssue>,
  schema: { readonly ast: SchemaAST.AST },
  given: unknown,
): ReadonlyArray<InputIssue> => {
  if (!SchemaAST.isObjects(schema.ast) || !isObject(given)) return issues
  const own = schema.ast.propertySignatures.flatMap(({ name, type }) => {
    const find = type.annotations?.[annotation] as FindIssues | undefined
    return find === undefined || !Object.hasOwn(given, name) ? [] : find(given[String(name)])
  })
  return [...issues, ...own].slice(0, mostIssues)
}
