import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { type Fields, fullPath, paramNames, type Route } from "../../src/http/routing/route.ts"

/** A service whose routes are tested, with valid credentials. */
export interface RefusalWorld {
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly projectId: string
  readonly clientKey: string
  readonly sessionToken: string
  /** The access token of an owner of the project. */
  readonly developerToken: string
  /** The access token of a developer who is no member, where there is one. */
  readonly strangerToken?: string
  /** Counts the calls of use cases, where that is possible: a refused call must not add to it. */
  readonly effects?: () => number
}

/** What is sent. */
interface Call {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array | null
}

/** How a valid call is changed so that it must be refused, and the expected error. */
interface Refusal {
  readonly name: string
  readonly status: number
  readonly code: string
  readonly change: (call: Call, world: RefusalWorld) => Call
}

type AnyRoute = Route<never>

const someId = "0190aaaa-bbbb-7ccc-8ddd-ffffffffffff"
const headers =
  (added: Record<string, string>) =>
  (call: Call): Call => ({ ...call, headers: { ...call.headers, ...added } })
const without =
  (...names: ReadonlyArray<string>) =>
  (call: Call): Call => ({
    ...call,
    headers: Object.fromEntries(Object.entries(call.headers).filter(([name]) => !names.includes(name))),
  })
const path =
  (from: string, to: string) =>
  (call: Call): Call => ({ ...call, path: call.path.replace(from, to) })
const query =
  (text: string) =>
  (call: Call): Call => ({ ...call, path: `${call.path}${call.path.includes("?") ? "&" : "?"}${text}` })
const body =
  (sent: string | Uint8Array) =>
  (call: Call): Call => ({ ...call, body: sent })

/** The keys of a query that must be there. */
const requiredKeys = (declared: Fields = {}): ReadonlyArray<string> =>
  Object.entries(declared)
    .filter(([name, field]) => Result.isFailure(Schema.decodeUnknownResult(Schema.Struct({ [name]: field }))({})))
    .map(([name]) => name)

/** The value of a path parameter in a valid call. */
const validParam = (name: string, world: RefusalWorld, samples: Samples): string =>
  name === "projectId" ? world.projectId : (samples[name] ?? someId)

/** The value of a key of the query in a valid call. */
const validKey = (name: string, world: RefusalWorld, samples: Samples): string =>
  name === "project_id" ? world.projectId : (samples[name] ?? "")

/** A call with the credentials, parameters and required query keys of a route. */
const validCall = (route: AnyRoute, world: RefusalWorld, samples: Samples): Call => {
  const { method, path, options } = route
  const filled = paramNames(path).reduce(
    (text, name) => text.replace(`:${name}`, validParam(name, world, samples)),
    fullPath(route),
  )
  const key = { "x-api-key": world.clientKey }
  const credentials = {
    public: {},
    webhook: {},
    "client-key": key,
    client: { ...key, authorization: `Bearer ${world.sessionToken}` },
    developer: { authorization: `Bearer ${world.developerToken}` },
  }[options.access]
  const asked = requiredKeys(options.query).map(
    (name) => `${name}=${encodeURIComponent(validKey(name, world, samples))}`,
  )
  return {
    method,
    path: `${filled}${asked.length === 0 ? "" : `?${asked.join("&")}`}`,
    headers: { ...credentials, ...(options.body === undefined ? {} : { "content-type": "application/json" }) },
    body: options.body === undefined ? null : "{}",
  }
}

const credentialRefusals = ({ path: pattern, options: { access } }: AnyRoute): ReadonlyArray<Refusal> => {
  const refuse = (name: string, code: string, change: Refusal["change"], status = 401) => ({
    name,
    status,
    code,
    change,
  })
  if (access === "public" || access === "webhook") return []
  const keys = [
    refuse("no key", "UNAUTHORIZED", without("x-api-key")),
    refuse("an unknown key", "UNAUTHORIZED", headers({ "x-api-key": `pk_${"0".repeat(32)}` })),
    refuse("a key twice", "UNAUTHORIZED", (call, { clientKey }) =>
      headers({ "x-api-key": `${clientKey}, ${clientKey}` })(call),
    ),
    refuse("an empty key", "UNAUTHORIZED", headers({ "x-api-key": "" })),
    refuse("a key that is no text", "UNAUTHORIZED", headers({ "x-api-key": "pk_'; drop table é" })),
  ]
  if (access === "client-key") return keys
  const bad = access === "client" ? "INVALID_TOKEN" : "UNAUTHORIZED"
  const bearers = [
    refuse("no bearer", "UNAUTHORIZED", without("authorization")),
    refuse("another scheme", "UNAUTHORIZED", headers({ authorization: "Basic dTpw" })),
    refuse("an empty bearer", bad, headers({ authorization: "Bearer " })),
    refuse("a bearer that is no token", bad, headers({ authorization: "Bearer a.b.c" })),
    refuse("an oversize bearer", bad, headers({ authorization: `Bearer ${"a".repeat(9_000)}` })),
    refuse("a bearer twice", bad, (call) =>
      headers({ authorization: `${call.headers["authorization"]}, ${call.headers["authorization"]}` })(call),
    ),
    refuse("the other plane's bearer", bad, (call, { sessionToken, developerToken }) =>
      headers({ authorization: `Bearer ${access === "client" ? developerToken : sessionToken}` })(call),
    ),
  ]
  if (access === "client") return [...keys, ...bearers]
  if (!paramNames(pattern).includes("projectId")) return bearers
  return [
    ...bearers,
    ...["nothing", "%00", "%zz", "..%2f", `%7B${someId}%7D`].map((id) =>
      refuse(`the project ${id}`, "FORBIDDEN", (call, { projectId }) => path(projectId, id)(call), 403),
    ),
    refuse("a project that is not there", "FORBIDDEN", (call, { projectId }) => path(projectId, someId)(call), 403),
    refuse(
      "a stranger",
      "FORBIDDEN",
      (call, { strangerToken, projectId }) =>
        strangerToken === undefined
          ? path(projectId, someId)(call)
          : headers({ authorization: `Bearer ${strangerToken}` })(call),
      403,
    ),
  ]
}

const inputRefusals = (route: AnyRoute, samples: Samples): ReadonlyArray<Refusal> => {
  const { malformed = {}, missing = {}, params = {}, query: declared = {} } = route.options
  // For a developer a malformed project id is refused like a project of others, with the credentials.
  const isId = (name: string) => !(name in params) && (name !== "projectId" || route.options.access !== "developer")
  const ids = paramNames(route.path).filter(isId)
  const keys = Object.keys(declared)
  const statusOf = (code: string) => (code === "NOT_FOUND" ? 404 : 400)
  return [
    ...ids.flatMap((name) =>
      ["nothing", "%00", "%zz", "%ED%A0%80", "..%2f", `%7B${someId}%7D`].map((id) => {
        const code = malformed[name]?.code ?? "NOT_FOUND"
        return {
          name: `${name} ${id}`,
          status: statusOf(code),
          code,
          change: (call: Call, world: RefusalWorld) => path(`/${validParam(name, world, samples)}`, `/${id}`)(call),
        }
      }),
    ),
    ...(["limit", "offset"] as const).flatMap((name) =>
      keys.includes(name)
        ? [
            "",
            "-1",
            "1.5",
            "1e2",
            "+1",
            "0x1",
            "%31%00",
            "9007199254740993",
            "99999999999999999999",
            name === "limit" ? "1001" : "ten",
          ].map((value) => ({
            name: `${name}=${value}`,
            status: 400,
            code: value.includes("%00") ? "INVALID_INPUT" : (malformed[name]?.code ?? `INVALID_${name.toUpperCase()}`),
            change: query(`${name}=${value}`),
          }))
        : [],
    ),
    ...requiredKeys(declared).map((name) => ({
      name: `no ${name}`,
      status: 400,
      code: missing[name]?.code ?? malformed[name]?.code ?? "INVALID_INPUT",
      change: (call: Call) => ({ ...call, path: call.path.replace(/\?.*/, "") }),
    })),
    ...Object.entries(missing).map(([name, { code }]) => ({
      name: `no ${name}, and bad values of the others`,
      status: 400,
      code,
      change: (call: Call) => {
        const others = keys.filter((key) => key !== name).map((key) => `${key}=%2C`)
        return { ...call, path: `${call.path.replace(/\?.*/, "")}?${others.join("&")}` }
      },
    })),
    ...keys.map((name) => ({
      name: `${name} twice`,
      status: 400,
      code: malformed[name]?.code ?? { limit: "INVALID_LIMIT", offset: "INVALID_OFFSET" }[name] ?? "INVALID_INPUT",
      change: query(`${name}=1&${name}=1`),
    })),
    ...(keys.length === 0
      ? []
      : ["%zz=1", "a=%00", "a=%ED%A0%80", "%FF"].map((text) => ({
          name: `?${text}`,
          status: 400,
          code: "INVALID_INPUT",
          change: query(text),
        }))),
  ]
}

const headerRefusals = ({ options: { headers: declared = {} } }: AnyRoute): ReadonlyArray<Refusal> =>
  Object.keys(declared).flatMap((name) =>
    ["", "  ", "k".repeat(256)].map((value) => ({
      name: `${name}: "${value}"`,
      status: 400,
      code: "INVALID_INPUT",
      change: headers({ [name.toLowerCase()]: value }),
    })),
  )

const bodyRefusals = ({ options }: AnyRoute): ReadonlyArray<Refusal> => {
  const { body: rule, invalid, bodyLimit = 256 * 1024, optionalBody } = options
  if (rule === undefined) return []
  const large = [`{"a":"${"x".repeat(bodyLimit)}"}`, "[".repeat(bodyLimit + 1)].map((sent, index) => ({
    name: `a body over the limit, ${index === 0 ? "well-formed" : "ill-formed"}`,
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
    change: body(sent),
  }))
  if (rule === "raw") return large
  const code = invalid?.code ?? "INVALID_INPUT"
  const bad = (name: string, sent: string | Uint8Array) => ({ name, status: 400, code, change: body(sent) })
  const types = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
  ]
  const notObjects =
    rule === "json" ? [] : ["null", "[]", "1", '"text"', "true"].map((sent) => bad(`the body ${sent}`, sent))
  return [
    ...large,
    ...types.map((type) => ({
      name: type,
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
      change: headers({ "content-type": type }),
    })),
    {
      name: "a compressed body",
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
      change: headers({ "content-encoding": "gzip" }),
    },
    ...(optionalBody ? [] : [bad("an empty body", "")]),
    ...(rule !== "json" && Result.isFailure(Schema.decodeUnknownResult(rule)({})) ? [bad("the body {}", "{}")] : []),
    ...notObjects,
    bad("no JSON", "{"),
    bad("a trailing comma", '{"a":1,}'),
    bad("NaN", '{"a":NaN}'),
    bad("a byte-order mark", "\uFEFF{}"),
    bad("UTF-16", new Uint8Array(Buffer.from("{}", "utf16le"))),
    bad("bytes that are no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    bad("33 levels", `${'{"a":'.repeat(33)}1${"}".repeat(33)}`),
    bad("100,000 levels", "[".repeat(100_000)),
    bad("NUL in a value", '{"a":"\\u0000"}'),
    bad("NUL in a key", '{"\\u0000":1}'),
    bad("half a surrogate pair", '{"a":["\\ud800"]}'),
    bad("half a surrogate pair in a key", '{"a":{"\\udfff":1}}'),
    bad("1e400", '{"a":1e400}'),
    bad("-1e+0400", '{"a":[-1e+0400]}'),
    bad("400 digits", `{"a":${"9".repeat(400)}}`),
  ]
}

const methodRefusals = (route: AnyRoute, routes: ReadonlyArray<AnyRoute>): ReadonlyArray<Refusal> => {
  const there = routes.filter((other) => fullPath(other) === fullPath(route)).map(({ method }) => method as string)
  return ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    .filter((method) => !there.includes(method))
    .map((method) => ({
      name: `${method} without credentials`,
      status: 405,
      code: "METHOD_NOT_ALLOWED",
      change: (call) => ({ ...call, method, headers: {}, body: null }),
    }))
}

/** Values, by name, for path parameters that are not uuids and for query keys that must be there. */
export type Samples = Readonly<Record<string, string>>

const check = async (route: AnyRoute, refusal: Refusal, world: RefusalWorld, samples: Samples) => {
  const before = world.effects?.()
  const { method, path, headers, body } = refusal.change(validCall(route, world, samples), world)
  const response = await world.fetch(
    new Request(`http://hearth.test${path}`, { method, headers, body: body as string | null }),
  )
  const answer = (await response.json()) as { error: Record<string, unknown> }
  expect([response.status, answer.error["code"]], JSON.stringify(answer)).toEqual([refusal.status, refusal.code])
  expect(Object.keys(answer)).toEqual(["error"])
  expect(answer.error["message"]).toEqual(expect.any(String))
  expect(answer.error["request_id"]).toBe(response.headers.get("x-request-id"))
  expect(world.effects?.()).toBe(before)
  if (refusal.status === 405) expect(response.headers.get("allow")).toContain(route.method)
}

/**
 * Tests that every route refuses bad credentials, ids, queries, bodies and methods [A4, A5, A6, A8, A9, B1, B2].
 * Routes with limits need a new `world` per call, or a limiter that allows every call.
 */
export const refusals = <Core>(
  name: string,
  routes: ReadonlyArray<Route<Core>>,
  world: () => RefusalWorld,
  samples: Samples = {},
): void => {
  describe(`${name} refuses`, () => {
    const all = routes as unknown as ReadonlyArray<AnyRoute>
    describe.each(all.map((route) => [`${route.method} ${route.path}`, route] as const))("%s", (_, route) => {
      const tried = [
        ...methodRefusals(route, all),
        ...credentialRefusals(route),
        ...inputRefusals(route, samples),
        ...headerRefusals(route),
        ...bodyRefusals(route),
      ]
      it.each(tried.map((refusal) => [refusal.name.slice(0, 80), refusal] as const))("%s", async (_, refusal) => {
        await check(route, refusal, world(), samples)
      })
    })
  })
}
