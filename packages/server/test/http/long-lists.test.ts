import { listIssues } from "@hearth/core"
import { ContentImport, NewClientItem } from "@hearth/core/content"
import { Result, Schema, SchemaAST } from "effect"
import { describe, expect, it, test } from "vitest"
import { makeListCheck } from "../../src/http/request/long-lists.ts"
import { routes } from "../../src/routes/index.ts"

const two = Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isMaxLength(2))
const schemas = {
  list: two,
  optional: Schema.Struct({ a: Schema.optionalKey(two) }),
  nullable: Schema.Struct({ a: Schema.NullOr(two) }),
  nested: Schema.Struct({ a: Schema.Array(Schema.Struct({ b: two })).check(Schema.isMaxLength(3)) }),
  inner: Schema.Array(two),
}

/** The paths of the lists in a schema that may have any number of items. */
const findUnbounded = (ast: SchemaAST.AST, path: string): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => findUnbounded(type, path))
  if (SchemaAST.isObjects(ast))
    return ast.propertySignatures.flatMap(({ name, type }) => findUnbounded(type, `${path} ${String(name)}`))
  if (!SchemaAST.isArrays(ast)) return []
  const isBounded = (makeListCheck(ast)?.(Array(1_000_000), "") ?? null) !== null
  return [...(isBounded ? [] : [path]), ...ast.rest.flatMap((item) => findUnbounded(item, path))]
}

describe("lists in bodies", () => {
  test.each([
    ["list", ["x", "x"], null],
    ["list", ["x", "x", "x"], ""],
    ["list", [], null],
    ["list", "xxx", null],
    ["optional", {}, null],
    ["optional", { a: [1, 2, 3] }, "a"],
    ["optional", { b: [1, 2, 3] }, null],
    ["optional", null, null],
    ["nullable", { a: null }, null],
    ["nullable", { a: [1, 2, 3] }, "a"],
    ["nested", { a: [{ b: ["x"] }, null, { b: [1, 2, 3] }] }, "a.2.b"],
    ["nested", { a: [1, 2, 3, 4] }, "a"],
    ["nested", { a: [{ b: 1 }] }, null],
    ["inner", [["x"], ["x", "x", "x"]], "1"],
  ] as const)("of %s like %j are too long at %j", (name, value, path) => {
    expect(makeListCheck(schemas[name].ast)?.(value, "")?.path ?? null).toBe(path)
  })

  it("are told as the schema would tell it", () => {
    const failed = Schema.decodeUnknownResult(schemas.list)(["x", "x", "x"])
    const told = Result.isFailure(failed) ? listIssues(failed.failure.issue) : []
    expect([makeListCheck(schemas.list.ast)?.(["x", "x", "x"], "")]).toEqual(told)
  })

  it("are not looked for where none is bounded, or where it is not known which is meant", () => {
    const either = Schema.Union([two, Schema.Array(Schema.Number).check(Schema.isMaxLength(5))])
    for (const { ast } of [Schema.String, Schema.Array(Schema.String), Schema.Struct({ a: Schema.Json }), either])
      expect(makeListCheck(ast)).toBeNull()
  })

  it("of millions of items are refused without looking at one", () => {
    const looked = () => {
      throw new Error("An item was looked at.")
    }
    const items = new Proxy(Array(2_000_000), { get: (all, key) => (key === "length" ? all.length : looked()) })
    expect(makeListCheck(ContentImport.ast)?.({ items }, "")).toMatchObject({ path: "items" })
    expect(makeListCheck(NewClientItem.ast)?.({ tags: items }, "")).toMatchObject({ path: "tags" })
  })

  it("are bounded in every body that a schema reads", () => {
    const unbounded = routes.flatMap(({ method, path, options: { body } }) =>
      body === undefined || typeof body === "string" ? [] : findUnbounded(body.ast, `${method} ${path}`),
    )
    expect(unbounded).toEqual([])
  })
})
