import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { as, ask, codeOf, noteId, projectId, sampleApp } from "./sample-app.ts"

const notes = `/v1/admin/projects/${projectId}/notes`

describe("the request id", () => {
  it.each([
    ["/v1/client/export", as.user, 200],
    ["/v1/client/export", as.nobody, 401],
    ["/v1/nothing", as.nobody, 404],
    ["/v1/client/notes", as.nobody, 405],
    ["/health/live", as.nobody, 200],
    ["/docs", as.nobody, 200],
  ])("that %s brings is kept", async (path, headers, status) => {
    const response = await ask(sampleApp().app, "GET", path, {
      headers: { ...headers, "x-request-id": "From.client_1-2" },
    })
    expect([response.status, response.headers.get("x-request-id")]).toEqual([status, "From.client_1-2"])
  })

  it.each(["", "a b", "a/b", "ä", "a,b", "a".repeat(129)])("%j is replaced", async (id) => {
    const response = await ask(sampleApp().app, "GET", "/v1/nothing", { headers: { "x-request-id": id } })
    expect(response.headers.get("x-request-id")).toBe("made-1")
    expect(await response.json()).toMatchObject({ error: { request_id: "made-1" } })
  })
})

describe("an unknown path", () => {
  it.each([
    "/v1",
    "/v1/",
    "/nothing",
    "/v1/<script>",
    "/v1/%zz",
    "/v1/client",
    "//v1/client/notes",
    "/v1/CLIENT/notes",
    "/docs/../x",
  ])("%s is 404 and not in the answer", async (path) => {
    const response = await ask(sampleApp().app, "GET", path, { headers: as.user })
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        error: { code: "NOT_FOUND", message: expect.stringMatching(/^There is no such path\./), request_id: "made-1" },
      },
    ])
  })

  it("is 404 for every method", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "QUERY"]) {
      expect((await ask(sampleApp().app, method, "/v1/nothing")).status).toBe(404)
    }
  })
})

describe("a known path with another method", () => {
  it("is 405 with the methods that it has", async () => {
    const response = await ask(sampleApp().app, "POST", `${notes}/${noteId}`)
    expect([response.status, await codeOf(response)]).toEqual([405, "METHOD_NOT_ALLOWED"])
    expect(response.headers.get("allow")).toBe("PATCH, PUT, DELETE")
  })

  it("has HEAD where it has GET", async () => {
    const response = await ask(sampleApp().app, "DELETE", "/health/live")
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })
})

describe("what cannot be a credential", () => {
  it.each([
    ["a key with a quote", "/v1/client/export", { "x-api-key": "pk_'" }],
    ["a long key", "/v1/client/export", { "x-api-key": "k".repeat(129) }],
    ["two keys", "/v1/client/export", { "x-api-key": "a, a" }],
    ["a long token", "/v1/client/export", { ...as.key, authorization: `Bearer ${"t".repeat(8_193)}` }],
    ["two tokens", notes, { authorization: "Bearer a, Bearer a" }],
    ["a token with a quote", notes, { authorization: "Bearer a'b" }],
    ["a project that is no uuid", "/v1/admin/projects/'/notes", as.owner],
  ])("%s is never looked up", async (_, path, headers) => {
    const asked: Array<string> = []
    const lookUp = (what: string, answer: unknown) => () =>
      Effect.sync(() => {
        asked.push(what)
        return answer
      }) as never
    const access = {
      projectOfKey: lookUp("key", projectId),
      session: lookUp("session", null),
      liveSession: lookUp("session", null),
      developer: lookUp("developer", { developer_id: "d" }),
      liveDeveloper: lookUp("developer", null),
      roleIn: lookUp("role", "owner"),
    }
    const response = await ask(sampleApp({ access }).app, "GET", path, { headers })
    expect([401, 403]).toContain(response.status)
    const good = "x-api-key" in headers ? ["key"] : path === notes ? [] : ["developer"]
    expect(asked).toEqual("authorization" in headers || path !== "/v1/client/export" ? good : [])
  })
})

describe("the order of refusals", () => {
  it("puts the credential before everything that is sent", async () => {
    const headers = { "content-type": "text/plain" }
    expect((await ask(sampleApp().app, "POST", notes, { headers, body: "x".repeat(300_000) })).status).toBe(401)
  })

  it("puts type before size before content", async () => {
    const { app } = sampleApp()
    const long = "{".repeat(300_000)
    const send = async (type: string, body: string) =>
      (await ask(app, "POST", notes, { headers: { ...as.owner, "content-type": type }, body })).status
    expect(await send("text/plain", long)).toBe(415)
    expect(await send("application/json", long)).toBe(413)
    expect(await send("application/json", "{".repeat(200_000))).toBe(400)
  })

  it("puts a malformed id before the body", async () => {
    const response = await ask(sampleApp().app, "PATCH", `${notes}/x`, { headers: as.owner, body: "{" })
    expect([response.status, await codeOf(response)]).toEqual([404, "NOT_FOUND"])
  })
})

describe("a body", () => {
  const send = (body: string | Uint8Array | ReadableStream, headers = {}) =>
    ask(sampleApp().app, "POST", "/v1/client/notes", { headers: { ...as.key, ...headers }, body })

  it.each([
    "application/json",
    "Application/JSON; charset=UTF-8",
    'application/json;charset="utf-8"',
    "application/problem+json",
  ])("of type %s is accepted", async (type) => {
    expect((await send("{}", { "content-type": type })).status).toBe(200)
  })

  it("of a type that is as long as one likes is refused at once", async () => {
    const response = await send("{}", { "content-type": `application/json${" ".repeat(1_000_000)}x` })
    expect([response.status, await codeOf(response)]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
  })

  it("without a type is read as JSON", async () => {
    expect((await send(new TextEncoder().encode("{}"))).status).toBe(200)
  })

  it("may be as large as its route says, and no byte larger", async () => {
    const sized = (size: number) => `"${"x".repeat(size - 2)}"`
    expect((await send(sized(1024 * 1024))).status).toBe(200)
    expect((await send(sized(1024 * 1024 + 1))).status).toBe(413)
  })

  it("without an end is read to the limit only", async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    expect((await send(endless)).status).toBe(413)
    expect(sent).toBeLessThan(2 * 1024 * 1024)
  })

  it("with a length that is over the limit is not read at all", async () => {
    const unread = new ReadableStream(
      {
        pull: () => {
          throw new Error("read")
        },
      },
      { highWaterMark: 0 },
    )
    const response = await send(unread, { "content-length": "1048577" })
    expect([response.status, await codeOf(response)]).toEqual([413, "PAYLOAD_TOO_LARGE"])
  })

  it("that ends early is 400", async () => {
    let chunks = 0
    const cut = new ReadableStream({
      pull: (controller) =>
        chunks++ === 0 ? controller.enqueue(new Uint8Array([0x7b])) : controller.error(new Error("cut")),
    })
    expect((await send(cut)).status).toBe(400)
  })

  it.each([
    ["32 levels", `${"[".repeat(32)}1${"]".repeat(32)}`],
    ["brackets in strings", JSON.stringify({ a: '[{"\\'.repeat(100) })],
    ["escaped quotes before brackets", `{"a":"\\\\","b":"\\"${"[".repeat(50)}"}`],
    ["a surrogate pair", '{"a":"\\ud83d\\ude00"}'],
    ["a backslash before u0000", '{"a":"\\\\u0000"}'],
    ["the largest number", '{"a":1.7976931348623157e308,"b":-1e-400,"c":1e000}'],
    ["hostile keys", '{"__proto__":{"x":1},"constructor":1,"toString":2,"hasOwnProperty":3}'],
    [
      "100,000 keys",
      JSON.stringify(Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`k${index}`, 1]))),
    ],
    ["a million digits", `{"a":0.${"1".repeat(1_000_000)}}`],
  ])("with %s is accepted", async (_, body) => {
    expect((await send(body)).status).toBe(200)
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined()
  })
})

describe("limits", () => {
  const login = (app: ReturnType<typeof sampleApp>["app"], headers = {}, body: unknown = { title: "t" }) =>
    ask(app, "POST", "/v1/auth/notes/login", { headers, body })

  it("are in the headers of every answer", async () => {
    const response = await login(sampleApp().app)
    expect(
      ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map((name) => response.headers.get(name)),
    ).toEqual(["3", "2", "42"])
    expect(response.headers.has("retry-after")).toBe(false)
  })

  it("refuse further calls before the body is read", async () => {
    const { app, core } = sampleApp()
    for (const status of [200, 200, 400])
      expect((await login(app, {}, status === 200 ? { title: "t" } : {})).status).toBe(status)
    const response = await login(app, { "content-type": "text/plain" })
    expect([response.status, await codeOf(response)]).toEqual([429, "RATE_LIMIT_EXCEEDED"])
    expect([response.headers.get("retry-after"), response.headers.get("ratelimit-remaining")]).toEqual(["42", "0"])
    expect(core.calls).toHaveLength(2)
  })

  it("count per route and address, and ignore forged addresses", async () => {
    const { app, limiter } = sampleApp()
    await login(app, { "x-forwarded-for": "1.2.3.4" })
    await login(app, { "x-forwarded-for": "5.6.7.8" })
    expect(limiter.keys.size).toBe(1)
    const behindProxy = sampleApp({ trustProxy: 1 })
    await login(behindProxy.app, { "x-forwarded-for": "6.6.6.6, 1.2.3.4" })
    await login(behindProxy.app, { "x-forwarded-for": "7.7.7.7, 1.2.3.4" })
    expect([...behindProxy.limiter.keys]).toEqual(["POST /auth/notes/login 1.2.3.4"])
  })

  it("count a whole IPv6 network as one", async () => {
    const { app, limiter } = sampleApp({ trustProxy: 1 })
    await login(app, { "x-forwarded-for": "2001:db8:1:2::1" })
    await login(app, { "x-forwarded-for": "2001:db8:1:2:ffff::2" })
    expect([...limiter.keys]).toEqual(["POST /auth/notes/login 2001:db8:1:2::/64"])
  })

  it("do not apply to other routes", async () => {
    expect((await ask(sampleApp().app, "GET", notes, { headers: as.viewer })).headers.has("ratelimit-limit")).toBe(
      false,
    )
  })
})
