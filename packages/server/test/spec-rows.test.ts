import { describe, expect, it } from "vitest"
import { rowFailures } from "../src/http/routing/route-failures.ts"
import { rows } from "../src/rows/index.ts"
import { specLimits, specTable } from "./spec-table.ts"

const wordsOf = (text = "", separator: string | RegExp = /\s+/): ReadonlyArray<string> =>
  text
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== "")

const specRows = wordsOf(specTable, "\n").map((line) => {
  const [head = "", traits, statuses, errors] = line.split("|")
  const [access = "", method = "", path = ""] = wordsOf(head)
  return {
    access,
    method,
    name: `${method} ${path}`,
    path,
    traits: wordsOf(traits),
    statuses: wordsOf(statuses).map(Number),
    errors: wordsOf(errors, ","),
  }
})

type SpecRow = (typeof specRows)[number]

const byAccess: Readonly<Record<string, ReadonlyArray<string>>> = {
  public: [],
  "client-key": ["401 UNAUTHORIZED"],
  client: ["401 UNAUTHORIZED", "401 INVALID_TOKEN"],
  developer: ["401 UNAUTHORIZED"],
}

const byTrait: Readonly<Record<string, ReadonlyArray<string>>> = {
  body: ["413 PAYLOAD_TOO_LARGE", "415 UNSUPPORTED_MEDIA_TYPE"],
  paging: ["400 INVALID_LIMIT", "400 INVALID_OFFSET"],
  limits: ["429 RATE_LIMIT_EXCEEDED"],
}

/** The codes of a row's table, and those that the general rules add to it [A3, A5, A6, A7, A8, A9, B1, B2, B3]. */
const expectedErrors = ({ access, method, path, traits, errors }: SpecRow): ReadonlyArray<string> => {
  const namesBadBody = errors.some((error) => /^400 INVALID_(INPUT|BODY|JSON)$/.test(error))
  const namesBadId = errors.some((error) => /^400 INVALID_((USER|CAMPAIGN)_)?ID$/.test(error))
  const hasOtherIds = path.replace(":projectId", "").includes(":")
  return [
    ...errors,
    ...(byAccess[access] ?? []),
    ...(path.includes(":projectId") ? ["403 FORBIDDEN"] : []),
    ...traits.flatMap((trait) => byTrait[trait] ?? []),
    ...(traits.includes("body") && !namesBadBody ? ["400 INVALID_INPUT"] : []),
    ...(hasOtherIds && !namesBadId ? ["404 NOT_FOUND"] : []),
    ...(method === "PATCH" && path.includes(":") ? ["404 NOT_FOUND"] : []),
    ...(errors.some((error) => error.startsWith("500 ")) ? [] : ["500 INTERNAL_ERROR"]),
    "502 TENANT_UNAVAILABLE",
  ]
}

const rowNamed = (name: string) => rows.find(({ method, path }) => `${method} ${path}` === name)

describe("the rows are those of the spec", () => {
  it("has every row of the spec's tables, and no other", () => {
    const names = rows.map(({ method, path }) => `${method} ${path}`)
    expect([...names].sort()).toEqual(specRows.map(({ name }) => name).sort())
  })

  describe.each(specRows)("$name", (spec) => {
    const row = rowNamed(spec.name)

    it("asks for the credential of its plane, and for a role where the spec says so", () => {
      expect(row?.options.access).toBe(spec.access)
      expect(row?.options.role).toBe(["owner", "viewer"].find((role) => spec.traits.includes(role)))
    })

    it("answers the spec's statuses of success", () => {
      expect([...(row?.options.returns.statuses ?? [])].sort()).toEqual(spec.statuses)
    })

    it("takes a body, pages and limits where the spec says so", () => {
      expect(row?.options.body !== undefined).toBe(spec.traits.includes("body"))
      expect(row?.options.bodyLimit).toBe(spec.traits.includes("2MB") ? 2 * 1024 * 1024 : undefined)
      expect(row?.options.returns.paged).toBe(spec.traits.includes("paging"))
      const limits = (row?.options.limits ?? []).map(({ points, seconds }) => [points, seconds])
      expect(limits).toEqual(specLimits[spec.name] ?? [])
    })

    it("answers the spec's errors with their statuses", () => {
      const answered = row === undefined ? [] : [...rowFailures(row)]
      const errors = answered.flatMap(([status, codes]) => [...codes.keys()].map((code) => `${status} ${code}`))
      expect(errors).toEqual(expect.arrayContaining([...expectedErrors(spec)]))
      expect(errors.filter((error) => error.startsWith("500 "))).toHaveLength(1)
    })
  })
})
