import { expect, it } from "vitest"
import { copy } from "../src/memory/copy.ts"

it.each([
  ["null", null],
  ["a row", { id: "1", at: new Date(5), payload: { list: [1, { deep: null }] }, gone: undefined }],
  ["lists with holes filled", [1, undefined, [new Date(7)]]],
  ["a map of rows", new Map([["a", { at: new Date(1) }]])],
  ["a set", new Set([1, 2])],
  ["bytes", new Uint8Array([1, 2, 3])],
  ["a key that names the prototype", JSON.parse('{ "__proto__": { "a": 1 }, "b": 2 }')],
])("copies %s as structuredClone does", (_, value) => {
  const copied = copy(value)
  expect(copied).toStrictEqual(structuredClone(value))
  if (typeof value === "object" && value !== null) expect(copied).not.toBe(value)
})

it("shares nothing with what it copies", () => {
  const row = { at: new Date(5), list: [{ n: 1 }] }
  const copied = copy(row)
  copied.at.setTime(0)
  for (const item of copied.list) item.n = 2
  expect(row).toEqual({ at: new Date(5), list: [{ n: 1 }] })
})

it("refuses what cannot be stored", () => {
  expect(() => copy({ run: () => {} })).toThrow()
})
