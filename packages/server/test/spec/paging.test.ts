import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly $ref?: string; readonly name?: string; readonly in?: string }>
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Schema }>> }>>
}

const document = JSON.parse(readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8"))

const follow = <Node extends { readonly $ref?: string }>(node: Node | undefined): Node | undefined => {
  const path = node?.$ref?.split("/").slice(1)
  return path === undefined ? node : path.reduce((at, key) => at[key], document)
}

const fieldsOf = ({ responses }: Operation) =>
  follow(responses["200"]?.content?.["application/json"]?.schema)?.properties ?? {}

const answersList = (operation: Operation): boolean => follow(fieldsOf(operation)["data"])?.type === "array"

const lists = Object.entries<Readonly<Record<string, Operation>>>(document.paths).flatMap(([path, operations]) => {
  const { get } = operations
  if (get === undefined || !answersList(get)) return []
  const parameters = (get.parameters ?? []).map((parameter) => follow(parameter))
  const query = parameters.flatMap((each) => (each?.in === "query" ? [each.name] : []))
  return [{ path, query, fields: Object.keys(fieldsOf(get)) }]
})

describe("lists", () => {
  it("are found", () => expect(lists.length).toBeGreaterThan(50))

  it.each(lists)("of $path take limit and offset [A8]", ({ query }) => {
    expect(query).toEqual(expect.arrayContaining(["limit", "offset"]))
  })

  // A timeline has more entries than periods, and what is read on by a cursor alone has no total.
  const counted = lists.filter(({ path, fields }) => !path.endsWith("/timeline") && fields[1] !== "next_cursor")

  it.each(counted)("of $path say total, offset and limit", ({ fields }) => {
    expect(fields).toEqual(expect.arrayContaining(["total", "offset", "limit"]))
  })
})
