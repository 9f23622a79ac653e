import { type InputRule, inputRules } from "@hearth/core"
import { Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"
import type { Route } from "../../src/http/routing/route.ts"
import { routeGroups } from "../../src/routes/index.ts"

type AnyRoute = Route<never>

interface Call {
  readonly path: string
  readonly args: ReadonlyArray<unknown>
}

const name = Symbol("name")

/** A value that knows where in a request it is from: `params.userId`. What is spread of it, no longer does. */
const from = (place: string): object =>
  new Proxy(
    {},
    { get: (_, key) => (key === name ? place : typeof key === "symbol" ? undefined : from(`${place}.${key}`)) },
  )

const placeOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? ((value as { readonly [name]?: string })[name] ?? "") : ""

/** What a route's `run` calls. */
const callsOf = ({ options }: AnyRoute): ReadonlyArray<Call> => {
  const calls: Array<Call> = []
  const core = (path: string): object =>
    new Proxy(() => {}, {
      get: (_, key) => core(path === "" ? String(key) : `${path}.${String(key)}`),
      apply: (_target, _this, args) => {
        calls.push({ path, args })
        return Effect.succeed({})
      },
    })
  const call = { core: core(""), method: "GET", host: "", origin: "", address: "", header: () => null }
  const places = Object.fromEntries(["params", "query", "headers", "body", "caller"].map((each) => [each, from(each)]))
  ;(options.run as (call: unknown) => unknown)({ ...call, ...places })
  return calls
}

const rulesOf = (path: string): ReadonlyArray<InputRule> =>
  (path.split(".").reduce<unknown>((rules, key) => (rules as Record<string, unknown> | undefined)?.[key], inputRules) ??
    []) as ReadonlyArray<InputRule>

/** The keys of a route's query that have a default. */
const defaultsOf = (query: Readonly<Record<string, Schema.Constraint>>) =>
  Object.fromEntries(
    Object.entries(query).flatMap(([key, schema]) => {
      const read = Schema.decodeUnknownOption(Schema.Struct({ [key]: schema }) as never)({})
      const value = read._tag === "Some" ? (read.value as Record<string, unknown>)[key] : undefined
      return value === undefined ? [] : [[key, value]]
    }),
  )

/** What the rule of an argument has to be, by where HTTP takes it from; null where nothing follows from that. */
const expected = ({ options }: AnyRoute, place: string): object | null => {
  const [part, key = ""] = place.split(".")
  if (part === "caller" && key.endsWith("_id")) return { kind: "id" }
  if (part === "params" && !Object.hasOwn(options.params ?? {}, key)) return { kind: "id" }
  if (place === "query") return { kind: "options", defaults: defaultsOf(options.query as never) }
  if (place !== "body" || typeof options.body === "string") return null
  return { kind: "record", schema: options.body, isOptional: options.optionalBody ?? false }
}

const cases = routeGroups
  .flatMap(({ routes }) => routes as unknown as ReadonlyArray<AnyRoute>)
  .flatMap((route) => callsOf(route).map((call) => ({ title: `${route.method} ${route.path}`, route, ...call })))

describe("inputs of use cases", () => {
  it.each(cases)("$path reads them as $title does", ({ route, path, args }) => {
    const rules = rulesOf(path)
    for (const [index, arg] of args.entries()) {
      const own = rules[index]
      // Of what else is made of the query, each default is that of the query.
      const defaults = own?.kind === "options" ? own.defaults : {}
      expect(defaultsOf((route.options.query ?? {}) as never)).toMatchObject(defaults)
      const rule = expected(route, placeOf(arg))
      if (rule === null) continue
      const { schema, ...others } = rule as { readonly schema?: unknown }
      expect(own, `argument ${index}`).toMatchObject(others)
      if (schema !== undefined) expect((own as { readonly schema?: unknown }).schema === schema).toBe(true)
    }
  })
})
