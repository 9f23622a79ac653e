import type { JsonSchema, Resolve } from "./json-schema.ts"

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly schema: JsonSchema
}

/** A route as its OpenAPI document describes it. */
export interface Operation {
  readonly method: string
  /** From the root of the host, with its parameters in braces. */
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: JsonSchema | null
  /** The schema of the JSON of each status; null where a status has none. */
  readonly answers: ReadonlyMap<number, JsonSchema | null>
}

interface Content {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>
}

interface OperationDocument {
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

/** An OpenAPI document, as far as it is read here. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationDocument>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Content>>
  }
}

const schemaIn = (content: Content | undefined): JsonSchema | null =>
  content?.content?.["application/json"]?.schema ?? null

const isRooted = (path: string) => path.startsWith("/l/") || path.startsWith("/.well-known/")

/** The operations of a document, and how its references are followed. */
export const readOperations = (document: ApiDocument) => {
  const methods = new Set(["get", "post", "put", "patch", "delete"])
  const answerSchema = (answer: Content): JsonSchema | null =>
    schemaIn(answer.$ref === undefined ? answer : document.components.responses[answer.$ref.split("/").at(-1) ?? ""])
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod)
      .filter(([method]) => methods.has(method))
      .map(
        ([method, { parameters = [], requestBody, responses }]): Operation => ({
          method: method.toUpperCase(),
          path: isRooted(path) ? path : `/v1${path}`,
          parameters,
          body: schemaIn(requestBody),
          answers: new Map(Object.entries(responses).map(([status, one]) => [Number(status), answerSchema(one)])),
        }),
      ),
  )
  const resolve: Resolve = (schema) => {
    const name = schema.$ref?.split("/").at(-1)
    return name === undefined ? schema : resolve(document.components.schemas[name] ?? {})
  }
  return { operations, resolve }
}
