import { Schema } from "effect"
import { describe, expect, it, test } from "vitest"
import { type Column, describeColumns } from "./columns.ts"
import {
  Amount,
  Count,
  Day,
  Email,
  Finite,
  JsonObject,
  Money,
  Name,
  Prose,
  Text,
  Timestamp,
  TimeZone,
  text,
  Uuid,
  Whole,
} from "./schema.ts"

const columnOf = (field: Schema.Constraint): Column | undefined => describeColumns({ fields: { field } })[0]

const words = [
  ["Uuid", Uuid, "uuid"],
  ["Text", Text, "text"],
  ["text(1, 3)", text(1, 3), "text"],
  ["Name", Name, "text"],
  ["Prose", Prose, "text"],
  ["Email", Email, "text"],
  ["TimeZone", TimeZone, "text"],
  ["Timestamp", Timestamp, "instant"],
  ["Day", Day, "day"],
  ["Count", Count, "count"],
  ["Whole", Whole, "whole"],
  ["Amount", Amount, "amount"],
  ["Finite", Finite, "number"],
  ["Money", Money, "money"],
  ["JsonObject", JsonObject, "json"],
  ["a string", Schema.String, "text"],
  ["a flag", Schema.Boolean, "boolean"],
  ["a list", Schema.Array(Text), "json"],
  ["a record", Schema.Struct({ id: Uuid }), "json"],
  ["one of several kinds", Schema.Union([Text, Schema.Boolean]), "json"],
  ["any JSON", Schema.Json, "json"],
] as const

describe("the column of a field", () => {
  test.each(words)("has the kind of its schema: %s", (_, field, kind) => {
    expect(columnOf(field)).toEqual({ name: "field", kind, isNullable: false, values: null })
    expect(columnOf(Schema.NullOr(field))).toEqual({ name: "field", kind, isNullable: true, values: null })
  })

  it("keeps its kind when checks are added", () => {
    expect(columnOf(Count.check(Schema.isGreaterThan(0), Schema.isLessThan(10)))?.kind).toBe("count")
    expect(columnOf(Schema.NullOr(Amount.check(Schema.isLessThan(10)).annotate({ title: "Hours" })))?.kind).toBe(
      "amount",
    )
    expect(columnOf(Uuid.annotate({ description: "Whose it is" }))?.kind).toBe("uuid")
  })

  it("lists the values of literals", () => {
    const values = ["daily", "weekly"]
    expect(columnOf(Schema.Literals(["daily", "weekly"]))).toMatchObject({ kind: "text", isNullable: false, values })
    expect(columnOf(Schema.NullOr(Schema.Literals(["daily", "weekly"])))).toMatchObject({ isNullable: true, values })
    expect(columnOf(Schema.Literal("daily"))?.values).toEqual(["daily"])
    expect(columnOf(Schema.Union([Schema.Literals(["daily"]), Text]))).toMatchObject({ kind: "json", values: null })
    expect(columnOf(Schema.Literals([1, 2]))).toMatchObject({ kind: "json", values: null })
  })

  test.each([
    ["Schema.Int", Schema.Int],
    ["Schema.Finite", Schema.NullOr(Schema.Finite)],
    ["Schema.Number", Schema.Number],
  ])("must be named for a number: %s", (_, field) => expect(() => columnOf(field)).toThrow("say Count"))
})

describe("the columns of a record", () => {
  const Venue = Schema.Struct({ id: Uuid, name: Schema.NullOr(Name), secret: Schema.String })
  const names = (columns: ReadonlyArray<Column>) => columns.map(({ name }) => name)

  it("are its fields in their order, or those that are named in that order", () => {
    expect(names(describeColumns(Venue))).toEqual(["id", "name", "secret"])
    expect(names(describeColumns(Venue, ["name", "id"]))).toEqual(["name", "id"])
    expect(describeColumns(Venue, ["name"])).toEqual([{ name: "name", kind: "text", isNullable: true, values: null }])
    expect(() => describeColumns(Venue, ["place" as "id"])).toThrow("no field place")
  })
})
