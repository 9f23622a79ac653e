import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { withFault } from "../faults.ts"
import { type AuthWorld, authWorld, badSessions } from "./world.ts"

const link = ({ auth, projectId }: AuthWorld, session_token: string, token: string, provider = "idp_a") =>
  auth.identities.link(projectId, { provider, token, session_token })

describe("linking an identity to the user of a session", () => {
  it("gives it to the user, who can sign in with it from then on", async () => {
    const subject = await authWorld()
    const { auth, projectId, run, anonymous, identity, callerOf, links } = subject
    const { user, session_token } = await anonymous()
    const token = identity("idp_a", "ada", { email: "ada@example.com", email_verified: true })
    const result = await run(link(subject, session_token, token))
    expect(result.user).toEqual({
      ...user,
      email: "ada@example.com",
      email_verified_at: subject.world.clock.now(),
      auth_providers: [{ provider: "idp_a", provider_id: "ada" }],
    })
    expect(await links()).toMatchObject([{ app_user_id: user.id, provider: "idp_a", provider_id: "ada" }])
    expect(await callerOf(result.session_token)).toMatchObject({ user_id: user.id })
    const signedIn = await run(auth.identities.social(projectId, { provider: "idp_a", token }))
    expect(signedIn.user).toStrictEqual(result.user)
  })

  it("adds one of each provider, in the order of linking, and keeps the email", async () => {
    const subject = await authWorld()
    const { auth, projectId, run, identity, world } = subject
    const signup = { email: "ada@example.com", password: "correct horse" }
    const { session_token } = await run(auth.email.signup(projectId, signup))
    const other = { email: "other@gmail.com", email_verified: true }
    await run(link(subject, session_token, identity("idp_b", "g", other), "idp_b"))
    const { user } = await run(link(subject, session_token, identity("idp_a", "a", other)))
    expect(user.email).toBe("ada@example.com")
    expect(user.auth_providers).toEqual([
      { provider: "idp_b", provider_id: "g" },
      { provider: "idp_a", provider_id: "a" },
    ])
    expect(world.signals.of("identity_linked")).toMatchObject([{ upgraded: false }, { upgraded: false }])
  })

  it("signals that the user had been anonymous", async () => {
    const subject = await authWorld()
    const { session_token } = await subject.anonymous()
    await subject.run(link(subject, session_token, subject.identity("idp_a", "ada")))
    expect(subject.world.signals.of("identity_linked")).toMatchObject([{ provider: "idp_a", upgraded: true }])
  })

  it("changes nothing when the user has it already", async () => {
    const subject = await authWorld()
    const { run, anonymous, identity, users, links, world } = subject
    const { session_token } = await anonymous()
    const token = identity("idp_a", "ada")
    const first = await run(link(subject, session_token, token))
    await world.advance("30 minutes")
    const again = await run(link(subject, session_token, identity("idp_a", "ada")))
    expect(again.user).toEqual({ ...first.user, last_seen_at: world.clock.now() })
    expect([(await users()).length, (await links()).length]).toEqual([1, 1])
    expect(world.signals.of("identity_linked")).toHaveLength(1)
  })

  it("links once when eight calls race, and all succeed", async () => {
    const subject = await authWorld()
    const { anonymous, identity, atOnce, users, links } = subject
    const { session_token } = await anonymous()
    const token = identity("idp_a", "ada")
    const { successes } = await atOnce(Array.from({ length: 8 }, () => link(subject, session_token, token)))
    expect(successes).toHaveLength(8)
    expect(await links()).toHaveLength(1)
    expect((await users())[0]?.auth_providers).toHaveLength(1)
  })
})

describe("an identity that belongs to another user", () => {
  it("cannot be linked, and nothing changes", async () => {
    const subject = await authWorld()
    const { auth, projectId, run, refusal, anonymous, identity, users, families } = subject
    await run(auth.identities.social(projectId, { provider: "idp_a", token: identity("idp_a", "ada") }))
    const { session_token } = await anonymous()
    const before = [await users(), await families()]
    expect(await refusal(link(subject, session_token, identity("idp_a", "ada")))).toMatchObject({
      code: "IDENTITY_ALREADY_LINKED",
      kind: "conflict",
    })
    expect([await users(), await families()]).toStrictEqual(before)
  })

  it("is linked to one user when several link it at once", async () => {
    const subject = await authWorld()
    const { anonymous, identity, atOnce, users, links } = subject
    const sessions = await Promise.all(Array.from({ length: 8 }, anonymous))
    const token = identity("idp_a", "ada", { email: "ada@example.com", email_verified: true })
    const { successes, failures } = await atOnce(
      sessions.map(({ session_token }) => link(subject, session_token, token)),
    )
    expect(successes).toHaveLength(1)
    expect(failures.map(({ code }) => code)).toEqual(Array.from({ length: 7 }, () => "IDENTITY_ALREADY_LINKED"))
    expect(await links()).toMatchObject([{ app_user_id: successes[0]?.user.id }])
    expect((await users()).filter(({ email }) => email !== null)).toHaveLength(1)
  })

  it("can be linked once its user is gone", async () => {
    const subject = await authWorld()
    const { auth, projectId, run, anonymous, identity, world } = subject
    const input = { provider: "idp_a", token: identity("idp_a", "ada") } as const
    const gone = await run(auth.identities.social(projectId, input))
    await run(world.core.users.remove(projectId, gone.user.id))
    const { user, session_token } = await anonymous()
    expect((await run(link(subject, session_token, input.token))).user.id).toBe(user.id)
  })
})

describe("linking is refused", () => {
  it.for(["email", "IDP_A", "", "idp_c"])(
    "for the provider %j, before the rest of the input is checked",
    async (provider) => {
      const subject = await authWorld({ bundle_id: null })
      const refused = await subject.refusal(link(subject, "no session", "no token", provider))
      expect(refused).toMatchObject({ code: "UNSUPPORTED_PROVIDER", kind: "invalid" })
    },
  )

  it("without a valid session", async () => {
    const subject = await authWorld()
    const bad = (await badSessions(subject)).filter(([why]) => why !== "of a user who is gone")
    for (const [why, session_token] of bad) {
      const refused = await subject.refusal(link(subject, session_token, subject.identity("idp_a", "ada")))
      expect(refused, why).toMatchObject({ code: "INVALID_SESSION" })
    }
    expect(await subject.links()).toEqual([])
  })

  it("without the user, after the identity token was verified", async () => {
    const subject = await authWorld()
    const { user, session_token } = await subject.anonymous()
    await subject.run(subject.world.core.users.remove(subject.projectId, user.id))
    const missing = { code: "NOT_FOUND", kind: "not_found" }
    expect(await subject.refusal(link(subject, session_token, subject.identity("idp_a", "ada")))).toMatchObject(missing)
    const foreign = subject.identity("idp_a", "ada", { aud: "com.example.other" })
    expect(await subject.refusal(link(subject, session_token, foreign))).toMatchObject({ code: "INVALID_TOKEN" })
    expect(await subject.users()).toEqual([])
  })

  it("with a session of another project, before any lookup", async () => {
    const subject = await authWorld({ bundle_id: null })
    const { refusal, world } = subject
    const other = await world.aProjectWithOwner()
    const { sessionToken, userId } = await world.aSignedInUser(other.projectId)
    const forbidden = { code: "FORBIDDEN", kind: "forbidden" }
    expect(await refusal(link(subject, sessionToken, "no token"))).toMatchObject(forbidden)
    await world.run(world.core.users.remove(other.projectId, userId))
    world.tenants.unreachable(other.projectId, true)
    expect(await refusal(link(subject, sessionToken, "no token"))).toMatchObject(forbidden)
  })

  it("without an audience, and without a valid token", async () => {
    const without = await authWorld({ oauth_client_id: null })
    const { session_token } = await without.anonymous()
    const refused = await without.refusal(link(without, session_token, without.identity("idp_b", "ada"), "idp_b"))
    expect(refused).toMatchObject({ code: "AUDIENCE_NOT_CONFIGURED" })

    const subject = await authWorld()
    const { user, session_token: session } = await subject.anonymous()
    const foreign = subject.identity("idp_a", "ada", { aud: "com.example.other" })
    expect(await subject.refusal(link(subject, session, foreign))).toMatchObject({ code: "INVALID_TOKEN" })
    expect(await subject.users()).toEqual([user])
  })

  it("with another nonce than the token's", async () => {
    const { auth, projectId, refusal, anonymous, identity } = await authWorld()
    const { session_token } = await anonymous()
    const input = { provider: "idp_a", token: identity("idp_a", "ada", { nonce: "n-1" }), session_token, nonce: "n-2" }
    expect(await refusal(auth.identities.link(projectId, input))).toMatchObject({ code: "INVALID_TOKEN" })
  })

  it("when the project was hidden or the user removed after the session was verified", async () => {
    const subject = await authWorld(
      {},
      {
        ports: ({ tenants }) => ({
          tenants: withFault(tenants, (db) => ({
            ...db,
            users: { ...db.users, hasLiveSession: () => Effect.succeed(true) },
          })),
        }),
      },
    )
    const { run, refusal, anonymous, identity, world, projectId } = subject
    const { user, session_token } = await anonymous()
    const attempt = link(subject, session_token, identity("idp_a", "ada"))
    const hide = (is_hidden: boolean) =>
      run(world.control.transact((db) => db.projects.update(projectId, { is_ready: !is_hidden })))
    await hide(true)
    expect(await refusal(attempt)).toMatchObject({ code: "NOT_FOUND" })
    await hide(false)
    await run(world.core.users.remove(projectId, user.id))
    expect(await refusal(attempt)).toMatchObject({ code: "NOT_FOUND" })
  })
})
