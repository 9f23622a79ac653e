/** A request that has arrived. */
export interface Arrived {
  readonly call: string
  readonly token: string | null
  readonly headers: Headers
  readonly keepalive: boolean
  // biome-ignore lint/suspicious/noExplicitAny: Any JSON.
  readonly body: any
}

type Fault = (arrived: Arrived) => Response | "lost" | "answer lost" | "no answer" | undefined

interface Family {
  readonly user: string
  access: string
  refresh: string
  ended: boolean
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** An error as the service answers it. */
export const refusal = (status: number, code: string, details: unknown = null, headers: Record<string, string> = {}) =>
  Response.json(
    { error: { code, message: `It is ${code}.`, details, request_id: "r1" } },
    { status, headers: { "x-request-id": "r1", ...headers } },
  )

/** A service in memory with sessions and events, by the rules of docs/auth.md. Faults of a call come before its answer, in turn. */
export const makeFakeService = () => {
  const arrived: Array<Arrived> = []
  const families: Array<Family> = []
  const events: Array<{
    readonly user: string
    readonly event_id: string
    readonly event_name: string
    readonly occurred_at: string
  }> = []
  const faults: Array<{ readonly call: string; readonly fault: Fault }> = []
  const state = { isAway: false, skew: 0, badNames: new Set<string>(), says: "all" as "all" | "index" | "none" }
  let made = 0

  const now = () => Date.now() + state.skew
  const issue = (family: Family) => {
    const iat = Math.floor(now() / 1000)
    family.access = `h.${encode({ sub: family.user, iat, exp: iat + 3600, n: made++ })}.s`
    family.refresh = `refresh-${made++}`
    return { session_token: family.access, refresh_token: family.refresh }
  }
  const signIn = (user: string) => {
    const family = { user, access: "", refresh: "", ended: false }
    families.push(family)
    return { ...issue(family), user: { id: user }, anonymous_id: "anon_1" }
  }
  const familyOf = (token: string | null) => families.find(({ access, ended }) => access === token && !ended)

  const record = (body: { events: ReadonlyArray<Record<string, string>> }, user: string): Response => {
    const issues = body.events.flatMap(({ event_name = "", occurred_at = "" }, index) => {
      const say = (key: string, code: string) => ({ index, path: `events.${index}.${key}`, code, message: "is wrong" })
      const isLate = Math.abs(Date.parse(occurred_at) - now()) > 86_400_000
      return [
        ...(state.badNames.has(event_name) ? [say("event_name", "INVALID_EVENT_NAME")] : []),
        ...(isLate ? [say("occurred_at", "INVALID_OCCURRED_AT")] : []),
      ]
    })
    const [first] = issues
    if (first !== undefined) {
      const details = { none: null, index: { index: first.index }, all: { index: first.index, issues } }[state.says]
      return refusal(400, first.code, details)
    }
    const known = new Set(events.filter((event) => event.user === user).map(({ event_id }) => event_id))
    const fresh = body.events.filter(({ event_id = "" }) => !known.has(event_id))
    events.push(...fresh.map((event) => ({ ...(event as unknown as (typeof events)[0]), user })))
    return Response.json({ data: { inserted: fresh.length, skipped: body.events.length - fresh.length } })
  }

  const identities = new Map<string, string>()
  /** The user of an identity, or who is signed in, who gets it. A link is refused where it is another's. */
  const social = (call: string, { provider, token, session_token = null }: Record<string, string | null>): Response => {
    const [identity, caller] = [`${provider} ${token}`, familyOf(session_token)?.user]
    const owner = identities.get(identity)
    if (caller === undefined && (session_token !== null || call.endsWith("link")))
      return refusal(401, "INVALID_SESSION")
    if (call.endsWith("link") && owner !== undefined && owner !== caller) return refusal(409, "IDENTITY_ALREADY_LINKED")
    const user = owner ?? caller ?? `user-${made++}`
    identities.set(identity, user)
    return Response.json({ data: signIn(user) })
  }

  const answer = ({ call, token, body }: Arrived): Response => {
    if (call === "POST /client/auth/anonymous")
      return Response.json({ data: signIn(`user-${made++}`) }, { status: 201 })
    if (call === "POST /client/auth/email/login") return Response.json({ data: signIn(body.email) })
    if (call === "POST /client/auth/email/signup") {
      const { session_token = null, email } = body
      if (session_token !== null && familyOf(session_token) === undefined) return refusal(401, "INVALID_SESSION")
      return Response.json({ data: signIn(familyOf(session_token)?.user ?? email) }, { status: 201 })
    }
    if (call === "POST /client/auth/social" || call === "POST /client/auth/link") return social(call, body)
    if (call === "POST /client/auth/logout") {
      for (const family of families) if (family.refresh === body.refresh_token) family.ended = true
      return Response.json({ data: { success: true } })
    }
    if (call === "POST /client/auth/refresh") {
      const family = families.find(({ refresh, ended }) => refresh === body.refresh_token && !ended)
      return family === undefined ? refusal(401, "INVALID_TOKEN") : Response.json({ data: issue(family) })
    }
    const family = familyOf(token)
    if (token === null) return refusal(401, "UNAUTHORIZED")
    if (family === undefined) return refusal(401, "INVALID_TOKEN")
    if (call === "POST /client/events") return record(body, family.user)
    return Response.json({ data: { id: family.user } })
  }

  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { method } = request
    // That of the request would forget whom it follows, as the request is kept by nobody.
    const signal = init?.signal ?? request.signal
    const text = await request.text()
    if (state.isAway) throw new TypeError("fetch failed")
    const one: Arrived = {
      call: `${method} ${new URL(request.url).pathname.replace("/v1", "")}`,
      token: request.headers.get("authorization")?.replace("Bearer ", "") ?? null,
      headers: request.headers,
      keepalive: request.keepalive,
      body: text === "" ? null : JSON.parse(text),
    }
    arrived.push(one)
    const at = faults.findIndex(({ call }) => call === one.call)
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault(one)
    if (fault === "lost") throw new TypeError("fetch failed")
    if (fault === "no answer") {
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
    }
    const response = fault instanceof Response ? fault : answer(one)
    if (fault === "answer lost") throw new TypeError("fetch failed")
    response.headers.set("date", new Date(now()).toUTCString())
    return response
  }

  return {
    fetch: fetch as typeof globalThis.fetch,
    state,
    arrived,
    events,
    /** The calls of one route that have arrived. */
    calls: (call: string): ReadonlyArray<Arrived> => arrived.filter((one) => one.call === call),
    /** What the next call of a route meets. */
    fail: (call: string, ...next: ReadonlyArray<Fault | ReturnType<Fault>>): void => {
      for (const fault of next) faults.push({ call, fault: typeof fault === "function" ? fault : () => fault })
    },
    /** Access tokens that were issued are not good any more; refresh tokens are. */
    expireTokens: (): void => {
      for (const family of families) family.access = `expired-${made++}`
    },
    /** Ends all sessions. */
    endSessions: (): void => {
      for (const family of families) family.ended = true
    },
  }
}

export type FakeService = ReturnType<typeof makeFakeService>
