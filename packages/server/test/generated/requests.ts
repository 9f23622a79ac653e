import { someAddress } from "../harness/fixtures.ts"
import { makeValue, type Resolve } from "./json-schema.ts"
import type { Operation } from "./operations.ts"
import type { Random } from "./random.ts"
import type { GeneratedWorld } from "./world.ts"

/** A request to send. */
export interface GeneratedRequest {
  readonly method: string
  /** From the root of the host. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const hostileIds = [
  ...["x", "0", "%00", "..%2f..%2fetc", "%ff", "-1", "null", "%F0%9F%92%99", "a".repeat(300), "{id}", "1%27--", "%25"],
  ...[
    "0190AAAA-BBBB-7CCC-8DDD-EEEEFFFF0000",
    "{0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000}",
    "00000000-0000-0000-0000-000000000000",
  ],
]

const hostileValues: ReadonlyArray<unknown> = [
  ...[null, "", 0, -1, 1.5, 1e308, 2 ** 63, true, [], {}, [[]], "\u0000", "\ud800", "a\u202eb", "x".repeat(70_000)],
  ...[
    "%",
    "_",
    "\\",
    "'; drop table app_users; --",
    "(((((a+)+)+)+)+$",
    "2026-13-45T99:99:99Z",
    "9999-12-31T23:59:59Z",
  ],
  ...[
    "0000-01-01T00:00:00Z",
    "Mars/Olympus",
    "javascript:alert(1)",
    "http://169.254.169.254/",
    "\r\nX-A: b",
    "=1+1",
    "🦊",
  ],
  ...[{ __proto__: { a: 1 } }, { constructor: { prototype: 1 } }, Array(600).fill(0), { a: { b: { c: "d" } } }],
]

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`

const hostileBodies = [
  ...["", " ", "null", "[]", "1", '"text"', "{", "{'a':1}", '{"a":1e400}', '{"__proto__":{"a":1}}', "\ufeff{}", "[1,2"],
  ...[deep(33), deep(20_000), `{"a":${deep(31)}}`, '{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"a":1,"a":2}', "NaN"],
  `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join()}}`,
  `{"name":"${"x".repeat(300_000)}"}`,
]

const hostileQueries = [
  "%",
  "%00",
  "%ff",
  "-1",
  "0",
  "1001",
  "1e3",
  "99999999999999999999",
  "null",
  "%F0%9F%92%99",
  "%5C",
  "a".repeat(400),
]

const wrongTokens = [
  "Bearer x",
  "Bearer ",
  "Basic YTpi",
  "Bearer eyJhbGciOiJub25lIn0.e30.",
  `Bearer ${"a".repeat(5_000)}`,
]

const isClient = (path: string) => path.startsWith("/v1/client/")

// What would take the world away from the requests that follow.
const final = new Set(["DELETE /v1/admin/projects/{projectId}", "DELETE /v1/client/users/me"])
const isFinal = ({ method, path }: Operation) => final.has(`${method} ${path}`)

const makeHeaders = (random: Random, operation: Operation, world: GeneratedWorld): Record<string, string> => {
  const right = isClient(operation.path) ? world.user : world.owner
  if (random.chance(isFinal(operation) ? 0.1 : 0.75)) return { ...right }
  const others = [{}, world.app, world.viewer, world.stranger, ...(isFinal(operation) ? [] : [world.user])]
  const headers: Record<string, string> = { ...random.pick(others) }
  if (random.chance(0.5)) headers["authorization"] = random.pick(wrongTokens)
  if (random.chance(0.2)) headers["x-api-key"] = random.pick(["", "pk_x", "pk_0123456789abcdefghijABCDEFGHIJ01"])
  return headers
}

// Few keys, so that some of them are used again.
const someKeys = ["key-1", "key-2", "k", "", "k".repeat(255), "k".repeat(256), "é"]

const makeDeclaredHeaders = (random: Random, { parameters }: Operation): Record<string, string> =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === "header" && random.chance(0.5))
      .map(({ name }) => [name.toLowerCase(), random.pick(someKeys)]),
  )

const makePath = (random: Random, { path, parameters }: Operation, world: GeneratedWorld): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "projectId" && random.chance(0.93)) return world.projectId
    const known = world.params[name] ?? world.ids
    return random.chance(0.75) ? random.pick(known) : random.pick([...hostileIds, ...world.ids])
  })
  const query = parameters
    .filter((parameter) => parameter.in === "query" && random.chance(0.4))
    .map(({ name, schema }) => {
      const fitting = () => encodeURIComponent(String(makeValue(random, (one) => one, schema, world.ids)))
      return `${name}=${random.chance(0.6) ? fitting() : random.pick(hostileQueries)}`
    })
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`
}

const makeBody = (random: Random, { body }: Operation, resolve: Resolve, world: GeneratedWorld): string | null => {
  if (body === null) return random.chance(0.9) ? null : "{}"
  if (random.chance(0.15)) return random.pick(hostileBodies)
  const made = makeValue(random, resolve, body, world.ids)
  if (typeof made !== "object" || made === null || random.chance(0.6)) return JSON.stringify(made)
  const names = Object.keys(resolve(body).properties ?? {})
  const name = names.length === 0 ? "a" : random.pick(names)
  return JSON.stringify({ ...made, [name]: random.pick(hostileValues) })
}

/** Makes a request of an operation: most are nearly right, so that they reach what lies behind the first check. */
export const generateRequest = (
  random: Random,
  operation: Operation,
  resolve: Resolve,
  world: GeneratedWorld,
): GeneratedRequest => {
  const body = operation.method === "GET" ? null : makeBody(random, operation, resolve, world)
  const type = random.chance(0.97) ? "application/json" : random.pick(["text/plain", "application/xml", "", "a/b; c"])
  return {
    method: operation.method,
    path: makePath(random, operation, world),
    headers: {
      ...makeHeaders(random, operation, world),
      ...makeDeclaredHeaders(random, operation),
      ...someAddress(),
      ...(body === null ? {} : { "content-type": type }),
    },
    body,
  }
}
