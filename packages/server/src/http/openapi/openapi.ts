import type { AccessKind, Fields, Route, RouteGroup } from "../routing/route.ts"
import { routeFailures } from "../routing/route-failures.ts"
import { type Json, type RouteShapes, readDefault, routeShapes } from "./schemas.ts"

const securitySchemes = {
  ClientKey: { type: "apiKey", in: "header", name: "X-Api-Key", description: "The project's client key." },
  SessionToken: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "A user's session token." },
  DeveloperToken: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "A developer's access token." },
}

const securityOf: Readonly<Record<AccessKind, ReadonlyArray<Json>>> = {
  public: [],
  webhook: [],
  "client-key": [{ ClientKey: [] }],
  client: [{ ClientKey: [], SessionToken: [] }],
  developer: [{ DeveloperToken: [] }],
}

const errorSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "request_id"],
      properties: {
        code: { type: "string", description: "Stable; made for programs." },
        message: { type: "string", description: "Made for people." },
        details: { type: "object", description: "Facts that a caller can act on, where there are any." },
        request_id: { type: "string", description: "The same as in X-Request-Id." },
      },
    },
  },
}

const operationIdOf = (method: string, path: string): string =>
  method.toLowerCase() +
  path.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? "").toUpperCase())

const optionalParameters = (
  location: "query" | "header",
  shapes: Readonly<Record<string, Json>>,
  fields: Fields = {},
): ReadonlyArray<Json> =>
  Object.entries(shapes).map(([name, schema]) => {
    const field = fields[name]
    const { required, fallback } = field === undefined ? { required: false } : readDefault(name, field)
    return {
      name,
      in: location,
      required,
      schema: fallback === undefined ? schema : { ...schema, default: fallback },
    }
  })

const parametersOf = <Core>({ options }: Route<Core>, shapes: RouteShapes): ReadonlyArray<Json> => [
  ...Object.entries(shapes.params).map(([name, schema]) => ({ name, in: "path", required: true, schema })),
  ...optionalParameters("query", shapes.query, options.query),
  ...optionalParameters("header", shapes.headers, options.headers),
]

const redirectResponse = {
  description: "Redirect",
  headers: { Location: { required: true, schema: { type: "string", format: "uri" } } },
}

const successesOf = <Core>(
  { options: { returns } }: Route<Core>,
  { answer }: RouteShapes,
): Readonly<Record<string, Json>> => {
  const types =
    answer === null
      ? returns.types.map((type) => [type, { schema: { type: "string" } }])
      : [["application/json", { schema: answer }]]
  const content =
    types.length === 0 ? { description: "Done" } : { description: "Success", content: Object.fromEntries(types) }
  const response = returns.redirects ? redirectResponse : content
  return Object.fromEntries(returns.statuses.map((status) => [String(status), response]))
}

const errorsOf = <Core>(route: Route<Core>): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    [...routeFailures(route)].map(([status, codes]) => {
      const code = { enum: [...codes.keys()] }
      const narrowed = { type: "object", properties: { error: { type: "object", properties: { code } } } }
      const schema = { allOf: [{ $ref: "#/components/schemas/Error" }, narrowed] }
      const description = [...codes].map(([name, sentence]) => `\`${name}\`: ${sentence}`).join("\n\n")
      return [String(status), { description, content: { "application/json": { schema } }, "x-error-codes": code.enum }]
    }),
  )

const requestBodyOf = <Core>({ options }: Route<Core>, { body }: RouteShapes): Json | undefined => {
  if (options.body === undefined) return undefined
  return { required: options.optionalBody !== true, content: { "application/json": { schema: body ?? {} } } }
}

const operation = <Core>(route: Route<Core>, tag: string, shapes: RouteShapes): Json => {
  const { method, path, options } = route
  const requestBody = requestBodyOf(route, shapes)
  return {
    operationId: operationIdOf(method, path),
    summary: options.summary,
    tags: [tag],
    // The default is the server of the whole document, `/v1`.
    ...(options.base === "root" ? { servers: [{ url: "/" }] } : undefined),
    security: securityOf[options.access],
    parameters: parametersOf(route, shapes),
    ...(requestBody === undefined ? undefined : { requestBody }),
    responses: { ...successesOf(route, shapes), ...errorsOf(route) },
  }
}

/**
 * The OpenAPI 3.1 document of all routes: parameters, bodies, successes and every error with its codes, tagged by feature. Nothing in
 * it is written by hand.
 */
export const openApi = <Core>(groups: ReadonlyArray<RouteGroup<Core>>, version: string): Json => {
  const entries = groups.flatMap(({ title, routes }) => routes.map((route) => ({ title, route })))
  const { shapes, components } = routeShapes(entries.map(({ route }) => route))
  const paths: Record<string, Record<string, Json>> = {}
  for (const [index, { title, route }] of entries.entries()) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}")
    const shape = shapes[index]
    if (shape !== undefined)
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, title, shape) }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Hearth",
      version,
      description: "An engagement backend. Every answer carries `X-Request-Id`; every error has a stable code.",
    },
    servers: [{ url: "/v1" }],
    tags: groups.map(({ title }) => ({ name: title })),
    paths,
    components: { schemas: { ...components, Error: errorSchema }, securitySchemes },
  }
}
