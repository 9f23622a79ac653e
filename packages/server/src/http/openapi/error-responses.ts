import type { Route } from "../routing/route.ts"
import { routeFailures } from "../routing/route-failures.ts"
import { headersOfAnswer } from "./headers.ts"
import type { Json } from "./plain-schemas.ts"

/** The schema of every error answer [A2]. */
export const errorSchema: Json = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "request_id"],
      properties: {
        code: { type: "string", description: "Stable; made for programs." },
        message: { type: "string", description: "Made for people; it may change." },
        details: {
          type: "object",
          additionalProperties: true,
          description: "Facts that a caller can act on, where there are any.",
        },
        request_id: { type: "string", description: "The same as in `X-Request-Id`: name it when you ask for help." },
      },
    },
  },
}

const toPascalCase = (code: string): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const mostNamed = 3

const nameCodes = (codes: ReadonlyArray<string>): string => {
  const named = codes.slice(0, mostNamed).map(toPascalCase)
  return codes.length > mostNamed ? `${named.join("Or")}OrOthers` : named.join("Or")
}

const describeCodes = (codes: ReadonlyMap<string, string>): string =>
  [...codes].map(([code, sentence]) => `\`${code}\`: ${sentence}`).join("\n\n")

const exampleOf = (codes: ReadonlyMap<string, string>): Json => {
  const [code, message] = [...codes][0] ?? []
  return { error: { code, message, request_id: "00000000-0000-4000-8000-000000000001" } }
}

const errorResponse = (status: number, codes: ReadonlyMap<string, string>, isLimited: boolean): Json => {
  const code = { type: "string", enum: [...codes.keys()] }
  const narrowed = { type: "object", properties: { error: { type: "object", properties: { code } } } }
  return {
    description: describeCodes(codes),
    headers: headersOfAnswer(status, isLimited && status === 429),
    content: {
      "application/json": {
        schema: { allOf: [{ $ref: "#/components/schemas/Error" }, narrowed] },
        example: exampleOf(codes),
      },
    },
    "x-error-codes": code.enum,
  }
}

/** Collects the error answers of all routes: those that are the same are one component, which the routes refer to. */
export const makeErrorResponses = () => {
  const components: Record<string, Json> = {}
  const names = new Map<string, string>()
  const nameOf = (status: number, response: Json, codes: ReadonlyArray<string>): string => {
    const key = `${status} ${JSON.stringify(response)}`
    const known = names.get(key)
    if (known !== undefined) return known
    const wanted = nameCodes(codes)
    let [name, number] = [wanted, 1]
    while (name in components) {
      number += 1
      name = `${wanted}${number}`
    }
    names.set(key, name)
    components[name] = response
    return name
  }
  const ofRoute = <Core>(route: Route<Core>): Readonly<Record<string, Json>> => {
    const isLimited = (route.options.limits ?? []).length > 0
    return Object.fromEntries(
      [...routeFailures(route)].map(([status, codes]) => {
        const name = nameOf(status, errorResponse(status, codes, isLimited), [...codes.keys()])
        return [String(status), { $ref: `#/components/responses/${name}` }]
      }),
    )
  }
  return { components, ofRoute }
}
