import { type InputIssue, listIssues } from "@hearth/core"
import { Result, Schema, SchemaAST } from "effect"
import { describe, expect, it } from "vitest"
import type { AnySchema } from "../../src/http/routing/any-schema.ts"
import { routes } from "../../src/routes/index.ts"

const probes: ReadonlyArray<unknown> = [
  null,
  true,
  -1,
  0.5,
  1e15,
  "",
  "\u0000",
  "x y",
  "x".repeat(10_001),
  [],
  [null],
  [{}],
  {},
  { x: null },
]

const unwrap = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(unwrap) : SchemaAST.isSuspend(ast) ? [] : [ast]

/** A value for every place of the schema, each with something that may be wrong there. */
const findBadValues = (schema: SchemaAST.AST, depth = 0): ReadonlyArray<unknown> => {
  if (depth > 3) return []
  const within = unwrap(schema).flatMap((ast): ReadonlyArray<unknown> => {
    if (SchemaAST.isArrays(ast)) {
      return [
        Array(600).fill(null),
        ...ast.rest.flatMap((item) => findBadValues(item, depth + 1).map((value) => [value])),
      ]
    }
    if (!SchemaAST.isObjects(ast)) return []
    return [
      ...ast.propertySignatures.flatMap(({ name, type }) =>
        findBadValues(type, depth + 1).map((value) => ({ [name as string]: value })),
      ),
      ...ast.indexSignatures.flatMap(({ type }) => findBadValues(type, depth + 1).map((value) => ({ X: value }))),
    ]
  })
  return [...probes, ...within]
}

const collect = (schema: AnySchema): ReadonlyArray<InputIssue> => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return findBadValues(schema.ast).flatMap((value) => {
    const result = decode(value)
    return Result.isSuccess(result) ? [] : listIssues(result.failure.issue, schema)
  })
}

const voice = /^(?:is required|must (?:be|have|not be|not have|begin|give) [^A-Z"]|may have only )/
const unspecific = /^must be (?:valid|a JSON value)$|expected|missing key|<filter>|undefined|null null/i

const inputs = routes.flatMap(({ method, path, options: { query = {}, headers = {}, body, bodyShape } }) => [
  [`${method} ${path} query`, Schema.Struct(query)] as const,
  [`${method} ${path} headers`, Schema.Struct(headers)] as const,
  ...[typeof body === "string" ? bodyShape : body].flatMap((schema) =>
    schema === undefined ? [] : [[`${method} ${path} body`, schema] as const],
  ),
])

describe("sentences about inputs", () => {
  it("have one voice on every route", () => {
    const found = new Map<string, string>()
    for (const [name, schema] of inputs) {
      for (const { path, message } of collect(schema as AnySchema)) {
        if (!voice.test(message) || unspecific.test(message)) found.set(`${name} ${path}: ${message}`, message)
      }
    }
    expect([...found.keys()]).toEqual([])
  })
})
