import { describeIssues, type FailureClass, type InputIssue } from "@hearth/core"
import { SchemaAST } from "effect"
import type { Refusal } from "../response/errors.ts"
import type { AnySchema } from "./any-schema.ts"
import type { Route } from "./route.ts"

/** The codes whose sentences are always ours: they name credentials, roles, limits and times. Those of others may repeat what was sent. */
const ourSentences = new Set([
  "FORBIDDEN",
  "INVALID_TOKEN",
  "METHOD_NOT_ALLOWED",
  "PAYLOAD_TOO_LARGE",
  "RATE_LIMIT_EXCEEDED",
  "SERVICE_UNAVAILABLE",
  "UNAUTHORIZED",
])

const collectNames = (ast: SchemaAST.AST, names: Set<string>, seen: Set<SchemaAST.AST>): void => {
  if (seen.has(ast)) return
  seen.add(ast)
  const collect = (each: SchemaAST.AST) => collectNames(each, names, seen)
  const sent = ast.encoding?.at(-1)?.to
  if (sent !== undefined) collect(sent)
  if (SchemaAST.isSuspend(ast)) collect(ast.thunk())
  else if (SchemaAST.isUnion(ast)) ast.types.forEach(collect)
  else if (SchemaAST.isArrays(ast)) [...ast.elements, ...ast.rest].forEach(collect)
  else if (SchemaAST.isObjects(ast)) {
    for (const { name, type } of ast.propertySignatures) {
      names.add(String(name))
      collect(type)
    }
    for (const { type } of ast.indexSignatures) collect(type)
  }
}

/** The names that inputs of the API have. */
const listNames = <Core>(routes: ReadonlyArray<Route<Core>>): ReadonlySet<string> => {
  const names = new Set<string>()
  const seen = new Set<SchemaAST.AST>()
  for (const { options } of routes) {
    const { query = {}, headers = {}, body, bodyShape } = options
    for (const [name, schema] of Object.entries({ ...query, ...headers })) {
      names.add(name)
      collectNames(schema.ast, names, seen)
    }
    for (const schema of [body, bodyShape]) {
      if (typeof schema === "object" || typeof schema === "function")
        collectNames((schema as AnySchema).ast, names, seen)
    }
  }
  return names
}

/**
 * Makes what answers the sentence of a refusal as it may be kept: without anything that the caller sent. Of what is wrong with an input,
 * keys that are not the API's own are left out; sentences that may repeat something else are replaced by that of their code.
 */
export const makeKeepSentence = <Core>(routes: ReadonlyArray<Route<Core>>): ((refusal: Refusal) => string) => {
  // Made when it is first needed: the start does not wait for it.
  let names: ReadonlySet<string> | undefined
  const hideKeys = ({ path, message }: InputIssue): InputIssue => {
    names ??= listNames(routes)
    const steps = path.split(".").map((step) => (step === "" || /^\d+$/.test(step) || names?.has(step) ? step : "…"))
    return { path: steps.join("."), message }
  }
  return (refusal) => {
    const { code, message, details } = refusal
    // An unexpected fault is of no class, and has the same sentence always.
    if (!(refusal instanceof Error)) return message
    const { sentence } = refusal.constructor as unknown as FailureClass
    if (message === sentence || ourSentences.has(code)) return message
    const issues = details?.["issues"] as ReadonlyArray<InputIssue> | undefined
    if (issues === undefined || message !== describeIssues(issues)) return sentence
    return describeIssues(issues.map(hideKeys)) ?? sentence
  }
}
