import { type Comparison, type FieldTarget, type FieldTest, timestampPattern } from "@hearth/core/segments"
import type { Bindings } from "../sql/bindings.ts"
import { containsPattern } from "./contains-pattern.ts"

/** The SQL of comparisons. */
export const sqlComparisons: Readonly<Record<Comparison | "neq", string>> = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
}

type Kind = FieldTarget["kind"]
type Bind = Bindings["bind"]

const isOfType = (property: string, type: string) => `jsonb_typeof(${property}) = '${type}'`
const textOf = (property: string) => `(${property} #>> '{}')`

// Text that matches the pattern can be cast without an error; CASE keeps the cast from other text.
const instantOf = (kind: Kind, sql: string, bind: Bind): string => {
  if (kind !== "property") return sql
  const text = textOf(sql)
  return `case when ${isOfType(sql, "string")} and ${text} ~ ${bind(timestampPattern, "text")}
    then regexp_replace(${text}, '([.][0-9]{3})[0-9]+', '\\1')::timestamptz end`
}

const contains = (kind: Kind, sql: string, value: string | number | boolean, bind: Bind): string => {
  if (kind === "list") return `${sql} @> ${bind(JSON.stringify([{ provider: value }]), "jsonb")}`
  const inText = (text: string) => `${text} ~ ${bind(containsPattern(String(value)), "text")}`
  if (kind !== "property") return inText(sql)
  const inArray = `${isOfType(sql, "array")} and ${sql} @> ${bind(JSON.stringify(value), "jsonb")}`
  return typeof value === "string" ? `${inArray} or ${isOfType(sql, "string")} and ${inText(textOf(sql))}` : inArray
}

const is = (kind: Kind, sql: string, value: string | number | boolean, bind: Bind): string => {
  if (kind === "property") return `${sql} = ${bind(JSON.stringify(value), "jsonb")}`
  return `${sql} = ${bind(value, typeof value === "boolean" ? "boolean" : "text")}`
}

/** A test of the value of `sql`, as SQL that may be null where something is missing. Raises no error for any property. */
export const fieldTestSql = (kind: Kind, sql: string, test: FieldTest, now: Date, bind: Bind): string => {
  switch (test.kind) {
    case "exists":
      return kind === "property" ? `jsonb_typeof(${sql}) <> 'null'` : `${sql} is not null`
    case "is":
      return is(kind, sql, test.value, bind)
    case "contains":
      return contains(kind, sql, test.value, bind)
    case "number":
      return kind === "property"
        ? `${isOfType(sql, "number")} and ${sql} ${sqlComparisons[test.op]} ${bind(JSON.stringify(test.value), "jsonb")}`
        : `${sql} ${sqlComparisons[test.op]} ${bind(test.value, "numeric")}`
    case "instant":
      return `${instantOf(kind, sql, bind)} ${sqlComparisons[test.op]} ${bind(test.at, "timestamptz")}`
    case "within": {
      const since = new Date(now.getTime() - test.millis)
      return `${instantOf(kind, sql, bind)} between ${bind(since, "timestamptz")} and ${bind(now, "timestamptz")}`
    }
  }
}
