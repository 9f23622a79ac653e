import { type TestWorld, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const ada = { email: "ada@example.com", password: "correct horse" }

const signedIn = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { developer, refresh_token, access_token } = await world.run(world.core.developers.signup(ada))
  return { world, developer, refresh_token, access_token }
}

const refresh = (world: TestWorld, token: string) => world.run(world.core.developers.refresh(token))
const refused = async (world: TestWorld, token: string) => {
  const { code } = await world.run(Effect.flip(world.core.developers.refresh(token)))
  return code
}
const reuses = (world: TestWorld) => world.signals.of("refresh_reuse_detected").length

/** Refresh tokens that could still be used: at most one of a session [B6]. */
const liveTokens = (world: TestWorld) =>
  world.run(
    world.control.read((db) =>
      Effect.gen(function* () {
        const families = yield* db.sessions.families.list({ revoked_at: null }, [])
        const tokens = yield* db.sessions.refreshTokens.list({ revoked_at: null }, [])
        return tokens.filter((token) => families.some(({ id }) => id === token.family_id)).length
      }),
    ),
  )

describe("refreshing [B6]", () => {
  it("gives a new pair of the same session, and revokes the old refresh token", async () => {
    const { world, developer, refresh_token } = await signedIn()
    const pair = await refresh(world, refresh_token)
    expect(pair.refresh_token).not.toBe(refresh_token)
    expect(await world.run(world.core.access.developer(pair.access_token))).toMatchObject({
      developer_id: developer.id,
    })
    const sid = async (token: string) => (await world.run(world.ports.tokens.verify("developer_refresh", token))).sid
    expect(await sid(pair.refresh_token)).toBe(await sid(refresh_token))
    expect(await liveTokens(world)).toBe(1)
  })

  it("works as long as each refresh comes within 30 days", async () => {
    const { world, refresh_token } = await signedIn()
    let token = refresh_token
    for (let times = 0; times < 5; times += 1) {
      await world.advance("29 days")
      token = (await refresh(world, token)).refresh_token
    }
    await world.advance("30 days")
    expect(await refused(world, token)).toBe("INVALID_TOKEN")
  })

  it("stores only the fingerprints of tokens", async () => {
    const { world, refresh_token } = await signedIn()
    const [row] = await world.run(world.control.read((db) => db.sessions.refreshTokens.list({}, [])))
    expect(row?.token_hash).toBe(world.ports.tokens.fingerprint(refresh_token))
    expect(JSON.stringify(row)).not.toContain(refresh_token)
  })

  it("refuses other kinds of token, foreign tokens and anything else", async () => {
    const { world, access_token, refresh_token } = await signedIn()
    const { projectId } = await world.aProjectWithOwner()
    const user = await world.aSignedInUser(projectId)
    const foreign = await signedIn()
    for (const token of [access_token, user.refreshToken, user.sessionToken, foreign.refresh_token, " ", "a.b.c"]) {
      expect(await refused(world, token)).toBe("INVALID_TOKEN")
    }
    await refresh(world, refresh_token)
  })
})

describe("a refresh token that is presented again [B6]", () => {
  it("within ten seconds is taken for a concurrent client: refused, and the new token still works", async () => {
    const { world, refresh_token } = await signedIn()
    const pair = await refresh(world, refresh_token)
    await world.advance("10 seconds")
    expect(await refused(world, refresh_token)).toBe("INVALID_TOKEN")
    expect(reuses(world)).toBe(0)
    await refresh(world, pair.refresh_token)
  })

  it("later is taken for theft: the whole session ends, and a signal is emitted", async () => {
    const { world, refresh_token } = await signedIn()
    const pair = await refresh(world, refresh_token)
    const next = await refresh(world, pair.refresh_token)
    await world.advance("10001 millis")
    expect(await refused(world, refresh_token)).toBe("INVALID_TOKEN")
    expect(reuses(world)).toBe(1)
    expect(await refused(world, next.refresh_token)).toBe("INVALID_TOKEN")
    expect(await liveTokens(world)).toBe(0)
  })

  it("ends no other session of the same developer", async () => {
    const { world, refresh_token } = await signedIn()
    const other = await world.run(world.core.developers.login(ada))
    await refresh(world, refresh_token)
    await world.advance("11 seconds")
    await refused(world, refresh_token)
    await refresh(world, other.refresh_token)
  })

  it("is signalled once", async () => {
    const { world, refresh_token } = await signedIn()
    await refresh(world, refresh_token)
    await world.advance("1 minute")
    await refused(world, refresh_token)
    await refused(world, refresh_token)
    expect(reuses(world)).toBe(1)
  })

  it("by eight clients at once works for exactly one of them", async () => {
    const { world, refresh_token } = await signedIn()
    const clients = Array.from({ length: 8 }, () => Effect.result(world.core.developers.refresh(refresh_token)))
    const outcomes = await world.run(Effect.all(clients, { concurrency: "unbounded" }))
    const pairs = outcomes.flatMap((outcome) => (outcome._tag === "Success" ? [outcome.success] : []))
    expect(pairs).toHaveLength(1)
    expect(reuses(world)).toBe(0)
    expect(await liveTokens(world)).toBe(1)
    await refresh(world, pairs[0]?.refresh_token ?? "")
  })
})

describe("logging out", () => {
  it("ends the session, and can be done again", async () => {
    const { world, refresh_token, access_token } = await signedIn()
    expect(await world.run(world.core.developers.logout(refresh_token))).toEqual({ success: true })
    expect(await refused(world, refresh_token)).toBe("INVALID_TOKEN")
    expect(await world.run(Effect.flip(world.core.access.developer(access_token)))).toMatchObject({
      code: "UNAUTHORIZED",
    })
    expect(await world.run(world.core.developers.logout(refresh_token))).toEqual({ success: true })
    expect(reuses(world)).toBe(0)
  })

  it("ends the session also when the token has been rotated", async () => {
    const { world, refresh_token } = await signedIn()
    const pair = await refresh(world, refresh_token)
    await world.run(world.core.developers.logout(refresh_token))
    expect(await refused(world, pair.refresh_token)).toBe("INVALID_TOKEN")
  })

  it("ends only that session", async () => {
    const { world, refresh_token } = await signedIn()
    const other = await world.run(world.core.developers.login(ada))
    await world.run(world.core.developers.logout(refresh_token))
    await world.run(world.core.access.developer(other.access_token))
    await refresh(world, other.refresh_token)
  })

  it("succeeds for anything that is not a token", async () => {
    const { world, access_token, refresh_token } = await signedIn()
    for (const token of [" ", "a.b.c", access_token]) {
      expect(await world.run(world.core.developers.logout(token))).toEqual({ success: true })
    }
    await refresh(world, refresh_token)
  })
})
