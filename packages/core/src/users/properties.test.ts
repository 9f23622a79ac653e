import { describe, expect, it } from "vitest"
import { maxPropertiesBytes, mergeProperties, propertiesBytes } from "./properties.ts"

describe("merging properties (spec: end user)", () => {
  it("replaces at the top level only", () => {
    const before = { plan: "free", address: { city: "Bonn", zip: "53111" }, tags: [1, 2] }
    expect(mergeProperties(before, { plan: "pro", address: { city: "Ulm" }, tags: [] })).toEqual({
      plan: "pro",
      address: { city: "Ulm" },
      tags: [],
    })
  })

  it("keeps null as a value, and every key that is not named", () => {
    expect(mergeProperties({ a: 1, b: 2 }, { b: null })).toEqual({ a: 1, b: null })
    expect(mergeProperties({ a: 1 }, {})).toEqual({ a: 1 })
  })

  it("treats __proto__ and constructor as keys like any other", () => {
    const merged = mergeProperties(JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"constructor":2,"__proto__":3}'))
    expect(JSON.stringify(merged)).toBe('{"__proto__":3,"constructor":2}')
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined()
  })

  it("leaves both sides as they are", () => {
    const before = Object.freeze({ a: 1 })
    const changes = Object.freeze({ a: 2 })
    mergeProperties(before, changes)
    expect([before, changes]).toEqual([{ a: 1 }, { a: 2 }])
  })
})

describe("the size of properties", () => {
  it("is counted in bytes of UTF-8, as JSON", () => {
    expect(propertiesBytes({})).toBe(2)
    expect(propertiesBytes({ a: "x" })).toBe(9)
    expect(propertiesBytes({ a: "ü" })).toBe(10)
    expect(propertiesBytes({ a: "🎉" })).toBe(12)
    expect(propertiesBytes({ a: '"' })).toBe(10)
  })

  it("may be 64 KB", () => {
    expect(maxPropertiesBytes).toBe(65_536)
    expect(propertiesBytes({ a: "x".repeat(maxPropertiesBytes - 8) })).toBe(maxPropertiesBytes)
  })
})
