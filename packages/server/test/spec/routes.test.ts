import { describe, expect, it } from "vitest"
import { routeFailures } from "../../src/http/routing/route-failures.ts"
import { routes } from "../../src/routes/index.ts"
import { specLimits, specTable } from "./table.ts"

const wordsOf = (text = "", separator: string | RegExp = /\s+/): ReadonlyArray<string> =>
  text
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== "")

const specRoutes = wordsOf(specTable, "\n").map((line) => {
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

type SpecRoute = (typeof specRoutes)[number]

const byAccess: Readonly<Record<string, ReadonlyArray<string>>> = {
  public: [],
  "client-key": ["401 UNAUTHORIZED"],
  client: ["401 UNAUTHORIZED", "401 INVALID_TOKEN"],
  developer: ["401 UNAUTHORIZED"],
  webhook: [],
}

const byTrait: Readonly<Record<string, ReadonlyArray<string>>> = {
  body: ["413 PAYLOAD_TOO_LARGE", "415 UNSUPPORTED_MEDIA_TYPE"],
  raw: ["413 PAYLOAD_TOO_LARGE"],
  paging: ["400 INVALID_LIMIT", "400 INVALID_OFFSET"],
  limits: ["429 RATE_LIMIT_EXCEEDED"],
}

/** The codes of a route's table, and those that the general rules add [A3, A5, A6, A7, A8, A9, B1, B2, B3]. */
const expectedErrors = ({ access, method, path, traits, errors }: SpecRoute): ReadonlyArray<string> => {
  const namesBadBody = errors.some((error) => /^400 INVALID_(INPUT|BODY|JSON)$/.test(error))
  const namesBadId = errors.some((error) => /^400 INVALID_((USER|CAMPAIGN)_)?ID$/.test(error))
  const isOfMembers = access === "developer" && path.includes(":projectId")
  const hasOtherIds = (isOfMembers ? path.replace(":projectId", "") : path).includes(":")
  return [
    ...errors,
    ...(byAccess[access] ?? []),
    ...(isOfMembers ? ["403 FORBIDDEN"] : []),
    ...traits.flatMap((trait) => byTrait[trait] ?? []),
    ...(traits.includes("body") && !namesBadBody ? ["400 INVALID_INPUT"] : []),
    ...(hasOtherIds && !namesBadId ? ["404 NOT_FOUND"] : []),
    ...(method === "PATCH" && path.includes(":") ? ["404 NOT_FOUND"] : []),
    ...(errors.some((error) => error.startsWith("500 ")) ? [] : ["500 INTERNAL_ERROR"]),
    "502 TENANT_UNAVAILABLE",
    "503 SERVICE_UNAVAILABLE",
  ]
}

const findRoute = (name: string) => routes.find(({ method, path }) => `${method} ${path}` === name)

describe("the routes are those of the spec", () => {
  it("has every route of the spec's tables, and no other", () => {
    const names = routes.map(({ method, path }) => `${method} ${path}`)
    expect([...names].sort()).toEqual(specRoutes.map(({ name }) => name).sort())
  })

  describe.each(specRoutes)("$name", (spec) => {
    const route = findRoute(spec.name)

    it("asks for the credential of its plane, and for a role where the spec says so", () => {
      expect(route?.options.access).toBe(spec.access)
      expect(route?.options.role).toBe(["owner", "viewer"].find((role) => spec.traits.includes(role)))
    })

    it("has the base path that the spec says", () => {
      expect(route?.options.base).toBe(spec.traits.includes("root") ? "root" : undefined)
    })

    it("answers the spec's statuses of success", () => {
      expect([...(route?.options.returns.statuses ?? [])].sort()).toEqual(spec.statuses)
    })

    it("takes a body, pages and limits where the spec says so", () => {
      const isRaw = spec.traits.includes("raw")
      expect(route?.options.body !== undefined).toBe(isRaw || spec.traits.includes("body"))
      expect(route?.options.body === "raw").toBe(isRaw)
      const large = [2, 8].find((megabytes) => spec.traits.includes(`${megabytes}MB`))
      expect(route?.options.bodyLimit).toBe(isRaw ? 1024 * 1024 : large && large * 1024 * 1024)
      expect(route?.options.returns.paged).toBe(spec.traits.includes("paging"))
      const limits = (route?.options.limits ?? []).map(({ points, seconds }) => [points, seconds])
      expect(limits).toEqual(specLimits[spec.name] ?? [])
    })

    it("answers the spec's errors with their statuses", () => {
      const answered = route === undefined ? [] : [...routeFailures(route)]
      const errors = answered.flatMap(([status, codes]) => [...codes.keys()].map((code) => `${status} ${code}`))
      expect(errors).toEqual(expect.arrayContaining([...expectedErrors(spec)]))
      expect(errors.filter((error) => error.startsWith("500 "))).toHaveLength(1)
    })
  })
})
