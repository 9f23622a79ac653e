import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { JsonObject } from "@hearth/core"
import { countOps, matches, parseRules, type RuleGroup } from "@hearth/core/segments"
import { aUser } from "@hearth/testing"
import { Result } from "effect"
import { describe, expect, it } from "vitest"

const page = readFileSync(join(import.meta.dirname, "../../../../docs/segments.md"), "utf8")
const now = new Date("2026-03-01T12:00:00Z")

const examples = [...page.matchAll(/```json\n([\s\S]+?)```/g)].map(([, json = ""]) => json)

const parse = (rules: unknown): RuleGroup => Result.getOrThrow(parseRules(rules))

type Node = Readonly<Record<string, unknown>>

/** A tree without the short forms: what the page says that they mean. */
const inFull = (node: Node): Node => {
  const { all, any, conditions, where, ...rest } = node
  const given = (all ?? any ?? conditions) as ReadonlyArray<Node> | undefined
  const operator = all === undefined ? (any === undefined ? rest["operator"] : "OR") : "AND"
  if (given !== undefined) return { operator, conditions: given.map(inFull) }
  const op = "event" in rest && !("op" in rest) ? { op: "gte" } : {}
  return { ...op, ...rest, ...(where === undefined ? {} : { where: { operator: "AND", conditions: [where] } }) }
}

describe("the examples of docs/segments.md", () => {
  it("are there", () => expect(examples.length).toBeGreaterThanOrEqual(5))

  it.each(examples)("are valid: %s", (json) => expect(parse(JSON.parse(json))).toEqual(inFull(JSON.parse(json))))
})

const everyOp = [...countOps, "contains", "not_contains", "exists", "not_exists", "within", "not_within"]
const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)

/** The rows of the truth table: the operator, its value, and the result that each cell states for which properties. */
const rows = page
  .slice(page.indexOf("## Truth table"), page.indexOf("## Examples"))
  .split("\n")
  .filter((line) => line.startsWith("| `") && !line.startsWith("| `op`"))
  .map((line) => {
    const [op = "", value = "", ...cells] = line.slice(1, -1).split("|")
    const missing = (cells.at(-1) ?? "").trim()
    const claims = cells.slice(0, -1).flatMap((cell) => {
      const expected = cell.trim().endsWith("true")
      return codes(cell).map((json) => [{ p: JSON.parse(json) } as JsonObject, expected] as const)
    })
    const absent = [{}, { p: null }].map((properties) => [properties, missing === "true"] as const)
    const [json] = codes(value)
    const rule = {
      field: "properties.p",
      op: codes(op)[0] ?? "",
      ...(json === undefined ? {} : { value: JSON.parse(json) }),
    }
    return { rule, claims: [...claims, ...absent] }
  })

describe("the truth table of docs/segments.md", () => {
  it("has every operator", () => {
    expect([...new Set(rows.map(({ rule }) => rule.op))].toSorted()).toEqual(everyOp.toSorted())
    expect(rows.every(({ claims }) => claims.length > 6)).toBe(true)
  })

  it.each(rows)("is true: $rule", ({ rule, claims }) => {
    const rules = parse({ operator: "AND", conditions: [rule] })
    for (const [properties, expected] of claims) {
      const facts = {
        user: aUser({ properties }),
        entitlements: [],
        streaks: new Map(),
        achievements: new Set<string>(),
        xp: 0,
        currencies: new Map<string, number>(),
        events: new Map<string, number>(),
      }
      expect(matches(rules, facts, now), JSON.stringify(properties)).toBe(expected)
    }
  })
})
