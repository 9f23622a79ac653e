import type { Engagement } from "@hearth/core"
import { Effect, Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { memoryPorts, openNode } from "../nodes.ts"
import { type TestServer, testServer } from "../server.ts"

const bundle_id = "com.example.app"
const oauth_client_id = "123.apps.example.com"

describe("concurrent sign-ins in two processes", () => {
  let server: TestServer
  let nodes: readonly [Engagement, Engagement]
  let project: string
  const ports = memoryPorts()
  const { identities, mailer, signals } = ports

  beforeAll(async () => {
    server = testServer()
    nodes = [(await openNode(server, { ports })).core, (await openNode(server, { ports })).core]
    const [core] = nodes
    project = await run(
      Effect.gen(function* () {
        const { developer } = yield* core.developers.signup({ email: "dev@example.com", password: "correct horse" })
        const settings = { name: "Races", bundle_id, oauth_client_id, allowed_origins: [], mau_cap: null }
        return (yield* core.projects.create(developer.id, settings)).id
      }),
    )
  })
  afterAll(() => server.close())

  const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
  /** Starts `count` calls at once, alternating between the processes. A defect rejects. */
  const race = async <A, E>(count: number, call: (core: Engagement, turn: number) => Effect.Effect<A, E>) => {
    const outcomes = await Promise.all(
      Array.from({ length: count }, (_, turn) => run(Effect.result(call(nodes[turn % 2 === 0 ? 0 : 1], turn)))),
    )
    return {
      successes: outcomes.filter(Result.isSuccess).map(({ success }) => success),
      failures: outcomes.filter(Result.isFailure).map(({ failure }) => failure),
    }
  }
  const count = async (table: string, condition: string) => {
    const database = server.databaseOf(project)
    const [row] = await server.rows<{ readonly n: number }>(
      database,
      `select count(*)::int as n from ${table} where ${condition}`,
    )
    return row?.n
  }
  const anonymous = () => run(nodes[0].auth.anonymous(project))

  it("creates one user for an identity", async () => {
    const token = identities.issue("idp_a", { sub: "one", aud: bundle_id })
    const before = signals.of("identity_linked").length
    const { successes } = await race(20, (core) => core.auth.identities.social(project, { provider: "idp_a", token }))
    expect(successes).toHaveLength(20)
    expect(new Set(successes.map(({ user }) => user.id)).size).toBe(1)
    expect(await count("account_links", "provider_id = 'one'")).toBe(1)
    expect(await count("app_users", `auth_providers @> '[{"provider_id": "one"}]'`)).toBe(1)
    expect(signals.of("identity_linked")).toHaveLength(before + 1)
  })

  it("gives an email to one of several identities with it", async () => {
    const email = { email: "shared@gmail.com", email_verified: true }
    const { successes } = await race(24, (core, turn) => {
      const provider = turn % 4 < 2 ? "idp_a" : "idp_b"
      const aud = provider === "idp_a" ? bundle_id : oauth_client_id
      const token = identities.issue(provider, { sub: `shared-${turn % 8}`, aud, ...email })
      return core.auth.identities.social(project, { provider, token })
    })
    expect(successes).toHaveLength(24)
    expect(new Set(successes.map(({ user }) => user.id)).size).toBe(8)
    expect(await count("app_users", "email = 'shared@gmail.com'")).toBe(1)
  })

  it("links an identity to one of several users", async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, anonymous))
    const token = identities.issue("idp_b", { sub: "wanted", aud: oauth_client_id })
    const { successes, failures } = await race(16, (core, turn) => {
      const session_token = sessions[turn % 8]?.session_token ?? ""
      return core.auth.identities.link(project, { provider: "idp_b", token, session_token })
    })
    expect(new Set(successes.map(({ user }) => user.id)).size).toBe(1)
    expect(failures.map(({ code }) => code)).toEqual(failures.map(() => "IDENTITY_ALREADY_LINKED"))
    expect(successes.length + failures.length).toBe(16)
    expect(await count("account_links", "provider_id = 'wanted'")).toBe(1)
  })

  it("creates one account for an email, by sign-up and by magic link", async () => {
    const email = "ada@example.com"
    const token = async () => {
      await run(nodes[0].auth.magicLinks.request(project, email, null))
      return /token=(\S+)/.exec(mailer.sent.at(-1)?.text ?? "")?.[1] ?? ""
    }
    const links = [await token(), await token(), await token(), await token()]
    const { successes, failures } = await race(12, (core, turn): Effect.Effect<{ user: { id: string } }, unknown> => {
      if (turn % 3 !== 0) return core.auth.email.signup(project, { email, password: "correct horse" })
      return core.auth.magicLinks.verify(project, { token: links[turn / 3] ?? "" })
    })
    expect(new Set(successes.map(({ user }) => user.id)).size).toBe(1)
    expect(successes.length).toBeGreaterThanOrEqual(4)
    for (const failure of failures) expect(failure).toMatchObject({ code: "EMAIL_EXISTS" })
    expect(await count("app_users", `email = '${email}'`)).toBe(1)
  })

  it("accepts a magic link once", async () => {
    await run(nodes[0].auth.magicLinks.request(project, "bob@example.com", null))
    const token = /token=(\S+)/.exec(mailer.sent.at(-1)?.text ?? "")?.[1] ?? ""
    const { successes, failures } = await race(20, (core) => core.auth.magicLinks.verify(project, { token }))
    expect(successes).toHaveLength(1)
    expect(failures.map(({ code }) => code)).toEqual(Array.from({ length: 19 }, () => "INVALID_TOKEN"))
  })

  it("accepts a refresh token once, and then its successor", async () => {
    const { refresh_token } = await anonymous()
    const { successes, failures } = await race(20, (core) => core.auth.sessions.refresh(project, refresh_token))
    expect([successes.length, failures.length]).toEqual([1, 19])
    await run(nodes[1].auth.sessions.refresh(project, successes[0]?.refresh_token ?? ""))
  })

  it.for(["disabled", "removed"] as const)(
    "revokes every session of a user who is %s during refreshes",
    async (how) => {
      for (let round = 0; round < 8; round += 1) {
        const email = `${how}-${round}@example.com`
        const { user, ...first } = await run(nodes[0].auth.email.signup(project, { email, password: "x" }))
        const sessions = [first]
        for (const _ of [1, 2, 3])
          sessions.push(await run(nodes[0].auth.email.login(project, { email, password: "x" })))
        const { failures } = await race(8, (core, turn): Effect.Effect<unknown, { readonly code: string }> => {
          if (turn % 4 === 1) {
            return how === "removed"
              ? core.users.remove(project, user.id)
              : core.users.change(project, user.id, { is_disabled: true })
          }
          return core.auth.sessions.refresh(project, sessions[turn % 4]?.refresh_token ?? "")
        })
        for (const failure of failures) expect(failure).toMatchObject({ code: "INVALID_TOKEN" })
        expect(await count("app_user_session_families", `owner_id = '${user.id}' and revoked_at is null`)).toBe(0)
      }
    },
  )
})
