import { JsonSchema, Result, Schema, SchemaRepresentation } from "effect"
import type { AnySchema } from "../routing/any-schema.ts"
import { paramFields } from "../routing/handler.ts"
import type { Fields, Route } from "../routing/route.ts"
import { type Json, simplifySchema } from "./plain-schemas.ts"

/** The schemas of one route, ready for the document. */
export interface RouteShapes {
  readonly params: Readonly<Record<string, Json>>
  readonly query: Readonly<Record<string, Json>>
  readonly headers: Readonly<Record<string, Json>>
  readonly body: Json | null
  readonly answer: Json | null
}

// A number or a flag is text in a URL; the document describes the decoded value.
const useDecodedTypes = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const plain = Schema.toType(field)
      return [name, ["Number", "Boolean"].includes(plain.ast._tag) ? (plain as unknown as AnySchema) : field]
    }),
  )

const bodyOf = <Core>({ options: { body, bodyShape } }: Route<Core>): AnySchema | null => {
  if (bodyShape !== undefined) return bodyShape
  if (body === undefined || body === "raw") return null
  return body === "json" ? Schema.Json : body
}

const propertiesOf = (schema: Json): Readonly<Record<string, Json>> =>
  (schema["properties"] ?? {}) as Readonly<Record<string, Json>>

/** Turns the schemas of all routes into JSON Schemas; those with an `identifier` become components and are referred to. */
export const routeShapes = <Core>(routes: ReadonlyArray<Route<Core>>) => {
  const parts = routes.map((route) => [
    Schema.Struct(paramFields(route.path, route.options.params)),
    Schema.Struct(useDecodedTypes(route.options.query ?? {})),
    Schema.Struct(useDecodedTypes(route.options.headers ?? {})),
    bodyOf(route) ?? Schema.Null,
    route.options.returns.schema ?? Schema.Null,
  ])
  const asts = parts.flat().map(({ ast }) => ast)
  const [first, ...others] = asts
  if (first === undefined) return { shapes: [], components: {} }
  const representations = SchemaRepresentation.toRepresentations([first, ...others])
  const document = JsonSchema.toMultiDocumentOpenApi3_1(SchemaRepresentation.toJsonSchemaMultiDocument(representations))
  const shapes = routes.map((route, index): RouteShapes => {
    const own = document.schemas.slice(5 * index, 5 * index + 5).map((schema) => simplifySchema(schema as Json))
    const [params = {}, query = {}, headers = {}, body = {}, answer = {}] = own
    return {
      params: propertiesOf(params),
      query: propertiesOf(query),
      headers: propertiesOf(headers),
      body: bodyOf(route) === null ? null : body,
      answer: route.options.returns.schema === null ? null : answer,
    }
  })
  const components = Object.fromEntries(
    Object.entries(document.definitions).map(([name, schema]) => [name, simplifySchema(schema as Json)]),
  )
  return { shapes, components }
}

/** Whether a query key is required, and its default: found by decoding a query without it. */
export const readDefault = (
  name: string,
  field: AnySchema,
): { readonly required: boolean; readonly fallback?: unknown } => {
  const result = Schema.decodeUnknownResult(Schema.Struct({ [name]: field }))({})
  if (Result.isFailure(result)) return { required: true }
  const fallback = (result.success as Record<string, unknown>)[name]
  return ["string", "number", "boolean"].includes(typeof fallback) ? { required: false, fallback } : { required: false }
}
