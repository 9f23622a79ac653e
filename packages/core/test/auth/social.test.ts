import { anId, aStreakDefinition } from "@hearth/testing"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { audiences, authWorld, badSessions } from "./world.ts"

const providers = ["idp_a", "idp_b"] as const
const ada = { email: "ada@gmail.com", email_verified: true }

describe("signing in with a new identity", () => {
  it.for(providers)("creates a user: %s", async (provider) => {
    const { auth, projectId, run, identity, callerOf, users, links } = await authWorld()
    const token = identity(provider, "ada", ada)
    const result = await run(auth.identities.social(projectId, { provider, token }))
    expect(result.user).toMatchObject({
      email: "ada@gmail.com",
      display_name: expect.stringMatching(/^[A-Z][a-z]+[A-Z][a-z]+$/),
      anonymous_id: expect.stringMatching(/^anon_/),
      auth_providers: [{ provider, provider_id: "ada" }],
      properties: {},
    })
    expect(await users()).toStrictEqual([result.user])
    expect(await links()).toMatchObject([{ app_user_id: result.user.id, provider, provider_id: "ada" }])
    expect(await callerOf(result.session_token)).toMatchObject({ user_id: result.user.id })
    expect(Object.keys(result).sort()).toEqual(["refresh_token", "session_token", "user"])
  })

  it("creates two users for the same subject at two providers", async () => {
    const { auth, projectId, run, identity, users } = await authWorld()
    for (const provider of providers) {
      await run(auth.identities.social(projectId, { provider, token: identity(provider, "same") }))
    }
    expect(await users()).toHaveLength(2)
  })

  it("creates one user when twenty sign in at once", async () => {
    const { auth, projectId, identity, atOnce, users, links, families, world } = await authWorld()
    const token = identity("idp_a", "ada", ada)
    const signIns = Array.from({ length: 20 }, () => auth.identities.social(projectId, { provider: "idp_a", token }))
    const { successes } = await atOnce(signIns)
    expect(successes).toHaveLength(20)
    expect(new Set(successes.map(({ user }) => user.id)).size).toBe(1)
    expect([(await users()).length, (await links()).length, (await families()).length]).toEqual([1, 1, 20])
    expect(world.signals.of("identity_linked")).toEqual([
      { name: "identity_linked", provider: "idp_a", upgraded: false },
    ])
  })
})

describe("signing in with a known identity", () => {
  it("signs its user in, with one more session", async () => {
    const { auth, projectId, run, identity, users, families, world } = await authWorld()
    const signIn = () =>
      run(auth.identities.social(projectId, { provider: "idp_a", token: identity("idp_a", "ada", ada) }))
    const first = await signIn()
    await world.advance("1 day")
    const again = await signIn()
    expect(again.user).toEqual({ ...first.user, last_seen_at: new Date("2026-03-02T12:00:00.000Z") })
    expect(await users()).toStrictEqual([again.user])
    expect(await families()).toHaveLength(2)
    expect(world.signals.of("identity_linked")).toHaveLength(1)
  })

  it("refuses a disabled user", async () => {
    const { auth, projectId, run, refusal, identity, disable, users, families } = await authWorld()
    const input = { provider: "idp_a", token: identity("idp_a", "ada") } as const
    const { user } = await run(auth.identities.social(projectId, input))
    await disable(user.id)
    expect(await refusal(auth.identities.social(projectId, input))).toMatchObject({ code: "INVALID_TOKEN" })
    const { session_token } = await run(auth.anonymous(projectId))
    expect(await refusal(auth.identities.social(projectId, { ...input, session_token }))).toMatchObject({
      code: "INVALID_TOKEN",
    })
    expect([(await users()).length, (await families()).length]).toEqual([2, 2])
  })
})

describe("upgrading the user of a session [B10]", () => {
  it("gives a new identity to it, and it keeps everything", async () => {
    const { auth, projectId, run, identity, anonymous, callerOf, users, world } = await authWorld()
    const { user, session_token } = await anonymous()
    await run(world.core.users.update(projectId, user.id, { properties: { level: 7 }, display_name: "Ada" }))
    const { id: _, created_at: __, ...streak } = aStreakDefinition()
    const definition = await run(world.core.streaks.create(projectId, streak))
    await run(world.core.streaks.qualify(projectId, user.id, definition.id, {}))
    await world.advance("30 minutes")

    const token = identity("idp_b", "ada", ada)
    const result = await run(auth.identities.social(projectId, { provider: "idp_b", token, session_token }))
    const now = new Date("2026-03-01T12:30:00.000Z")
    expect(result.user).toEqual({
      ...user,
      display_name: "Ada",
      properties: { level: 7 },
      email: "ada@gmail.com",
      email_verified_at: now,
      auth_providers: [{ provider: "idp_b", provider_id: "ada" }],
      last_seen_at: now,
      updated_at: now,
    })
    expect(await users()).toStrictEqual([result.user])
    expect(await run(world.core.streaks.own(projectId, user.id))).toMatchObject([{ current_count: 1 }])
    for (const session of [session_token, result.session_token]) {
      expect(await callerOf(session)).toMatchObject({ user_id: user.id })
    }
    expect(world.signals.of("identity_linked")).toEqual([
      { name: "identity_linked", provider: "idp_b", upgraded: true },
    ])
  })

  it("adds a second identity to a user who has one", async () => {
    const { auth, projectId, run, identity, users, world } = await authWorld()
    const signIn = (provider: "idp_a" | "idp_b", session: object = {}) =>
      run(auth.identities.social(projectId, { provider, token: identity(provider, "ada"), ...session }))
    const { session_token } = await signIn("idp_a")
    const { user } = await signIn("idp_b", { session_token })
    expect(user.auth_providers).toEqual(providers.map((provider) => ({ provider, provider_id: "ada" })))
    expect(await users()).toHaveLength(1)
    expect(world.signals.of("identity_linked")).toMatchObject([{ upgraded: false }, { upgraded: false }])
  })

  it("signs in the user who has the identity, and merges nothing", async () => {
    const { auth, projectId, run, identity, anonymous, users, links, world } = await authWorld()
    const input = { provider: "idp_a", token: identity("idp_a", "ada", ada) } as const
    const owner = (await run(auth.identities.social(projectId, input))).user
    const { user, session_token } = await anonymous()
    await run(world.core.users.update(projectId, user.id, { properties: { level: 7 } }))
    const before = await users()

    const result = await run(auth.identities.social(projectId, { ...input, session_token }))
    expect(result.user).toStrictEqual(owner)
    expect(await users()).toStrictEqual(before)
    expect(await links()).toHaveLength(1)
    expect(await run(world.core.access.session(projectId, session_token))).toMatchObject({ user_id: user.id })
  })

  it("links an identity to one user when several race; the other calls sign in that user", async () => {
    const { auth, projectId, identity, anonymous, atOnce, users, links } = await authWorld()
    const token = identity("idp_a", "ada", ada)
    const sessions = await Promise.all(Array.from({ length: 8 }, anonymous))
    const { successes } = await atOnce(
      sessions.map(({ session_token }) =>
        auth.identities.social(projectId, { provider: "idp_a", token, session_token }),
      ),
    )
    expect(successes).toHaveLength(8)
    expect(new Set(successes.map(({ user }) => user.id)).size).toBe(1)
    expect(await links()).toHaveLength(1)
    expect((await users()).filter(({ auth_providers }) => auth_providers.length > 0)).toHaveLength(1)
  })

  it("refuses a session that is not valid, and changes nothing", async () => {
    const subject = await authWorld()
    const { auth, projectId, refusal, identity, anonymous, users, links, world } = subject
    const bad = await badSessions(subject)
    const before = await users()
    for (const [why, session_token] of bad) {
      const input = { provider: "idp_a", token: identity("idp_a", "ada"), session_token } as const
      expect(await refusal(auth.identities.social(projectId, input)), why).toMatchObject({
        code: "INVALID_SESSION",
        kind: "unauthenticated",
      })
    }
    const { session_token } = await anonymous()
    await world.advance("1 hour")
    const input = { provider: "idp_a", token: identity("idp_a", "ada"), session_token } as const
    expect(await refusal(auth.identities.social(projectId, input))).toMatchObject({ code: "INVALID_SESSION" })
    expect((await users()).slice(0, before.length)).toStrictEqual(before)
    expect(await links()).toEqual([])
  })

  it("refuses a session of another project, even of a copy", async () => {
    const { auth, refusal, identity, anonymous, world, aCopy } = await authWorld()
    const { session_token } = await anonymous()
    const copy = await aCopy()
    const input = { provider: "idp_a", token: identity("idp_a", "ada"), session_token } as const
    expect(await refusal(auth.identities.social(copy, input))).toMatchObject({ code: "INVALID_SESSION" })
    expect(await world.run(world.tenants.read(copy, (db) => db.accountLinks.list({}, [])))).toEqual([])
  })
})

describe("the email of an identity [B9]", () => {
  it.for([
    [
      "is taken where Apple has verified it",
      "idp_a",
      { email: "Ada@Example.com", email_verified: "true" },
      "ada@example.com",
    ],
    ["is taken where it is Google's own", "idp_b", { email: "ada@gmail.com", email_verified: true }, "ada@gmail.com"],
    ["is not taken where it is not verified", "idp_a", { email: "ada@example.com", email_verified: false }, null],
    ["is not taken where Google does not run it", "idp_b", { email: "ada@example.com", email_verified: true }, null],
    ["may be missing", "idp_a", {}, null],
  ] as const)("%s", async ([, provider, claims, expected]) => {
    const { auth, projectId, run, identity } = await authWorld()
    const token = identity(provider, "ada", claims)
    const { user } = await run(auth.identities.social(projectId, { provider, token }))
    expect(user.email).toBe(expected)
  })

  it("is not taken from another user, and does not link to that user", async () => {
    const { auth, projectId, run, identity, users } = await authWorld()
    const owner = await run(auth.email.signup(projectId, { email: "ada@gmail.com", password: "correct horse" }))
    const token = identity("idp_a", "mallory", ada)
    const { user } = await run(auth.identities.social(projectId, { provider: "idp_a", token }))
    expect(user.id).not.toBe(owner.user.id)
    expect(user.email).toBeNull()
    expect((await users()).find(({ id }) => id === owner.user.id)).toStrictEqual(owner.user)
  })

  it("does not replace the one that the user has", async () => {
    const { auth, projectId, run, identity } = await authWorld()
    const { session_token } = await run(
      auth.email.signup(projectId, { email: "mine@example.com", password: "correct horse" }),
    )
    const token = identity("idp_a", "ada", ada)
    const { user } = await run(auth.identities.social(projectId, { provider: "idp_a", token, session_token }))
    expect(user).toMatchObject({ email: "mine@example.com", auth_providers: [{ provider_id: "ada" }] })
  })

  it("is given to one of several users who arrive with it at once", async () => {
    const { auth, projectId, identity, atOnce, users } = await authWorld()
    const signIns = Array.from({ length: 12 }, (_, turn) => {
      const provider = turn % 2 === 0 ? "idp_a" : "idp_b"
      return auth.identities.social(projectId, { provider, token: identity(provider, `ada-${turn % 4}`, ada) })
    })
    expect((await atOnce(signIns)).successes).toHaveLength(12)
    const emails = (await users()).map(({ email }) => email)
    expect(emails.toSorted()).toEqual(["ada@gmail.com", null, null, null])
  })
})

describe("an identity token", () => {
  it.for(providers)("is refused while the project has no audience for %s", async (provider) => {
    const { auth, projectId, refusal, identity, users } = await authWorld({ bundle_id: null, oauth_client_id: null })
    const refused = await refusal(auth.identities.social(projectId, { provider, token: identity(provider, "ada") }))
    expect(refused).toMatchObject({ code: "AUDIENCE_NOT_CONFIGURED", kind: "invalid" })
    expect(await users()).toEqual([])
  })

  it.for([
    ["for another app", "idp_a", { aud: "com.example.other" }],
    ["for the app that the other provider knows", "idp_a", { aud: audiences.idp_b }],
    ["for this app and another one", "idp_b", { aud: [audiences.idp_b, "other"] }],
    ["that has expired", "idp_b", { exp: Date.parse("2026-03-01T11:58:00.000Z") / 1000 }],
  ] as const)("is refused and signalled %s", async ([, provider, claims]) => {
    const { auth, projectId, refusal, identity, users, world } = await authWorld()
    const token = identity(provider, "ada", claims)
    const refused = await refusal(auth.identities.social(projectId, { provider, token }))
    expect(refused).toMatchObject({ code: "INVALID_TOKEN", kind: "unauthenticated" })
    expect(await users()).toEqual([])
    expect(world.signals.of("identity_refused")).toEqual([{ name: "identity_refused", provider }])
  })

  it("is refused at the other provider", async () => {
    const { auth, projectId, refusal, identity } = await authWorld({ oauth_client_id: audiences.idp_a })
    const input = { provider: "idp_b", token: identity("idp_a", "ada") } as const
    expect(await refusal(auth.identities.social(projectId, input))).toMatchObject({ code: "INVALID_TOKEN" })
  })

  it("must carry the nonce that the app sent", async () => {
    const { auth, projectId, run, refusal, identity } = await authWorld()
    const input = { provider: "idp_a", token: identity("idp_a", "ada", { nonce: "n-1" }) } as const
    await run(auth.identities.social(projectId, { ...input, nonce: "n-1" }))
    expect(await refusal(auth.identities.social(projectId, { ...input, nonce: "n-2" }))).toMatchObject({
      code: "INVALID_TOKEN",
    })
  })

  it("dies, and is neither accepted nor refused, while the provider's keys cannot be fetched", async () => {
    const { auth, projectId, run, identity, world } = await authWorld()
    const input = { provider: "idp_a", token: identity("idp_a", "ada") } as const
    world.identities.unreachable(true)
    const exit = await run(Effect.exit(auth.identities.social(projectId, input)))
    expect([Exit.hasDies(exit), Exit.hasFails(exit)]).toEqual([true, false])
    world.identities.unreachable(false)
    await run(auth.identities.social(projectId, input))
  })

  it("is refused for an unknown project and for an unreachable one", async () => {
    const { auth, projectId, refusal, identity, world } = await authWorld()
    const input = { provider: "idp_a", token: identity("idp_a", "ada") } as const
    expect(await refusal(auth.identities.social(anId(), input))).toMatchObject({ code: "NOT_FOUND" })
    world.tenants.unreachable(projectId, true)
    expect(await refusal(auth.identities.social(projectId, input))).toMatchObject({ code: "TENANT_UNAVAILABLE" })
  })
})
