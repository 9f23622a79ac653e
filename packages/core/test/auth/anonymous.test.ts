import { aStreakDefinition, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

describe("anonymous sign-in (spec: client authentication)", () => {
  it("creates a user without an identity, with a session", async () => {
    const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
    const { projectId } = await world.aProjectWithOwner()
    const result = await world.run(world.core.auth.anonymous(projectId))
    expect(result.user).toMatchObject({
      email: null,
      display_name: expect.stringMatching(/^[A-Z][a-z]+[A-Z][a-z]+$/),
      anonymous_id: expect.stringMatching(/^anon_[0-9A-Za-z]{24}$/),
      auth_providers: [],
      properties: {},
      first_seen_at: new Date("2026-03-01T12:00:00.000Z"),
      last_seen_at: new Date("2026-03-01T12:00:00.000Z"),
      external_id: null,
      timezone: null,
    })
    expect(result.anonymous_id).toBe(result.user.anonymous_id)
    const caller = await world.run(world.core.access.session(projectId, result.session_token))
    expect(caller.user_id).toBe(result.user.id)
    const claims = await world.run(world.ports.tokens.verify("refresh", result.refresh_token))
    expect(claims).toMatchObject({ sub: result.user.id, pid: projectId, sid: caller.session_id })
  })

  it("creates another user each time", async () => {
    const world = testWorld()
    const { projectId } = await world.aProjectWithOwner()
    const users = await world.run(
      Effect.all(
        Array.from({ length: 20 }, () => world.core.auth.anonymous(projectId)),
        { concurrency: "unbounded" },
      ),
    )
    expect(new Set(users.map(({ user }) => user.id)).size).toBe(20)
    expect(new Set(users.map(({ anonymous_id }) => anonymous_id)).size).toBe(20)
  })

  it("stores only the fingerprint of the refresh token", async () => {
    const world = testWorld()
    const { projectId } = await world.aProjectWithOwner()
    const { refreshToken } = await world.aSignedInUser(projectId)
    const rows = await world.run(world.tenants.read(projectId, (db) => db.authSessions.refreshTokens.list({}, [])))
    expect(rows).toMatchObject([{ token_hash: world.ports.tokens.fingerprint(refreshToken), revoked_at: null }])
  })

  it("fails with TENANT_UNAVAILABLE when the project's database cannot be reached", async () => {
    const world = testWorld()
    const { projectId } = await world.aProjectWithOwner()
    world.tenants.unreachable(projectId, true)
    const refused = await world.run(Effect.flip(world.core.auth.anonymous(projectId)))
    expect(refused).toMatchObject({ code: "TENANT_UNAVAILABLE", kind: "upstream" })
  })

  it("does not begin a streak", async () => {
    const world = testWorld()
    const { projectId } = await world.aProjectWithOwner()
    const { id: _, created_at: __, ...definition } = aStreakDefinition()
    await world.run(world.core.streaks.create(projectId, definition))
    const { userId } = await world.aSignedInUser(projectId)
    expect(await world.run(world.core.streaks.own(projectId, userId))).toEqual([])
  })
})
