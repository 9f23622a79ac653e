import type { Engagement } from "@hearth/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { memoryPorts, openNode } from "../nodes.ts"
import { type TestServer, testServer } from "../server.ts"

const bundle_id = "com.example.app"
const oauth_client_id = "123.apps.example.com"
const rounds = 12

describe("whoever signed up a foreign email, while it is proven [B15]", () => {
  let server: TestServer
  let nodes: readonly [Engagement, Engagement]
  let project: string
  const ports = memoryPorts()
  const { identities, mailer } = ports

  beforeAll(async () => {
    server = testServer()
    nodes = [(await openNode(server, { ports })).core, (await openNode(server, { ports })).core]
    const account = { email: "dev@example.com", password: "correct horse" }
    const { developer } = await Effect.runPromise(nodes[0].developers.signup(account))
    const settings = { name: "Proofs", bundle_id, oauth_client_id, allowed_origins: [], mau_cap: null }
    project = (await Effect.runPromise(nodes[0].projects.create(developer.id, settings))).id
  })
  afterAll(() => server.close())

  it("keeps no session, no identity and no password, whatever is tried at that moment", async () => {
    const [ours, theirs] = nodes
    const run = Effect.runPromise
    const database = server.databaseOf(project)
    for (let round = 0; round < rounds; round += 1) {
      const email = `victim-${round}@example.com`
      const account = { email, password: "mallory's own" }
      const mallory = await run(theirs.auth.email.signup(project, account))
      const { session_token } = mallory
      const token = (sub: string) => identities.issue("idp_a", { sub, aud: bundle_id })
      const early = token(`early-${round}`)
      await run(theirs.auth.identities.link(project, { provider: "idp_a", token: early, session_token }))
      await run(ours.auth.magicLinks.request(project, email, null))
      const link = /token=(\S+)/.exec(mailer.sent.at(-1)?.text ?? "")?.[1] ?? ""

      const attacks = [0, 1, 2, 3].flatMap((turn): ReadonlyArray<Effect.Effect<unknown, unknown>> => {
        const input = { provider: "idp_a", token: token(`late-${round}-${turn}`), session_token } as const
        return [
          theirs.auth.email.login(project, account),
          theirs.auth.identities.link(project, input),
          theirs.auth.identities.social(project, { provider: "idp_a", token: early }),
          theirs.auth.sessions.refresh(project, mallory.refresh_token),
        ]
      })
      const proof = Effect.delay(ours.auth.magicLinks.verify(project, { token: link }), round % 6)
      const [victim] = await Promise.all([run(proof), ...attacks.map((attack) => run(Effect.result(attack)))])

      const [found] = await server.rows<{ sessions: number; links: number; user: object }>(
        database,
        `select (select count(*)::int from app_user_session_families
                 where owner_id = u.id and revoked_at is null) as sessions,
                (select count(*)::int from account_links where app_user_id = u.id) as links,
                jsonb_build_object('password', password_hash, 'providers', auth_providers) as user
         from app_users u where email = '${email}'`,
      )
      expect(found, `round ${round}`).toEqual({ sessions: 1, links: 0, user: { password: null, providers: [] } })
      expect(victim.user.id).toBe(mallory.user.id)
      await run(ours.auth.sessions.refresh(project, victim.refresh_token))
    }
  })
})
