import { describe, expect, it, test } from "vitest"
import type { CellKind, ExportColumns } from "./columns.ts"
import { jsonText } from "./json-text.ts"
import { csvCell, csvHeader, csvLine, failedSectionLine, jsonLine, sectionLine } from "./lines.ts"

describe("a cell of CSV", () => {
  const cells: ReadonlyArray<readonly [CellKind, unknown, string]> = [
    ["text", null, ""],
    ["text", "", '""'],
    ["text", "plain", '"plain"'],
    ["text", 'a "b", c\nd', '"a ""b"", c\nd"'],
    ["text", "=1+1", `"'=1+1"`],
    ["text", "+49", `"'+49"`],
    ["text", "-1", `"'-1"`],
    ["text", "@SUM(A1)", `"'@SUM(A1)"`],
    ["text", "\t=1", `"'\t=1"`],
    ["text", "\r=1", `"'\r=1"`],
    ["text", '="x"', `"'=""x"""`],
    ["text", " =1", '" =1"'],
    ["text", "'=1", `"'=1"`],
    ["uuid", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000", "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"],
    ["instant", new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 60)), "2026-01-02T03:04:05.060Z"],
    ["instant", null, ""],
    ["day", "2026-01-02", "2026-01-02"],
    ["boolean", false, "false"],
    ["count", 3, "3"],
    ["whole", -3, "-3"],
    ["number", -1e-7, "-0.0000001"],
    ["amount", 1e-7, "0.0000001"],
    ["money", -0.0001, "-0.0001"],
    ["money", 900_000_000_000, "900000000000"],
    ["json", { a: "=1" }, '"{""a"": ""=1""}"'],
    ["words", ["ios", "web"], "ios|web"],
    ["words", [], ""],
  ]
  test.each(cells)("%s %j is %s", (kind, value, text) => expect(csvCell(kind, value)).toBe(text))
})

describe("JSON in files", () => {
  const texts: ReadonlyArray<readonly [unknown, string]> = [
    [{ bb: 1, a: [1, { c: null }], "": true }, '{"": true, "a": [1, {"c": null}], "bb": 1}'],
    [{ 10: 1, 9: 2, é: 3, zz: 4 }, '{"9": 2, "10": 1, "zz": 4, "é": 3}'],
    [JSON.parse('{"__proto__": 1}'), '{"__proto__": 1}'],
    ['"\n\u0001é', '"\\"\\n\\u0001é"'],
    [-0, "0"],
    [0.1, "0.1"],
    [-1.5e-9, "-0.0000000015"],
    [1e21, `1${"0".repeat(21)}`],
    [-1.25e22, `-125${"0".repeat(20)}`],
    [5e-324, `0.${"0".repeat(323)}5`],
  ]
  test.each(texts)("%j is %s", (value, text) => expect(jsonText(value)).toBe(text))

  it("parses to the same value", () => {
    for (const [value] of texts) expect(JSON.parse(jsonText(value))).toEqual(value === 0 ? 0 : value)
    expect(JSON.parse(jsonText(1.7976931348623157e308))).toBe(1.7976931348623157e308)
  })
})

describe("lines", () => {
  const columns: ExportColumns = [
    { name: "id", kind: "uuid", isNullable: false },
    { name: "email", kind: "text", isNullable: true },
    { name: "at", kind: "instant", isNullable: false },
    { name: "properties", kind: "json", isNullable: false },
    { name: "platforms", kind: "words", isNullable: false },
    { name: "count", kind: "count", isNullable: false },
    { name: "shift", kind: "whole", isNullable: false },
    { name: "hours", kind: "amount", isNullable: false },
    { name: "price", kind: "money", isNullable: false },
    { name: "is_on", kind: "boolean", isNullable: false },
  ]
  const record = {
    id: "x",
    email: "=1",
    at: new Date(0),
    properties: { a: 1 },
    platforms: ["ios", "web"],
    count: 2,
    shift: -2,
    hours: 1e-7,
    price: -1.5,
    is_on: true,
  }

  it("have the same values in both formats", () => {
    expect(csvHeader(columns)).toBe("id,email,at,properties,platforms,count,shift,hours,price,is_on\n")
    expect(csvLine(columns, record)).toBe(
      `x,"'=1",1970-01-01T00:00:00.000Z,"{""a"": 1}",ios|web,2,-2,0.0000001,-1.5,true\n`,
    )
    expect(JSON.parse(jsonLine(columns, record))).toEqual({ ...record, at: "1970-01-01T00:00:00.000Z" })
    expect(jsonLine(columns, record)).toMatch(/^[^\n]+\n$/)
  })

  it("have null where there is nothing, and only the columns that were named", () => {
    const nothing = Object.fromEntries(columns.map(({ name }) => [name, null]))
    expect(csvLine(columns, nothing)).toBe(",,,,,,,,,\n")
    expect(JSON.parse(jsonLine(columns, { ...nothing, password_hash: "secret" }))).toEqual(nothing)
  })

  it("name their section, also when it could not be read", () => {
    const line = JSON.parse(sectionLine("app_users", columns, record))
    expect(line).toMatchObject({ section: "app_users", data: { id: "x" } })
    expect(JSON.parse(failedSectionLine("push_tokens"))).toEqual({
      section: "push_tokens",
      error: "SECTION_QUERY_FAILED",
      message: expect.stringMatching(/./),
    })
  })
})
