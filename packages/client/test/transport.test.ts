import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it, vi } from "vitest"
import { type ClientOptions, createAdminClient, type HearthClient, HearthError } from "../src/index.ts"
import { refusal } from "./fake-service.ts"
import { useWorld } from "./world.ts"

const me = "GET /client/users/me"
const spend = "POST /client/currencies/COINS/spend"

const world = useWorld()

const aClient = async (options: Partial<ClientOptions> = {}): Promise<HearthClient> => {
  const client = world.aClient({ url: "http://hearth.test/v1/", ...options })
  await client.signInAnonymously()
  return client
}
const spendWith = (hearth: HearthClient, more: { idempotency_key?: string } = {}, headers = {}) =>
  hearth.api.POST("/client/currencies/{code}/spend", {
    params: { path: { code: "COINS" } },
    body: { amount: 1, reason: "hint", ...more },
    headers,
  })
/** What a promise rejects with, after all waiting. */
const errorOf = async (promise: Promise<unknown>): Promise<HearthError> => {
  const caught = promise.then(
    () => null,
    (error) => error,
  )
  await vi.advanceTimersByTimeAsync(120_000)
  return await caught
}

/** What only a weak reference holds is gone after it. */
const collectGarbage = () => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
}

describe("a client", () => {
  it.each([undefined, "127.0.0.1:8080", "localhost:8080"])("is none without an address: %j", (url) => {
    expect(() => world.aClient({ url: url as string })).toThrow(/^url must be where the service is, like https:/)
    expect(() => createAdminClient({ url: url as string, token: "t" })).toThrow(TypeError)
  })

  it.each(["https://", "http:///v1", "https://hearth.test?app=1", "https://hearth.test/#/", "https://hearth.test "])(
    "is none with an address to which no path can be added: %j",
    (url) => {
      expect(() => world.aClient({ url })).toThrow(/^url must be where the service is, like https:/)
    },
  )

  it("may be of an address relative to the page", () => {
    for (const url of ["", "/backend"]) world.aClient({ url }).close()
  })

  it.each([undefined, ""])("is none without a key: %j", (apiKey) => {
    expect(() => world.aClient({ apiKey: apiKey as string })).toThrow(/^apiKey must be the client key of the project/)
  })
})

describe("a call", () => {
  it("carries the client key and the token, and answers the body", async () => {
    const hearth = await aClient()
    const { userId } = await hearth.signInAnonymously()
    expect(await hearth.api.GET("/client/users/me")).toEqual({ data: { id: userId } })
    const [call] = world.service.calls(me)
    expect(call?.headers.get("x-api-key")).toBe("key")
    expect(call?.token).toMatch(/^h\./)
  })

  it("rejects with what the service has said", async () => {
    const hearth = await aClient()
    world.service.fail(me, refusal(404, "NOT_FOUND", { id: 1 }))
    const error = await errorOf(hearth.me())
    expect(error).toBeInstanceOf(HearthError)
    expect(error).toMatchObject({
      ...{ name: "HearthError", status: 404, code: "NOT_FOUND", message: "It is NOT_FOUND.", requestId: "r1" },
      ...{ details: { id: 1 }, retryAfter: null },
    })
  })

  it("rejects with its status where a proxy has answered", async () => {
    const hearth = await aClient({ retries: 0 })
    world.service.fail(me, new Response("<h1>Bad gateway</h1>", { status: 502 }))
    expect(await errorOf(hearth.me())).toMatchObject({ status: 502, code: "UNKNOWN_ANSWER", requestId: null })
  })

  it.each([
    ["the network fails", "lost"],
    ["the answer is lost", "answer lost"],
    ["there is no answer in time", "no answer"],
    ["the database is busy", refusal(503, "TENANT_BUSY")],
    ["too many have come", refusal(429, "RATE_LIMIT_EXCEEDED", null, { "retry-after": "2" })],
  ] as const)("is repeated when %s, where it reads", async (_what, fault) => {
    const hearth = await aClient()
    world.service.fail(me, fault)
    const answer = hearth.me()
    await vi.advanceTimersByTimeAsync(20_000)
    await answer
    expect(world.service.calls(me)).toHaveLength(2)
  })

  it("is repeated with an idempotency key, and without one never", async () => {
    const hearth = await aClient()
    world.service.fail(spend, "answer lost")
    expect(await errorOf(spendWith(hearth))).toMatchObject({ code: "NETWORK_ERROR", status: 0 })
    expect(world.service.calls(spend)).toHaveLength(1)
    world.service.fail(spend, "answer lost")
    expect(await errorOf(spendWith(hearth, { idempotency_key: "1" }))).toBe(null)
    expect(world.service.calls(spend)).toHaveLength(3)
  })

  it("is repeated with a header that its route reads, and not with one that nobody may read", async () => {
    const hearth = await aClient()
    const header = { "Idempotency-Key": "2" }
    world.service.fail(spend, "answer lost")
    expect(await errorOf(spendWith(hearth, {}, header))).toMatchObject({ code: "NETWORK_ERROR" })
    expect(world.service.calls(spend)).toHaveLength(1)
    const call = { body: {}, params: { header } as object }
    world.service.fail("PATCH /client/users/me", "lost", "lost")
    expect(await errorOf(hearth.api.PATCH("/client/users/me", call))).toBe(null)
    expect(world.service.calls("PATCH /client/users/me")).toHaveLength(3)
  })

  it.each([undefined, null, ""])("is not repeated where the key is %j", async (key) => {
    const hearth = await aClient()
    const call = "PATCH /client/users/me"
    const inHeader = { body: {}, params: { header: { "Idempotency-Key": key } } }
    for (const init of [{ body: { idempotency_key: key } }, { body: { event_id: key } }, inHeader]) {
      world.service.fail(call, "answer lost")
      await errorOf(hearth.api.PATCH("/client/users/me", init as { body: object }))
    }
    expect(world.service.calls(call)).toHaveLength(3)
  })

  it("is not repeated when it is refused", async () => {
    const hearth = await aClient()
    world.service.fail(me, refusal(500, "INTERNAL_ERROR"))
    expect(await errorOf(hearth.me())).toMatchObject({ status: 500 })
    expect(world.service.calls(me)).toHaveLength(1)
  })

  it("waits as long as the service says", async () => {
    const hearth = await aClient()
    world.service.fail(me, refusal(503, "TENANT_BUSY", null, { "retry-after": "7" }))
    const answer = hearth.me()
    await vi.advanceTimersByTimeAsync(6_999)
    expect(world.service.calls(me)).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    await answer
  })

  it("does not wait for minutes, but says how long", async () => {
    const hearth = await aClient()
    world.service.fail(me, refusal(429, "RATE_LIMIT_EXCEEDED", null, { "retry-after": "900" }))
    await expect(hearth.me()).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED", retryAfter: 900 })
    const date = new Date(Date.now() + 900_000).toUTCString()
    world.service.fail(me, refusal(429, "RATE_LIMIT_EXCEEDED", null, { "retry-after": date }))
    await expect(hearth.me()).rejects.toMatchObject({ retryAfter: expect.closeTo(900, -1) })
  })

  it("fails after the third try", async () => {
    const hearth = await aClient()
    world.service.state.isAway = true
    const message = expect.stringMatching(/^The service cannot be reached at http:\/\/hearth\.test\/[^?]+\.$/)
    expect(await errorOf(hearth.me())).toMatchObject({ code: "NETWORK_ERROR", message })
    world.service.state.isAway = false
    world.service.fail(me, "no answer", "no answer", "no answer", "no answer")
    expect(await errorOf(hearth.me())).toMatchObject({ code: "TIMEOUT" })
    expect(world.service.calls(me)).toHaveLength(3)
  })

  it("ends at once when the caller aborts it, with the caller's reason", async () => {
    const hearth = await aClient()
    const { signal, ...controller } = abortable()
    world.service.fail(me, "no answer")
    const answer = hearth.api.GET("/client/users/me", { signal }).catch((error) => error)
    await vi.waitFor(() => expect(world.service.calls(me)).toHaveLength(1))
    collectGarbage()
    controller.abort()
    expect(await answer).toBe("enough")
    await expect(hearth.api.GET("/client/users/me", { signal })).rejects.toBe("enough")
    expect(world.service.calls(me)).toHaveLength(1)
  })
})

describe("a stream", () => {
  const stream = "GET /client/stream"

  it("tells what onEvent has thrown, and brings the event again, later each time", async () => {
    const hearth = await aClient()
    const blocks = "event: open\ndata: {}\n\nevent: xp\nid: 7\ndata: {}\n\n"
    const open = () => new Response(blocks, { headers: { "content-type": "text/event-stream" } })
    world.service.fail(stream, ...Array.from({ length: 20 }, () => open))
    const bug = new Error("a bug of the app")
    const onEvent = vi.fn(() => {
      throw bug
    })
    const reasons: Array<unknown> = []
    const stop = hearth.stream({ onEvent, onConnection: (_, reason) => reason && reasons.push(reason) })
    await vi.advanceTimersByTimeAsync(60_000)
    stop()
    expect(reasons[0]).toMatchObject({ code: "LISTENER_FAILED", status: 0, cause: bug })
    expect(onEvent.mock.calls.length).toBeGreaterThan(3)
    expect(onEvent.mock.calls.length).toBeLessThan(10)
    expect(world.service.calls(stream).every(({ headers }) => headers.get("last-event-id") === null)).toBe(true)
  })

  it("needs somebody to tell", async () => {
    const hearth = await aClient()
    expect(() => hearth.stream((() => {}) as never)).toThrow(/^onEvent must be a function/)
    expect(world.service.calls(stream)).toHaveLength(0)
  })

  it("is refused where the platform has none, and the service is not asked", async () => {
    const hearth = await aClient()
    vi.stubGlobal("ReadableStream", undefined)
    const refused: Array<HearthError> = []
    const listen = () => hearth.stream({ onEvent: () => {}, onRefused: (error) => refused.push(error) })
    listen()()
    listen()
    expect(refused).toEqual([])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(refused).toMatchObject([{ code: "NO_STREAMS", status: 0 }])
    expect(world.service.calls(stream)).toHaveLength(0)
  })

  it("is opened again after an hour at most, where the service says a month", async () => {
    const hearth = await aClient()
    const busy = () => refusal(503, "TENANT_BUSY", null, { "retry-after": "2592000" })
    world.service.fail(stream, busy, busy)
    const stop = hearth.stream({ onEvent: () => {} })
    await vi.advanceTimersByTimeAsync(3_599_000)
    expect(world.service.calls(stream)).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(world.service.calls(stream)).toHaveLength(2)
    stop()
  })

  it("tells nothing of who has signed out any more, also where the service does not hear of that", async () => {
    const [told, states] = [vi.fn(), vi.fn()]
    const hearth = await aClient()
    await hearth.signInWithEmail({ email: "ann@example.com", password: "correct horse" })
    const bodies: Array<ReadableStreamDefaultController<Uint8Array> | null> = []
    const open = () => {
      const at = bodies.length
      const cancel = () => {
        bodies[at] = null
      }
      const body = new ReadableStream({ start: (to) => void bodies.push(to), cancel })
      return new Response(body, { headers: { "content-type": "text/event-stream" } })
    }
    const tell = (at: number, text: string) =>
      bodies[at]?.enqueue(new TextEncoder().encode(`event: xp\ndata: "${text}"\nid: ${text}\n\n`))
    world.service.fail(stream, open, open)
    const stop = hearth.stream({ onEvent: ({ data }) => told(data), onConnection: states })
    await vi.advanceTimersByTimeAsync(0)
    tell(0, "of_ann")
    await vi.advanceTimersByTimeAsync(0)
    world.service.fail("POST /client/auth/logout", "lost")
    await hearth.signOut()
    tell(0, "of_ann_later")
    await hearth.signInWithEmail({ email: "bob@example.com", password: "correct horse" })
    tell(0, "of_ann_later_still")
    await vi.advanceTimersByTimeAsync(1_000)
    tell(1, "of_bob")
    await vi.advanceTimersByTimeAsync(0)
    stop()
    expect(told.mock.calls).toEqual([["of_ann"], ["of_bob"]])
    expect(states.mock.calls.map(([isConnected]) => isConnected)).toEqual([true, false, true])
    const [first, second] = world.service.calls(stream)
    expect(first?.token).not.toBe(second?.token)
  })
})

const abortable = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort("enough") }
}

describe("a developer's client", () => {
  const projects = "GET /admin/projects"
  const login = "POST /auth/developer/login"
  const pair = (n: number) => ({ access_token: `a${n}`, refresh_token: `r${n}` })
  const loggedIn = (n: number) => Response.json({ data: { ...pair(n), developer: { id: "1" } } })
  const options = () => ({ url: "http://hearth.test", fetch: world.service.fetch })
  const good = () => Response.json({ data: [] })

  it("sends the token that it is given, or asks for one", async () => {
    world.service.fail(projects, good(), good())
    await createAdminClient({ ...options(), token: "given" }).api.GET("/admin/projects")
    await createAdminClient({ ...options(), token: async () => "asked" }).api.GET("/admin/projects")
    expect(world.service.calls(projects).map(({ token }) => token)).toEqual(["given", "asked"])
  })

  it.each([
    {},
    { token: undefined },
    { token: "" },
    { credentials: {} },
    { credentials: { email: "dev@example.com", password: undefined } },
    { token: undefined, credentials: { email: "dev@example.com", password: "" } },
  ])("is none with neither a token nor whole credentials: %j", (given) => {
    expect(() => createAdminClient({ ...options(), ...given } as never)).toThrow(
      "An admin client needs a token, or credentials: { email, password }.",
    )
  })

  it("signs in with credentials where the token is undefined", async () => {
    const credentials = { email: "dev@example.com", password: "correct horse" }
    const { api } = createAdminClient({ ...options(), ...{ token: undefined }, credentials } as never)
    world.service.fail(login, loggedIn(1))
    world.service.fail(projects, good())
    await api.GET("/admin/projects")
    expect(world.service.calls(projects).map(({ token }) => token)).toEqual(["a1"])
  })

  it("signs in once, refreshes, and signs in again when the session has ended", async () => {
    const credentials = { email: "dev@example.com", password: "correct horse" }
    const { api } = createAdminClient({ ...options(), credentials })
    world.service.fail(login, loggedIn(1), loggedIn(3))
    world.service.fail(
      projects,
      good(),
      good(),
      refusal(401, "UNAUTHORIZED"),
      good(),
      refusal(401, "UNAUTHORIZED"),
      good(),
    )
    await Promise.all([api.GET("/admin/projects"), api.GET("/admin/projects")])
    expect(world.service.calls(login).map(({ body }) => body)).toEqual([credentials])
    world.service.fail("POST /auth/developer/refresh", Response.json({ data: pair(2) }), refusal(401, "INVALID_TOKEN"))
    await api.GET("/admin/projects")
    const last = api.GET("/admin/projects")
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await last).toEqual({ data: [] })
    expect(world.service.calls(projects).map(({ token }) => token)).toEqual(["a1", "a1", "a1", "a2", "a2", "a3"])
  })

  it("rejects where the credentials are wrong", async () => {
    const { api } = createAdminClient({ ...options(), credentials: { email: "a@example.com", password: "wrong" } })
    world.service.fail(login, refusal(401, "INVALID_CREDENTIALS"))
    await expect(api.GET("/admin/projects")).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" })
    expect(world.service.calls(projects)).toHaveLength(0)
  })
})
