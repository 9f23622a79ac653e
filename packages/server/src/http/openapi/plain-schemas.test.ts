import { describe, expect, it } from "vitest"
import { simplifySchema } from "./plain-schemas.ts"

describe("schemas of the document", () => {
  it.each([
    [
      "a text or null",
      { anyOf: [{ type: "string", maxLength: 9 }, { type: "null" }] },
      { type: ["string", "null"], maxLength: 9 },
    ],
    [
      "one of some texts or null",
      { anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }], description: "either" },
      { type: ["string", "null"], enum: ["a", "b", null], description: "either" },
    ],
    [
      "a record or null",
      { anyOf: [{ $ref: "#/components/schemas/Note" }, { type: "null" }] },
      { anyOf: [{ $ref: "#/components/schemas/Note" }, { type: "null" }] },
    ],
    [
      "a choice of three",
      { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
      { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
    ],
    [
      "any whole number",
      { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      { type: "integer" },
    ],
    ["a count", { type: "integer", minimum: 0, maximum: 5 }, { type: "integer", minimum: 0, maximum: 5 }],
    ["a free-form object", { type: "object" }, { type: "object", additionalProperties: true }],
    [
      "a free-form object or null",
      { anyOf: [{ type: "object" }, { type: "null" }] },
      { type: ["object", "null"], additionalProperties: true },
    ],
    [
      "a map",
      { type: "object", additionalProperties: { type: "number" } },
      { type: "object", additionalProperties: { type: "number" } },
    ],
    ["an array of anything", { type: "array" }, { type: "array", items: {} }],
    [
      "a record, whose fields may be called like keywords",
      { type: "object", properties: { type: { type: "object" }, enum: { type: "array" } }, additionalProperties: true },
      {
        type: "object",
        properties: { type: { type: "object", additionalProperties: true }, enum: { type: "array", items: {} } },
      },
    ],
  ])("describe %s", (_, schema, expected) => {
    expect(simplifySchema(schema)).toEqual(expected)
  })
})
