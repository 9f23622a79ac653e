import { describe, expect, it } from "vitest"
import { findJsonFault, findRecordFault, withoutUndefined } from "./json-faults.ts"

const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
const circle: Record<string, unknown> = {}
circle["self"] = circle

const kept = [{}, [], null, "", 0, -0.5, true, { a: [{ b: "ü" }] }, nested(32)]

describe("what the JSON of a request cannot have [A9]", () => {
  it.each([
    ["a NUL", { a: ["x\0"] }, "a.0", "must be well-formed Unicode without NUL"],
    ["half a pair", { a: "\ud800" }, "a", "must be well-formed Unicode without NUL"],
    ["a NUL in a key", { a: { "k\0": 1 } }, "a", "must have keys of well-formed Unicode without NUL"],
    ["no number", { a: Number.NaN }, "a", "must be a finite number"],
    ["undefined", { a: undefined }, "a", "must be a JSON value"],
    ["a bigint", { a: 1n }, "a", "must be a JSON value"],
    ["a function", [() => {}], "0", "must be a JSON value"],
    ["an instant", { at: new Date(0) }, "at", "must be a JSON value"],
    ["a map", { a: new Map() }, "a", "must be a JSON value"],
    ["33 levels", nested(33), "", "must be nested at most 32 levels deep"],
    ["a circle", circle, "", "must be nested at most 32 levels deep"],
  ])("is found: %s", (_, value, path, message) => {
    expect(findJsonFault(value)).toEqual({ path, message })
  })

  it.each(kept)("is not in %j", (value) => {
    expect(findJsonFault(value)).toBe(null)
  })

  it("is in a record where its schema does not look: nesting, and text within values", () => {
    const at = { at: new Date(0), name: "x\0", none: undefined }
    expect(findRecordFault({ ...at, metadata: nested(31) })).toBe(null)
    expect(findRecordFault({ ...at, metadata: nested(32) })).toMatchObject({ path: "metadata" })
    expect(findRecordFault({ ...at, metadata: circle })).toMatchObject({ path: "metadata" })
    expect(findRecordFault({ ...at, metadata: { a: "x\0" } })).toMatchObject({ path: "metadata.a" })
    expect(findRecordFault(undefined)).toBe(null)
  })

  it("is in a record where its schema says nothing: anything but JSON within nested values", () => {
    const at = new Date(0)
    expect(findRecordFault({ a: { at }, b: at, c: undefined }, ["b", "c"])).toBe(null)
    expect(findRecordFault({ a: { at } }, ["a"])).toMatchObject({ path: "a.at" })
    const partial = { a: { b: undefined, c: [{ d: undefined }] } }
    expect(findRecordFault(partial, ["a"])).toMatchObject({ path: "a.b" })
    expect(findRecordFault(partial, ["a"], "undefined")).toBe(null)
    expect(withoutUndefined(partial)).toStrictEqual({ a: { c: [{}] } })
    expect(findRecordFault({ a: [undefined] }, ["a"], "undefined")).toMatchObject({ path: "a.0" })
  })
})
