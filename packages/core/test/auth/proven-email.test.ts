import type { Failure } from "@hearth/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { authWorld } from "./world.ts"

const email = "victim@gmail.com"
const claims = { email, email_verified: true }
const mallory = { email, password: "mallory's own" }

/** A world in which mallory has signed up with the victim's email, linked identities of her own, and registered her phone. */
const hijackedWorld = async () => {
  const subject = await authWorld()
  const { auth, projectId, run, identity, world } = subject
  const { user, session_token, refresh_token } = await run(auth.email.signup(projectId, mallory))
  const hers = identity("idp_a", "mallory", { email: "mallory@example.com", email_verified: true })
  const linked = await run(auth.identities.link(projectId, { provider: "idp_a", token: hers, session_token }))
  const phone = { token: "mallory's phone", platform: "ios" } as const
  await run(world.core.pushTokens.register(projectId, user.id, phone))
  await world.advance("1 minute")
  // Access remembers her sessions from now on.
  for (const token of [session_token, linked.session_token]) await subject.callerOf(token)
  const social = (provider: "idp_a" | "idp_b", token: string, session: { readonly session_token?: string } = {}) =>
    auth.identities.social(projectId, { provider, token, ...session })
  const openLink = async (session: { readonly session_token?: string } = {}) => {
    await run(auth.magicLinks.request(projectId, email, null))
    const token = /token=(\S+)/.exec(world.mailer.sent.at(-1)?.text ?? "")?.[1] ?? ""
    return auth.magicLinks.verify(projectId, { token, ...session })
  }
  const outcome = <A>(effect: Effect.Effect<A, Failure>) =>
    run(Effect.match(effect, { onFailure: ({ code }) => code, onSuccess: () => "ok" }))
  /** What mallory can still do. */
  const whatMalloryCan = async () => {
    const sessions = [session_token, linked.session_token]
    return {
      login: await outcome(auth.email.login(projectId, mallory)),
      sessions: await Promise.all(sessions.map((token) => outcome(world.core.access.session(projectId, token)))),
      refreshes: await Promise.all(
        [refresh_token, linked.refresh_token].map((token) => outcome(auth.sessions.refresh(projectId, token))),
      ),
      upgrade: await outcome(social("idp_b", identity("idp_b", "mallory too"), { session_token })),
      identity: (await run(social("idp_a", hers))).user.id === user.id ? "hers" : "of another account",
      pushes: (await subject.read((db) => db.pushTokens.list({ app_user_id: user.id, is_active: true }, []))).length,
    }
  }
  const stored = async () => (await subject.users()).find(({ id }) => id === user.id)
  return { ...subject, userId: user.id, session_token, social, openLink, outcome, whatMalloryCan, stored, linked, hers }
}

const nothing = {
  login: "INVALID_CREDENTIALS",
  sessions: ["INVALID_TOKEN", "INVALID_TOKEN"],
  refreshes: ["INVALID_TOKEN", "INVALID_TOKEN"],
  upgrade: "INVALID_SESSION",
  identity: "of another account",
  pushes: 0,
}

describe("an account that somebody else signed up [B15]", () => {
  it("leaves them everything while the email is not proven", async () => {
    const { whatMalloryCan, stored } = await hijackedWorld()
    expect(await stored()).toMatchObject({ email_verified_at: null })
    expect(await whatMalloryCan()).toEqual({
      login: "ok",
      sessions: ["ok", "ok"],
      refreshes: ["ok", "ok"],
      upgrade: "ok",
      identity: "hers",
      pushes: 1,
    })
  })

  it("leaves them nothing once the email is proven by a magic link", async () => {
    const { run, openLink, whatMalloryCan, userId, stored, world, callerOf, families } = await hijackedWorld()
    const victim = await run(await openLink())
    expect(victim.user.id).toBe(userId)
    expect(victim.user).toMatchObject({ email, auth_providers: [], password_hash: null })
    expect(await callerOf(victim.session_token)).toMatchObject({ user_id: userId })
    const now = world.clock.now()
    expect(await stored()).toMatchObject({ email_verified_at: now, password_hash: null, auth_providers: [] })
    expect((await families()).filter(({ revoked_at }) => revoked_at === null)).toHaveLength(1)
    expect(world.signals.of("email_proven")).toEqual([{ name: "email_proven" }])
    expect(await whatMalloryCan()).toEqual(nothing)
    expect(await callerOf(victim.session_token)).toMatchObject({ user_id: userId })
  })

  it.each(["social", "link"] as const)(
    "leaves nothing but the identity that proves the email, when one is linked by %s",
    async (how) => {
      const { auth, projectId, run, identity, social, session_token, whatMalloryCan, userId, links, stored } =
        await hijackedWorld()
      const token = identity("idp_b", "victim", claims)
      const call =
        how === "social"
          ? social("idp_b", token, { session_token })
          : auth.identities.link(projectId, { provider: "idp_b", token, session_token })
      const { user } = await run(call)
      const auth_providers = [{ provider: "idp_b", provider_id: "victim" }]
      expect(user).toMatchObject({ id: userId, auth_providers, password_hash: null })
      expect(await links()).toMatchObject([{ app_user_id: userId, ...auth_providers[0] }])
      expect((await stored())?.email_verified_at).toBeInstanceOf(Date)
      expect(await whatMalloryCan()).toEqual(nothing)
      expect((await run(social("idp_b", token))).user.id).toBe(userId)
    },
  )

  it("leaves nothing once an identity that it has proves the email at a later sign-in", async () => {
    const { run, identity, social, session_token, whatMalloryCan, userId } = await hijackedWorld()
    const early = identity("idp_b", "victim", { email, email_verified: false })
    await run(social("idp_b", early, { session_token }))
    expect((await whatMalloryCan()).login).toBe("ok")
    const { user } = await run(social("idp_b", identity("idp_b", "victim", claims)))
    expect(user).toMatchObject({ id: userId, auth_providers: [{ provider: "idp_b", provider_id: "victim" }] })
    expect(await whatMalloryCan()).toEqual(nothing)
  })

  it.each([
    ["of another email", { email: "other@gmail.com", email_verified: true }],
    ["that is not verified", { email, email_verified: false }],
    ["without an email", {}],
  ])("is not proven by an identity token %s", async (_, given) => {
    const { run, identity, social, session_token, stored, outcome, auth, projectId } = await hijackedWorld()
    await run(social("idp_b", identity("idp_b", "somebody", given), { session_token }))
    expect(await stored()).toMatchObject({ email, email_verified_at: null })
    expect(await outcome(auth.email.login(projectId, mallory))).toBe("ok")
  })

  it("is left alone by an identity of the same email that signs in by itself: email never links [B9]", async () => {
    const { run, identity, social, stored, userId } = await hijackedWorld()
    const before = await stored()
    const { user } = await run(social("idp_b", identity("idp_b", "victim", claims)))
    expect(user).toMatchObject({ email: null, email_verified_at: null })
    expect(user.id).not.toBe(userId)
    expect(await stored()).toStrictEqual(before)
  })
})

describe("a proven email", () => {
  it("is not proven again: identities, sessions and devices stay", async () => {
    const { auth, projectId, run, openLink, identity, social, stored, world, callerOf, read } = await hijackedWorld()
    const first = await run(await openLink())
    await run(world.core.pushTokens.register(projectId, first.user.id, { token: "victim's phone", platform: "ios" }))
    const token = identity("idp_a", "victim's phone")
    const { session_token } = await run(
      auth.identities.link(projectId, { provider: "idp_a", token, session_token: first.session_token }),
    )
    await world.advance("1 minute")
    const before = await stored()
    const again = await run(await openLink())
    expect(await stored()).toEqual({ ...before, last_seen_at: world.clock.now() })
    expect(again.user.auth_providers).toEqual([{ provider: "idp_a", provider_id: "victim's phone" }])
    for (const token of [first.session_token, session_token]) expect(await callerOf(token)).toMatchObject({})
    await run(social("idp_b", identity("idp_b", "victim", claims), { session_token }))
    expect((await stored())?.auth_providers).toHaveLength(2)
    expect(await read((db) => db.pushTokens.list({ is_active: true }, []))).toMatchObject([{ token: "victim's phone" }])
    expect(world.signals.of("email_proven")).toHaveLength(1)
  })

  it("is proven from the start where it comes from a magic link or a verified identity", async () => {
    const { auth, projectId, run, identity, users, anonymous, world } = await authWorld()
    const byIdentity = { email: "ann@gmail.com", email_verified: true }
    const ann = await run(
      auth.identities.social(projectId, { provider: "idp_a", token: identity("idp_a", "ann", byIdentity) }),
    )
    const { session_token } = await anonymous()
    for (const [to, session] of [
      ["bob@example.com", {}],
      ["cay@example.com", { session_token }],
    ] as const) {
      await run(auth.magicLinks.request(projectId, to, null))
      const token = /token=(\S+)/.exec(world.mailer.sent.at(-1)?.text ?? "")?.[1] ?? ""
      await run(auth.magicLinks.verify(projectId, { token, ...session }))
    }
    for (const user of await users()) expect(user.email_verified_at).toEqual(world.clock.now())
    expect(world.signals.of("email_proven")).toEqual([])
    // An account without an email had nothing of an unproven sign-up: its session goes on.
    expect(await run(world.core.access.session(projectId, session_token))).toMatchObject({})
    await run(auth.magicLinks.request(projectId, "ann@gmail.com", null))
    const token = /token=(\S+)/.exec(world.mailer.sent.at(-1)?.text ?? "")?.[1] ?? ""
    const { user } = await run(auth.magicLinks.verify(projectId, { token }))
    expect(user).toMatchObject({ id: ann.user.id, auth_providers: [{ provider: "idp_a", provider_id: "ann" }] })
    expect(await run(world.core.access.session(projectId, ann.session_token))).toMatchObject({ user_id: ann.user.id })
  })

  it("is shown to developers, and can be asked for in segments", async () => {
    const { run, openLink, projectId, userId, world, auth } = await hijackedWorld()
    await run(auth.email.signup(projectId, { email: "unproven@example.com", password: "x" }))
    const show = async () => await run(world.core.users.get(projectId, userId))
    expect(await show()).toMatchObject({ email_verified_at: null })
    await run(await openLink())
    expect(await show()).toMatchObject({ email_verified_at: world.clock.now() })
    const preview = (op: string) => {
      const conditions = [{ field: "email_verified_at", op, value: true }]
      return run(world.core.segments.preview(projectId, { operator: "AND", conditions }))
    }
    expect((await preview("exists")).user_count).toBe(1)
    expect((await preview("not_exists")).user_count).toBe(1)
  })
})
