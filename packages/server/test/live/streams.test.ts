import { randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Credentials } from "../harness/api.ts"
import { type Listening, listenTo } from "../harness/event-stream.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Owned {
  readonly id: string
  readonly owner: Credentials
  readonly key: string
}

interface User {
  readonly id: string
  readonly app: Credentials
}

// Two servers and a worker on one database: what one commits, all others tell.
describe("streams over two servers and a worker", () => {
  const harness = makeHarness()
  const open: Array<Listening> = []
  let one: TestServer
  let other: TestServer

  beforeAll(async () => {
    const { environment } = await harness.database()
    const limits = { STREAMS_PER_SERVER: "6", SESSION_TOKEN_LIFETIME: "2 seconds" }
    one = await harness.server(environment)
    other = await harness.server({ ...environment, ...limits })
    await harness.worker(environment)
  })
  afterAll(() => harness.clear())
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close()
  })

  const signUp = async () => {
    const email = `${randomUUID()}@example.com`
    const headers = { "x-forwarded-for": `10.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.1` }
    const { access_token, developer } = await one.api.ok<{ access_token: string; developer: { id: string } }>(
      ...(["POST", "/auth/developer/signup", headers, { email, password: "correct horse" }] as const),
    )
    return { id: developer.id, email, credentials: { authorization: `Bearer ${access_token}` } }
  }
  const aProject = async (): Promise<Owned> => {
    const { credentials: owner } = await signUp()
    const made = await one.api.ok<{ id: string; client_api_key: string }>("POST", "/admin/projects", owner, {
      name: "Live",
    })
    const project = { id: made.id, owner, key: made.client_api_key }
    await admin(project, "PUT", "/xp/rules", { rules: [{ event_name: "lesson", amount: 10 }] })
    return project
  }
  const admin = <Data>({ id, owner }: Owned, method: string, path: string, body?: unknown) =>
    one.api.ok<Data>(method, `/admin/projects/${id}${path}`, owner, body)
  const aUser = async ({ key }: Owned, server = one): Promise<User> => {
    const { session_token, user } = await server.api.ok<{ session_token: string; user: { id: string } }>(
      ...(["POST", "/client/auth/anonymous", { "x-api-key": key }] as const),
    )
    return { id: user.id, app: { "x-api-key": key, authorization: `Bearer ${session_token}` } }
  }
  const listen = async (url: string, credentials: Credentials, after?: string) => {
    const resumed = after === undefined ? {} : { "last-event-id": after }
    const stream = await listenTo(url, { ...credentials, ...resumed })
    open.push(stream)
    return stream
  }
  const streamOf = async ({ app }: User, server = one, after?: string) => {
    const stream = await listen(`${server.url}/v1/client/stream`, app, after)
    if (stream.response.status === 200) await stream.waitFor(() => true)
    return stream
  }
  const liveOf = async ({ id, owner }: Owned, query = "", after?: string) => {
    const stream = await listen(`${one.url}/v1/admin/projects/${id}/live${query}`, owner, after)
    await stream.waitFor(() => true)
    return stream
  }
  const learn = ({ app }: User, server = one) =>
    server.api.ok("POST", "/client/events", app, { events: [{ event_name: "lesson" }] })
  const endOf = async (stream: Listening) => {
    const { data } = await stream.named("end")
    await stream.ended
    return data["reason"]
  }

  it("tell a user what the worker did for an event of another server, and nobody else", async () => {
    const project = await aProject()
    const [user, stranger] = [await aUser(project), await aUser(project)]
    const [stream, silent] = [await streamOf(user), await streamOf(stranger)]
    const type = stream.response.headers.get("content-type")
    expect([stream.response.status, type]).toEqual([200, "text/event-stream"])
    expect(stream.response.headers.get("cache-control")).toBe("no-store")
    expect(stream.response.headers.get("x-accel-buffering")).toBe("no")
    await learn(user, other)
    const { data } = await stream.named("xp")
    expect(data).toMatchObject({ amount: 10, source: "event", total: 10 })
    await learn(stranger)
    expect((await silent.named("xp")).data["total"]).toBe(10)
    expect(silent.events.map(({ name }) => name)).toEqual(["open", "xp"])
  })

  it("are read on from the last event, on any server, each item once", async () => {
    const project = await aProject()
    const user = await aUser(project)
    const first = await streamOf(user)
    await learn(user)
    await first.named("xp")
    first.close()
    await learn(user)
    const bystander = await streamOf(user)
    // What was missed is there when somebody else has been told of it too.
    await expect
      .poll(async () => (await admin<{ total: number }>(project, "GET", `/users/${user.id}/xp`)).total)
      .toBe(20)
    const second = await streamOf(user, other, first.lastId())
    await learn(user)
    await second.waitFor(({ name, data }) => name === "xp" && data["total"] === 30)
    const totals = second.events.filter(({ name }) => name === "xp").map(({ data }) => data["total"])
    expect(totals).toEqual([20, 30])
    await bystander.waitFor(({ data }) => data["total"] === 30)
    const lost = await streamOf(user, one, "nothing that was ever sent")
    expect(lost.events.map(({ name }) => name)).toEqual(["reset"])
    const old = `${(Date.now() - 301_000).toString(36)}.${(Date.now() - 311_000).toString(36)}.1:1:`
    expect((await streamOf(user, one, old)).events.map(({ name }) => name)).toEqual(["reset"])
  })

  it("tell developers in batches that are bounded, whatever comes", async () => {
    const project = await aProject()
    const [user, another] = [await aUser(project), await aUser(project)]
    const [all, narrowed] = [await liveOf(project), await liveOf(project, `?event_name=rare&user_id=${user.id}`)]
    const many = Array.from({ length: 400 }, (_, n) => ({
      app_user_id: another.id,
      event_name: "many",
      properties: { n },
    }))
    await admin(project, "POST", "/events", { events: [...many, { app_user_id: user.id, event_name: "rare" }] })
    const { data } = await all.waitFor(({ name, data }) => name === "batch" && data["names"] !== undefined)
    expect(data).toMatchObject({ counts: { events: 401 }, left_out: { events: 351 } })
    expect(data["events"]).toHaveLength(50)
    const rare = await narrowed.named("batch")
    expect(rare.data).toMatchObject({ counts: { events: 1 }, names: [{ event_name: "rare", count: 1 }] })
    expect((await narrowed.named("counters")).data).toMatchObject({ events: 1 })
    await learn(user)
    const { data: news } = await all.waitFor(({ data }) => JSON.stringify(data["effects"] ?? []).includes('"xp"'))
    expect(news).toMatchObject({ counts: { effects: 1 }, effects: [{ kind: "xp", app_user_id: user.id }] })
  })

  it("end when a right is taken away, and when the token expires", async () => {
    const project = await aProject()
    const users = await Promise.all([aUser(project), aUser(project), aUser(project)])
    const [signedOut, removed, keyless] = users
    if (signedOut === undefined || removed === undefined || keyless === undefined) throw new Error("There is no user.")
    const short = await aUser(project, other)
    expect(await endOf(await streamOf(short))).toBe("token_expired")

    const streams = await Promise.all([streamOf(signedOut), streamOf(removed), streamOf(keyless)])
    const [first, second, third] = streams as [Listening, Listening, Listening]
    const [session] = await one.api.ok<ReadonlyArray<{ id: string }>>("GET", "/client/auth/sessions", signedOut.app)
    await other.api.ok("DELETE", `/client/auth/sessions/${session?.id}`, signedOut.app)
    expect(await endOf(first)).toBe("revoked")
    await other.api.ok("DELETE", "/client/users/me", removed.app)
    expect(await endOf(second)).toBe("revoked")
    const keys = await admin<ReadonlyArray<{ id: string }>>(project, "GET", "/api-keys")
    for (const { id } of keys) await admin(project, "DELETE", `/api-keys/${id}`)
    expect(await endOf(third)).toBe("revoked")

    const member = await signUp()
    await admin(project, "POST", "/members", { email: member.email, role: "viewer" })
    const ofMember = await liveOf({ ...project, owner: member.credentials })
    const ofOwner = await liveOf(project)
    await admin(project, "DELETE", `/members/${member.id}`)
    expect(await endOf(ofMember)).toBe("revoked")
    expect(ofOwner.events.some(({ name }) => name === "end")).toBe(false)
    await one.api.ok("DELETE", `/admin/projects/${project.id}`, project.owner)
    expect(await endOf(ofOwner)).toBe("revoked")
  })

  it("are as many as a user and a server may have, and end when the server stops", async () => {
    const project = await aProject()
    const user = await aUser(project)
    const streams = await Promise.all(Array.from({ length: 5 }, () => streamOf(user, other)))
    const sixth = await streamOf(user, other)
    expect([sixth.response.status, sixth.response.headers.get("retry-after")]).toEqual([429, "10"])
    await sixth.ended
    expect((await streamOf(await aUser(project), other)).response.status).toBe(200)
    const beyond = await streamOf(await aUser(project), other)
    expect([beyond.response.status, beyond.response.headers.get("retry-after")]).toEqual([503, "10"])
    streams[0]?.close()
    await expect.poll(async () => (await streamOf(user, other)).response.status).toBe(200)
    const last = await streamOf(user)
    const stopping = other.end("SIGTERM")
    for (const stream of streams.slice(1)) expect(await endOf(stream)).toBe("stopping")
    expect((await stopping).code).toBe(0)
    await learn(user)
    expect((await last.named("xp")).data["total"]).toBe(10)
  })
})
