import type { JsonObject } from "@hearth/core"
import type { UserFixture } from "./contract-fixtures.ts"
import { fieldCases } from "./field-cases.ts"

const p = (value: JsonObject[string]): UserFixture => ({ user: { properties: { p: value } } })

/** Users with a property of every type. */
export const property = fieldCases(
  "properties.p",
  {
    text: p("Hello 100%_\\ Ärger"),
    digits: p("5"),
    number: p(5),
    huge: p(1e308),
    time: p("2026-03-01T10:00:00.0009+01:00"),
    day: p("2026-02-20"),
    noDay: p("2026-02-29"),
    flag: p(true),
    list: p(["a", 5, true, null, ["b"]]),
    object: p({ a: 5, p: "a" }),
    nothing: p(null),
    absent: {},
  },
  [
    ["exists", undefined, "text", "digits", "number", "huge", "time", "day", "noDay", "flag", "list", "object"],
    ["exists", null, "text", "digits", "number", "huge", "time", "day", "noDay", "flag", "list", "object"],
    ["exists", true, "text", "digits", "number", "huge", "time", "day", "noDay", "flag", "list", "object"],
    ["eq", 5, "number"],
    ["eq", "5", "digits"],
    ["eq", true, "flag"],
    ["eq", false],
    ["eq", 1e308, "huge"],
    ["eq", "hello 100%_\\ ärger"],
    ["eq", "Hello 100%_\\ Ärger", "text"],
    ["eq", ""],
    ["contains", "hELLO", "text"],
    ["contains", "0%_\\ äRG", "text"],
    ["contains", "_%"],
    ["contains", ".*"],
    ["contains", "a", "list"],
    ["contains", "A"],
    ["contains", "b"],
    ["contains", 5, "list"],
    ["contains", "5", "digits"],
    ["contains", true, "list"],
    ["contains", false],
    ["contains", "", "text", "digits", "time", "day", "noDay"],
    ["gt", 4.9, "number", "huge"],
    ["gt", 5, "huge"],
    ["gte", 5, "number", "huge"],
    ["lt", 5],
    ["lt", 5.1, "number"],
    ["lte", 5, "number"],
    ["lte", -1e308],
    ["gt", "2026-03-01T08:59:59.999Z", "time"],
    ["gt", "2026-03-01T09:00:00Z"],
    ["gte", "2026-03-01T09:00Z", "time"],
    ["gte", "2026-02-20", "time", "day"],
    ["lt", "2026-03-01T09:00:00.000Z", "day"],
    ["lte", "2026-03-01T09:00:00.000Z", "time", "day"],
    ["lt", "0002-01-01"],
    ["within", "3h", "time"],
    ["within", "179m"],
    ["within", "30d", "time", "day"],
  ],
)

/** Users with a nested property, or with values that look like one. */
export const nested = fieldCases(
  "properties.p.0.a",
  {
    there: p({ 0: { a: "x" } }),
    inList: p([{ a: "x" }]),
    inText: p("x"),
    shallow: p({ 0: "x" }),
    nothing: p({ 0: { a: null } }),
    absent: {},
  },
  [
    ["exists", undefined, "there"],
    ["eq", "x", "there"],
    ["contains", "X", "there"],
  ],
)
