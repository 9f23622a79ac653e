import { Validator } from "@seriousme/openapi-schema-validator"
import { describe, expect, it } from "vitest"
import { openApi } from "../../src/http/openapi/openapi.ts"
import { ask, sampleApp } from "./sample-app.ts"
import { sampleGroups, sampleRoutes } from "./sample-routes.ts"

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into by many paths
const document = openApi(sampleGroups, "1.2.3") as any
const operation = (method: string, path: string) => document.paths[path][method]
const notes = "/admin/projects/{projectId}/notes"

describe("the OpenAPI document", () => {
  it("is valid", async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
  })

  it("is served, with the version", async () => {
    const response = await ask(sampleApp().app, "GET", "/openapi.json")
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)))
    expect([document.openapi, document.info.version, document.servers]).toEqual([
      "3.1.0",
      "1.2.3",
      [{ url: "/v1", description: "This service." }],
    ])
  })

  it("has every route", () => {
    const operations = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
    )
    expect(operations.sort()).toEqual(sampleRoutes.map(({ method, path }) => `${method} ${path}`).sort())
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(ids.sort()).toEqual(sampleRoutes.map(({ options }) => options.id).sort())
  })

  it("describes parameters by their decoded types", () => {
    const parameters = operation("get", notes).parameters
    expect(
      parameters.map(({ name, in: location, required }: Record<string, unknown>) => [name, location, required]),
    ).toEqual([
      ["projectId", "path", true],
      ["limit", "query", false],
      ["offset", "query", false],
      ["starred", "query", false],
      ["search", "query", false],
    ])
    expect(parameters[0].schema).toEqual({ type: "string", format: "uuid" })
    expect(parameters[1].schema).toEqual({ type: "integer", minimum: 1, maximum: 1000, default: 50 })
    expect(parameters[3].schema).toEqual({ type: "boolean" })
    const [, since, days] = operation("get", `${notes}/count`).parameters
    expect([since.required, days.required, days.schema.default]).toEqual([true, false, 7])
  })

  it("describes the headers that a route declares", () => {
    const [, key] = operation("post", notes).parameters
    expect(key).toMatchObject({ name: "Idempotency-Key", in: "header", required: false })
    expect(key.schema.maxLength ?? key.schema.allOf).toBeDefined()
  })

  it("refers to the headers of answers", () => {
    const login = operation("post", "/auth/notes/login").responses
    expect(Object.keys(login[200].headers)).toEqual([
      "X-Request-Id",
      "RateLimit-Limit",
      "RateLimit-Remaining",
      "RateLimit-Reset",
      "X-Ignored-Keys",
    ])
    const limited = document.components.responses[login[429].$ref.split("/").at(-1)]
    expect(Object.keys(limited.headers)).toContain("Retry-After")
    for (const { $ref } of Object.values<{ $ref: string }>(limited.headers))
      expect(document.components.headers).toHaveProperty($ref.split("/").at(-1) ?? "")
  })

  it("names another server for routes that are not below /v1", () => {
    expect(operation("get", "/n/{projectId}/{title}").servers).toEqual([{ url: "/" }])
    expect(operation("get", "/.well-known/notes").servers).toEqual([{ url: "/" }])
    expect(operation("get", notes).servers).toBeUndefined()
  })

  it("describes where a redirect leads to, which has no body", () => {
    const answer = operation("get", "/client/links/{title}").responses[302]
    expect(answer.headers["Location"]).toEqual({ $ref: "#/components/headers/Location" })
    expect(answer.content).toBeUndefined()
  })

  it("names the schemas of bodies and answers", () => {
    const { requestBody, responses, tags, security } = operation("post", notes)
    expect(requestBody).toEqual({
      required: true,
      content: { "application/json": { schema: { $ref: "#/components/schemas/NewNote" } } },
    })
    expect(responses[201].content["application/json"].schema.properties.data).toEqual({
      $ref: "#/components/schemas/Note",
    })
    expect(document.components.schemas.NewNote.required).toEqual(["title"])
    expect([tags, security]).toEqual([["Notes"], [{ DeveloperToken: [] }]])
    expect(Object.keys(document.components.schemas).sort()).toEqual([
      "Deleted",
      "Error",
      "NewNote",
      "Note",
      "NoteChanges",
    ])
  })

  it("describes optional bodies, lists, downloads and empty answers", () => {
    expect(operation("patch", `${notes}/{noteId}`).requestBody.required).toBe(false)
    expect(Object.keys(operation("get", notes).responses[200].content["application/json"].schema.properties)).toEqual([
      "data",
      "total",
      "offset",
      "limit",
    ])
    expect(operation("get", "/client/export").responses[200].content).toEqual({
      "text/csv; charset=utf-8": { schema: { type: "string" } },
    })
    expect(operation("delete", "/admin/notes").responses[204].content).toBeUndefined()
    expect(Object.keys(operation("put", `${notes}/{noteId}`).responses)).toEqual(expect.arrayContaining(["200", "201"]))
  })

  it.each([
    [
      "post",
      notes,
      {
        400: ["INVALID_INPUT", "INVALID_BODY", "UNKNOWN_PARAMETER"],
        401: ["UNAUTHORIZED"],
        403: ["FORBIDDEN"],
        404: ["NOT_FOUND"],
        409: ["NOTE_EXISTS"],
        413: ["PAYLOAD_TOO_LARGE"],
        415: ["UNSUPPORTED_MEDIA_TYPE"],
        500: ["CREATE_FAILED"],
        502: ["TENANT_UNAVAILABLE"],
        503: ["TENANT_BUSY", "SERVICE_UNAVAILABLE"],
      },
    ],
    [
      "get",
      notes,
      {
        400: ["INVALID_INPUT", "INVALID_LIMIT", "INVALID_OFFSET", "UNKNOWN_PARAMETER"],
        401: ["UNAUTHORIZED"],
        403: ["FORBIDDEN"],
        404: ["NOT_FOUND"],
        409: ["NOTE_EXISTS"],
        500: ["INTERNAL_ERROR"],
        502: ["TENANT_UNAVAILABLE"],
        503: ["TENANT_BUSY", "SERVICE_UNAVAILABLE"],
      },
    ],
    [
      "get",
      "/client/notes/{noteId}",
      {
        400: ["INVALID_ID", "INVALID_INPUT", "INVALID_SINCE", "UNKNOWN_PARAMETER"],
        401: ["UNAUTHORIZED", "INVALID_TOKEN"],
        404: ["NOT_FOUND"],
        409: ["NOTE_EXISTS"],
        500: ["INTERNAL_ERROR"],
        502: ["TENANT_UNAVAILABLE"],
        503: ["TENANT_BUSY", "SERVICE_UNAVAILABLE"],
      },
    ],
    [
      "post",
      "/auth/notes/login",
      {
        400: ["INVALID_INPUT", "UNKNOWN_PARAMETER"],
        404: ["NOT_FOUND"],
        409: ["NOTE_EXISTS"],
        413: ["PAYLOAD_TOO_LARGE"],
        415: ["UNSUPPORTED_MEDIA_TYPE"],
        429: ["RATE_LIMIT_EXCEEDED"],
        500: ["INTERNAL_ERROR"],
        502: ["TENANT_UNAVAILABLE"],
        503: ["TENANT_BUSY", "SERVICE_UNAVAILABLE"],
      },
    ],
    [
      "post",
      "/webhooks/notes",
      {
        400: ["INVALID_INPUT"],
        404: ["NOT_FOUND"],
        409: ["NOTE_EXISTS"],
        413: ["PAYLOAD_TOO_LARGE"],
        500: ["INTERNAL_ERROR"],
        502: ["TENANT_UNAVAILABLE"],
        503: ["TENANT_BUSY", "SERVICE_UNAVAILABLE"],
      },
    ],
  ])("lists every error of %s %s", (method, path, expected) => {
    const responses = Object.entries<{ readonly $ref?: string }>(operation(method, path).responses)
    const codes = responses.flatMap(([status, { $ref }]) =>
      $ref === undefined
        ? []
        : [[status, document.components.responses[$ref.split("/").at(-1) ?? ""]["x-error-codes"]]],
    )
    expect(Object.fromEntries(codes)).toEqual(expected)
  })
})
