import type { AccessKind, Fields, Route, RouteGroup } from "../routing/route.ts"
import { errorSchema, makeErrorResponses } from "./error-responses.ts"
import { type Example, readExamples } from "./examples.ts"
import { headerComponents, headersOfAnswer } from "./headers.ts"
import { introduction } from "./introduction.ts"
import type { Json } from "./plain-schemas.ts"
import { type RouteShapes, readDefault, routeShapes } from "./schemas.ts"
import { describeSuccess } from "./success-texts.ts"
import { fieldTexts } from "./texts/fields.ts"
import { parameterTexts } from "./texts/parameters.ts"
import { recordTexts } from "./texts/records.ts"

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

const describe = (texts: Readonly<Record<string, string>>, name: string): Json | undefined =>
  texts[name] === undefined ? undefined : { description: texts[name] }

/** The fields of a record with their texts: those of this record's alone, or those of every field of that name. */
const describeFields = (record: string, fields: Readonly<Record<string, Json>> | undefined): Json | undefined =>
  fields && {
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        { ...(describe(fieldTexts, `${record}.${name}`) ?? describe(fieldTexts, name)), ...field },
      ]),
    ),
  }

const describeComponents = (components: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [
      name,
      {
        ...schema,
        ...describeFields(name, schema["properties"] as Readonly<Record<string, Json>> | undefined),
        ...describe(recordTexts, name),
      },
    ]),
  )

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
      ...describe(parameterTexts, name),
    }
  })

const parametersOf = <Core>({ options }: Route<Core>, shapes: RouteShapes): ReadonlyArray<Json> => [
  ...Object.entries(shapes.params).map(([name, schema]) => ({
    ...{ name, in: "path", required: true, schema },
    ...describe(parameterTexts, name),
  })),
  ...optionalParameters("query", shapes.query, options.query),
  ...optionalParameters("header", shapes.headers, options.headers),
]

const contentOf = <Core>(
  { options: { returns } }: Route<Core>,
  { answer }: RouteShapes,
  example: Json | undefined,
): Readonly<Record<string, Json>> | undefined => {
  if (answer !== null) return { "application/json": { schema: answer, ...example } }
  if (returns.types.length === 0) return undefined
  // The journeys ask for the form that comes first.
  return Object.fromEntries(
    returns.types.map((type, at) => [type, { schema: { type: "string" }, ...(at === 0 ? example : undefined) }]),
  )
}

const successesOf = <Core>(
  route: Route<Core>,
  shapes: RouteShapes,
  example: Example | undefined,
): Readonly<Record<string, Json>> => {
  const { returns, limits = [] } = route.options
  return Object.fromEntries(
    returns.statuses.map((status) => {
      const answered = example?.status === status ? example.answer : example?.others?.[status]
      const content = contentOf(route, shapes, answered === undefined ? undefined : { example: answered })
      const answer = {
        description: describeSuccess(route, status, shapes.answer),
        headers: {
          ...headersOfAnswer(status, limits.length > 0),
          ...(shapes.body === null ? undefined : { "X-Ignored-Keys": { $ref: "#/components/headers/IgnoredKeys" } }),
        },
        ...(content === undefined ? undefined : { content }),
      }
      return [String(status), answer]
    }),
  )
}

const requestBodyOf = <Core>(
  { options }: Route<Core>,
  { body }: RouteShapes,
  example: Example | undefined,
): Json | undefined => {
  if (options.body === undefined) return undefined
  const content = { schema: body ?? {}, ...(example?.request === undefined ? undefined : { example: example.request }) }
  return { required: options.optionalBody !== true, content: { "application/json": content } }
}

const operation = <Core>(
  route: Route<Core>,
  tag: string,
  shapes: RouteShapes,
  errors: Readonly<Record<string, Json>>,
  example: Example | undefined,
): Json => {
  const { options } = route
  const requestBody = requestBodyOf(route, shapes, example)
  return {
    operationId: options.id,
    summary: options.summary,
    description: options.description,
    tags: [tag],
    // The default is the server of the whole document, `/v1`.
    ...(options.base === "root" ? { servers: [{ url: "/" }] } : undefined),
    security: securityOf[options.access],
    parameters: parametersOf(route, shapes),
    ...(requestBody === undefined ? undefined : { requestBody }),
    responses: { ...successesOf(route, shapes, example), ...errors },
  }
}

/**
 * The OpenAPI 3.1 document of all routes: parameters, bodies, successes and every error with its codes, tagged by feature.
 */
export const openApi = <Core>(groups: ReadonlyArray<RouteGroup<Core>>, version: string): Json => {
  const entries = groups.flatMap(({ title, routes }) => routes.map((route) => ({ title, route })))
  const { shapes, components } = routeShapes(entries.map(({ route }) => route))
  const { components: responses, ofRoute } = makeErrorResponses()
  const examples = readExamples()
  const paths: Record<string, Record<string, Json>> = {}
  for (const [index, { title, route }] of entries.entries()) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}")
    const shape = shapes[index]
    if (shape === undefined) continue
    const described = operation(route, title, shape, ofRoute(route), examples[route.options.id])
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: described }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Hearth", version, license: { name: "MIT", identifier: "MIT" }, description: introduction },
    servers: [{ url: "/v1", description: "This service." }],
    tags: groups.map(({ title, description }) => ({ name: title, description })),
    paths,
    components: {
      schemas: describeComponents({ ...components, Error: errorSchema }),
      responses,
      headers: headerComponents,
      securitySchemes,
    },
  }
}
