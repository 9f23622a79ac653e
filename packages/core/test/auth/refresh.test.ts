import { describe, expect, it } from "vitest"
import { type AuthWorld, authWorld } from "./world.ts"

const invalid = { code: "INVALID_TOKEN", kind: "unauthenticated" }

const signedIn = async () => {
  const subject = await authWorld()
  const { auth, projectId, run, refusal } = subject
  return {
    ...subject,
    ...(await subject.anonymous()),
    refresh: (token: string) => run(auth.sessions.refresh(projectId, token)),
    refused: async (token: string) =>
      expect(await refusal(auth.sessions.refresh(projectId, token))).toMatchObject(invalid),
    logout: (token: string) => run(auth.sessions.logout(projectId, token)),
    reuses: () => subject.world.signals.of("refresh_reuse_detected"),
    sidOf: async (token: string) => (await run(subject.world.ports.tokens.verify("refresh", token))).sid,
  }
}

/** How many refresh tokens could still be used, of each session that has any. */
const liveTokens = async ({ read }: AuthWorld) => {
  const families = await read((db) => db.authSessions.families.list({ revoked_at: null }, []))
  const tokens = await read((db) => db.authSessions.refreshTokens.list({ revoked_at: null }, []))
  return families
    .map(({ id }) => tokens.filter(({ family_id }) => family_id === id).length)
    .filter((count) => count > 0)
}

/** Expects that a session token is refused from now on, where it was accepted a moment ago. */
const expectEnded = async ({ world, projectId, refusal }: AuthWorld, token: string) => {
  expect(await refusal(world.core.access.session(projectId, token))).toMatchObject(invalid)
}

describe("refreshing [B6]", () => {
  it("gives a new pair of the same session, and revokes the old refresh token", async () => {
    const subject = await signedIn()
    const { refresh, refresh_token, user, callerOf, sidOf, families, users, world } = subject
    await world.advance("2 hours")
    const pair = await refresh(refresh_token)
    expect(Object.keys(pair).sort()).toEqual(["refresh_token", "session_token"])
    const sid = await sidOf(refresh_token)
    expect(await sidOf(pair.refresh_token)).toBe(sid)
    expect(await callerOf(pair.session_token)).toMatchObject({ user_id: user.id, session_id: sid })
    expect(await families()).toMatchObject([{ id: sid, last_used_at: world.clock.now(), revoked_at: null }])
    expect(await users()).toMatchObject([{ last_seen_at: world.clock.now() }])
    expect(await liveTokens(subject)).toEqual([1])
  })

  it("works as long as each refresh comes within 60 days [B4]", async () => {
    const { refresh, refresh_token, refused, world } = await signedIn()
    let token = refresh_token
    for (let times = 0; times < 4; times += 1) {
      await world.advance("59 days")
      token = (await refresh(token)).refresh_token
    }
    await world.advance("60 days")
    await refused(token)
  })

  it("keeps the tokens of a session for as long as they could have been used, and no longer", async () => {
    const { refresh, refresh_token, read, world } = await signedIn()
    let token = refresh_token
    const counts: Array<number> = []
    for (let times = 0; times < 6; times += 1) {
      await world.advance("20 days")
      token = (await refresh(token)).refresh_token
      counts.push((await read((db) => db.authSessions.refreshTokens.list({}, []))).length)
    }
    expect(counts).toEqual([2, 3, 3, 3, 3, 3])
  })

  it("stores only the fingerprints of tokens", async () => {
    const { refresh, refresh_token, read, world } = await signedIn()
    const pair = await refresh(refresh_token)
    const rows = await read((db) => db.authSessions.refreshTokens.list({}, [["created_at", "asc"]]))
    const hashes = [refresh_token, pair.refresh_token].map((token) => world.ports.tokens.fingerprint(token))
    expect(rows.map(({ token_hash }) => token_hash).sort()).toEqual(hashes.sort())
  })

  it("refuses other kinds of token, foreign tokens and anything else", async () => {
    const { refresh, refresh_token, session_token, refused, world } = await signedIn()
    const developer = await world.run(
      world.core.developers.signup({ email: "dev@example.com", password: "correct horse" }),
    )
    const foreign = await signedIn()
    for (const token of [session_token, developer.refresh_token, foreign.refresh_token, " ", "a.b.c"]) {
      await refused(token)
    }
    await refresh(refresh_token)
  })

  it("refuses a token of another project, even of a copy, and revokes none there", async () => {
    const { refresh_token, refresh, auth, refusal, projectId, aCopy, world } = await signedIn()
    const copy = await aCopy()
    expect(await refusal(auth.sessions.refresh(copy, refresh_token))).toMatchObject(invalid)
    const rows = await world.run(world.tenants.read(copy, (db) => db.authSessions.refreshTokens.list({}, [])))
    expect(rows).toMatchObject([{ revoked_at: null }])
    await refresh(refresh_token)
    world.tenants.unreachable(projectId, true)
    expect(await refusal(auth.sessions.refresh(projectId, refresh_token))).toMatchObject({
      code: "TENANT_UNAVAILABLE",
    })
  })

  it("is refused to disabled and removed users, and their earlier sessions stay revoked", async () => {
    const { refused, refresh_token, user, disable, anonymous, projectId, world } = await signedIn()
    await disable(user.id)
    await refused(refresh_token)
    await world.run(world.core.users.change(projectId, user.id, { is_disabled: false }))
    await refused(refresh_token)
    const gone = await anonymous()
    await world.run(world.core.users.remove(projectId, gone.user.id))
    await refused(gone.refresh_token)
  })
})

describe("a refresh token that is presented again [B6]", () => {
  it("within ten seconds is taken for a concurrent client: refused, and the new token still works", async () => {
    const { refresh, refresh_token, refused, reuses, world } = await signedIn()
    const pair = await refresh(refresh_token)
    await world.advance("10 seconds")
    await refused(refresh_token)
    expect(reuses()).toEqual([])
    await refresh(pair.refresh_token)
  })

  it("later is taken for theft: the session ends, with every token that came of it", async () => {
    const subject = await signedIn()
    const { refresh, refresh_token, refused, reuses, callerOf, world } = subject
    const child = await refresh(refresh_token)
    const grandchild = await refresh(child.refresh_token)
    await world.advance("10001 millis")
    await callerOf(grandchild.session_token)
    await refused(refresh_token)
    expect(reuses()).toEqual([{ name: "refresh_reuse_detected", plane: "client" }])
    await refused(grandchild.refresh_token)
    expect(await liveTokens(subject)).toEqual([])
    await expectEnded(subject, grandchild.session_token)
    await refused(refresh_token)
    expect(reuses()).toHaveLength(1)
  })

  it("ends no other session of the user", async () => {
    const { auth, projectId, run, refresh, refused, world } = await signedIn()
    const ada = { email: "ada@example.com", password: "correct horse" }
    const first = await run(auth.email.signup(projectId, ada))
    const second = await run(auth.email.login(projectId, ada))
    await refresh(first.refresh_token)
    await world.advance("1 minute")
    await refused(first.refresh_token)
    await refresh(second.refresh_token)
  })

  it("by twenty clients at once works for exactly one of them", async () => {
    const subject = await signedIn()
    const { auth, projectId, atOnce, refresh, refresh_token, reuses } = subject
    const { successes, failures } = await atOnce(
      Array.from({ length: 20 }, () => auth.sessions.refresh(projectId, refresh_token)),
    )
    expect(successes).toHaveLength(1)
    expect(failures.map(({ code }) => code)).toEqual(Array.from({ length: 19 }, () => "INVALID_TOKEN"))
    expect(reuses()).toEqual([])
    expect(await liveTokens(subject)).toEqual([1])
    await refresh(successes[0]?.refresh_token ?? "")
  })
})

describe("logging out", () => {
  it("ends the session, and can be done again", async () => {
    const subject = await signedIn()
    const { logout, refused, refresh_token, session_token, callerOf, reuses } = subject
    await callerOf(session_token)
    expect(await logout(refresh_token)).toEqual({ success: true })
    await refused(refresh_token)
    await expectEnded(subject, session_token)
    expect(await logout(refresh_token)).toEqual({ success: true })
    expect(reuses()).toEqual([])
  })

  it("takes effect on every other node within a second [B1]", async () => {
    const { logout, refresh_token, session_token, projectId, refusal, run, world } = await signedIn()
    const other = world.otherProcess()
    await run(other.access.session(projectId, session_token))
    await logout(refresh_token)
    await world.advance("1 second")
    expect(await refusal(other.access.session(projectId, session_token))).toMatchObject(invalid)
  })

  it("ends the session also when the token has been rotated", async () => {
    const { logout, refresh, refused, refresh_token } = await signedIn()
    const pair = await refresh(refresh_token)
    await logout(refresh_token)
    await refused(pair.refresh_token)
  })

  it("ends only that session", async () => {
    const { logout, refresh, anonymous, refresh_token } = await signedIn()
    const other = await anonymous()
    await logout(refresh_token)
    await refresh(other.refresh_token)
  })

  it("succeeds for anything that is not a token of the project", async () => {
    const { logout, refresh, refresh_token, session_token, aCopy, auth, run, world } = await signedIn()
    for (const token of [" ", "a.b.c", session_token]) expect(await logout(token)).toEqual({ success: true })
    const copy = await aCopy()
    expect(await run(auth.sessions.logout(copy, refresh_token))).toEqual({ success: true })
    const rows = await run(world.tenants.read(copy, (db) => db.authSessions.families.list({}, [])))
    expect(rows).toMatchObject([{ revoked_at: null }])
    await refresh(refresh_token)
  })
})
