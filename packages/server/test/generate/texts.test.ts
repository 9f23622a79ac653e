import { describe, expect, it } from "vitest"
import { readExamples } from "../../src/http/openapi/examples.ts"
import { openApi } from "../../src/http/openapi/openapi.ts"
import { fieldTexts } from "../../src/http/openapi/texts/fields.ts"
import { parameterTexts } from "../../src/http/openapi/texts/parameters.ts"
import { answerTexts, recordTexts } from "../../src/http/openapi/texts/records.ts"
import { routeGroups, routes } from "../../src/routes/index.ts"

interface Operation {
  readonly summary: string
  readonly parameters: ReadonlyArray<{ readonly name: string }>
  readonly responses: Readonly<Record<string, { readonly description?: string }>>
}

const document = JSON.parse(JSON.stringify(openApi(routeGroups, "1.2.3")))
const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((item) => Object.values(item))

describe("the texts of the reference", () => {
  it.each(routes.map(({ options }) => [options.id, options] as const))("say more of %s than its name", (_, options) => {
    expect(options.description).toMatch(/[.!]$/)
    expect(options.description.length).toBeGreaterThan(25)
    expect(options.description).not.toContain(options.summary)
  })

  it("are there for every parameter, and for none that is not there", () => {
    const named = new Set(operations.flatMap(({ parameters }) => parameters.map(({ name }) => name)))
    expect(Object.keys(parameterTexts).sort()).toEqual([...named].sort())
  })

  it("are there for every record, and for none that is not there", () => {
    expect(Object.keys(recordTexts).sort()).toEqual(Object.keys(document.components.schemas).sort())
  })

  it("are there for every field of a record, and for none that is not there", () => {
    const records = Object.entries<{ readonly properties?: Readonly<Record<string, { description?: string }>> }>(
      document.components.schemas,
    )
    const fields = records.flatMap(([record, { properties = {} }]) =>
      Object.entries(properties).map(([name, { description }]) => ({ record, name, description })),
    )
    expect(fields.filter(({ description = "" }) => !/[.!]$/.test(description))).toEqual([])
    const named = new Set(fields.flatMap(({ record, name }) => [name, `${record}.${name}`]))
    expect(Object.keys(fieldTexts).filter((name) => !named.has(name))).toEqual([])
  })

  it("have an example of every request and every answer", () => {
    const examples = readExamples()
    expect(Object.keys(examples).sort()).toEqual(routes.map(({ options }) => options.id).sort())
    const without = routes.filter(({ options }) => {
      const { request, status, answer, others = {} } = examples[options.id] ?? { status: 0 }
      const answered = [String(status), ...Object.keys(others)].sort()
      const { schema, types, statuses } = options.returns
      const lacksRequest = options.body !== undefined && options.optionalBody !== true && request === undefined
      return (
        lacksRequest ||
        answered.join() !== statuses.toSorted().join() ||
        ((schema !== null || types.length > 0) && answer === undefined)
      )
    })
    expect(without.map(({ options }) => options.id)).toEqual([])
  })

  it("tell no secret, and nothing of the machine on which they were recorded", () => {
    const text = JSON.stringify(readExamples())
    expect(/eyJ[\w-]+\.|pk_\w{20}|canary|\/tmp\/|127\.0\.0\.1|PRIVATE KEY-/.exec(text)).toBeNull()
  })

  it("are there for every answer", () => {
    const answers = operations.flatMap(({ responses }) =>
      Object.values(responses).map(({ description }) => description),
    )
    expect(answers.filter((text) => text?.endsWith("It is done."))).toEqual([])
    const ids = new Set(routes.map(({ options }) => options.id))
    expect(Object.keys(answerTexts).filter((id) => !ids.has(id))).toEqual([])
  })
})
