import { type Json, readReference } from "../http/openapi/plain-schemas.ts"
import { readDefault } from "../http/openapi/schemas.ts"
import type { AnySchema } from "../http/routing/any-schema.ts"
import {
  type AccessKind,
  type BodyRule,
  type Fields,
  paramNames,
  type Route,
  type RouteGroup,
} from "../http/routing/route.ts"
import { routeFailures } from "../http/routing/route-failures.ts"
import { linkTo, propertiesOf, table, typeOf } from "./fields.ts"

/** The parts of the OpenAPI document that the page is written from. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

const accessSentences: Readonly<Record<AccessKind, string>> = {
  public: "none",
  webhook: "the provider's secret or signature",
  "client-key": "`X-Api-Key`",
  client: "`X-Api-Key` and a session token",
  developer: "a developer's access token",
}

const credential = <Core>({ path, options: { access, role } }: Route<Core>): string => {
  const member = access === "developer" && paramNames(path).includes("projectId")
  const of = role === undefined ? "a member" : role === "viewer" ? "any member" : `a member with the role \`${role}\``
  return `${accessSentences[access]}${member ? ` of ${of}` : ""}`
}

const spans: Readonly<Record<number, string>> = { 1: "second", 60: "minute", 3600: "hour", 86400: "day" }

const limitsOf = <Core>({ options: { limits = [] } }: Route<Core>): ReadonlyArray<string> => {
  const each = limits.map(({ points, seconds }) => `${points} per ${spans[seconds] ?? `${seconds} seconds`}`)
  return each.length === 0 ? [] : [`Limit per address: ${each.join(", ")}`]
}

const fieldsOf = (body: BodyRule | undefined): Fields =>
  body === undefined || typeof body === "string" || !("fields" in body) ? {} : (body.fields as Fields)

const defaultOf = (name: string, field: AnySchema | undefined): string => {
  const { fallback } = field === undefined ? {} : readDefault(name, field)
  return fallback === undefined ? "" : `\`${JSON.stringify(fallback)}\``
}

const inputs = <Core>(
  { options }: Route<Core>,
  operation: Json,
  components: Document["components"],
): ReadonlyArray<string> => {
  const parameters = (operation["parameters"] ?? []) as ReadonlyArray<{
    name: string
    in: string
    required: boolean
    schema: Json
  }>
  const body = (operation["requestBody"] as { content: { "application/json": { schema: Json } } } | undefined)?.content[
    "application/json"
  ].schema
  const shape = body === undefined ? {} : (components.schemas[readReference(body) ?? ""] ?? body)
  const { properties, required } = propertiesOf(shape)
  const declared = fieldsOf(options.bodyShape ?? options.body)
  const rows = [
    ...parameters.map(({ name, in: location, required, schema }) => [
      `\`${name}\``,
      location,
      typeOf(schema),
      required ? "yes" : "",
      defaultOf(name, options.query?.[name]),
    ]),
    ...properties.map(([name, schema]) => [
      `\`${name}\``,
      "body",
      typeOf(schema),
      required.has(name) ? "yes" : "",
      defaultOf(name, declared[name]),
    ]),
  ]
  const free = body !== undefined && properties.length === 0 ? [`Body: ${typeOf(shape)}`] : []
  return [...free, ...(rows.length === 0 ? [] : [table(["Field", "In", "Type", "Required", "Default"], rows)])]
}

const successes = <Core>({ options: { returns } }: Route<Core>, operation: Json): string => {
  const [status = 200] = returns.statuses
  const responses = operation["responses"] as Readonly<Record<string, { content?: Record<string, { schema: Json }> }>>
  const json = responses[status]?.content?.["application/json"]?.schema
  const name = json === undefined ? null : readReference(json)
  const { properties } = propertiesOf(json ?? {})
  const keys = properties.map(([key, schema]) => (key === "data" ? `\`data\`: ${typeOf(schema)}` : `\`${key}\``))
  const shown = name === null ? keys.join(", ") : linkTo(name)
  const location = returns.redirects ? "the address in `Location`" : ""
  const parts = [shown, location, ...returns.types].filter((part) => part !== "")
  return [`Success: ${returns.statuses.join(" or ")}`, ...parts].join(", ")
}

const errors = <Core>(route: Route<Core>): string =>
  `Errors: ${[...routeFailures(route)]
    .map(([status, codes]) => `${status} ${[...codes.keys()].map((each) => `\`${each}\``).join(", ")}`)
    .join("; ")}`

const routeText = <Core>(route: Route<Core>, { paths, components }: Document): string => {
  const operation = paths[route.path.replaceAll(/:(\w+)/g, "{$1}")]?.[route.method.toLowerCase()] ?? {}
  return [
    `### ${route.method} ${route.path}`,
    `${route.options.summary}.${route.options.base === "root" ? " This path is not below `/v1`." : ""}`,
    [`Credential: ${credential(route)}`, ...limitsOf(route)].join(". "),
    ...inputs(route, operation, components),
    successes(route, operation),
    errors(route),
  ].join("\n\n")
}

const recordText = (name: string, schema: Json): string => {
  const { properties, required } = propertiesOf(schema)
  if (properties.length === 0) return `### ${name}\n\nEither ${typeOf(schema)}.`
  const rows = properties.map(([key, property]) => [`\`${key}\``, typeOf(property), required.has(key) ? "" : "yes"])
  return [`### ${name}`, table(["Field", "Type", "May be left out"], rows)].join("\n\n")
}

const head = `# API

Written by \`pnpm generate\` from the routes in \`packages/server/src/routes\`; the running service has the same at \`/docs\`.

Paths are relative to \`/v1\` where a route does not say otherwise. A success is \`{"data": …}\`, a list has \`total\`, \`offset\`
and \`limit\` beside it. An error is \`{"error": {"code", "message", "details", "request_id"}}\`; what its codes mean is in [errors.md](errors.md).
Viewers of a project may only read: every GET, and what any member may. Admins and owners do the rest.`

/** The records that a text links to, and those that these link to. */
const recordsIn = (text: string, schemas: Document["components"]["schemas"]): ReadonlyArray<string> => {
  const texts = new Map(Object.entries(schemas).map(([name, schema]) => [name, recordText(name, schema)]))
  const linked = new Set<string>()
  const visit = (from: string) => {
    for (const [name, record] of texts) {
      if (linked.has(name) || !from.includes(linkTo(name))) continue
      linked.add(name)
      visit(record)
    }
  }
  visit(text)
  return [...texts].filter(([name]) => linked.has(name)).map(([, record]) => record)
}

/** The text of `docs/api.md`: every route under its feature, then the records that the routes answer with. */
export const renderApiPage = <Core>(groups: ReadonlyArray<RouteGroup<Core>>, document: Document): string => {
  const parts = groups.flatMap(({ title, routes }) => [
    `## ${title}`,
    ...routes.map((route) => routeText(route, document)),
  ])
  const text = [head, ...parts].join("\n\n")
  return `${[text, "## Records", ...recordsIn(text, document.components.schemas)].join("\n\n")}\n`
}
