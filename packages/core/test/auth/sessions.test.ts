import { anId } from "@hearth/testing"
import { describe, expect, it } from "vitest"
import { authWorld } from "./world.ts"

const ada = { email: "ada@example.com", password: "correct horse" }
const invalid = { code: "INVALID_TOKEN", kind: "unauthenticated" }

/** A user with three sessions, created an hour apart. */
const threeSessions = async () => {
  const subject = await authWorld()
  const { auth, projectId, run, world } = subject
  const readSession = async (
    result: Promise<{ session_token: string; refresh_token: string; user: { id: string } }>,
  ) => {
    const { session_token, refresh_token, user } = await result
    const { sid } = await run(world.ports.tokens.verify("session", session_token))
    return { session_token, refresh_token, sid, userId: user.id }
  }
  const first = await readSession(run(auth.email.signup(projectId, ada)))
  await world.advance("1 hour")
  const second = await readSession(run(auth.email.login(projectId, ada)))
  await world.advance("1 hour")
  const third = await readSession(run(auth.email.login(projectId, ada)))
  const { userId } = first
  return {
    ...subject,
    ...{ first, second, third, userId },
    list: (current = third.sid) => run(auth.sessions.list(projectId, userId, current)),
    revoke: (sid: string, by = userId) => run(auth.sessions.revoke(projectId, by, sid)),
    refresh: (token: string) => run(auth.sessions.refresh(projectId, token)),
    refused: async (token: string) =>
      expect(await subject.refusal(auth.sessions.refresh(projectId, token))).toMatchObject(invalid),
    change: (is_disabled: boolean) => run(world.core.users.change(projectId, userId, { is_disabled })),
  }
}

describe("a user's own sessions [D]", () => {
  it("are listed, the last used first, and the one of the call is marked", async () => {
    const { list, refresh, first, second, third, world } = await threeSessions()
    await world.advance("1 hour")
    await refresh(second.refresh_token)
    const at = (hour: number) => new Date(Date.UTC(2026, 2, 1, hour))
    expect(await list(first.sid)).toMatchObject([
      { id: second.sid, created_at: at(13), last_used_at: at(15), is_current: false },
      { id: third.sid, created_at: at(14), last_used_at: at(14), is_current: false },
      { id: first.sid, created_at: at(12), last_used_at: at(12), is_current: true },
    ])
  })

  it("are not listed once they were revoked or cannot be refreshed any more", async () => {
    const { list, revoke, auth, projectId, run, refresh, first, second, third, world } = await threeSessions()
    await run(auth.sessions.logout(projectId, first.refresh_token))
    await revoke(second.sid)
    expect((await list()).map(({ id }) => id)).toEqual([third.sid])
    await world.advance("59 days")
    await refresh(third.refresh_token)
    await world.advance("59 days")
    expect((await list()).map(({ id }) => id)).toEqual([third.sid])
    await world.advance("1 day")
    expect(await list()).toEqual([])
  })

  it("are not listed for another user", async () => {
    const { auth, anonymous, run, projectId } = await threeSessions()
    const { user } = await anonymous()
    expect(await run(auth.sessions.list(projectId, user.id, anId()))).toMatchObject([{ is_current: false }])
    expect(await run(auth.sessions.list(projectId, anId(), anId()))).toEqual([])
  })
})

describe("revoking one of a user's own sessions", () => {
  it("ends it at once, within a second on every node, and no other one [B1]", async () => {
    const { revoke, refused, refresh, callerOf, refusal, run, first, second, projectId, world } = await threeSessions()
    const live = await refresh(first.refresh_token)
    const other = world.otherProcess()
    const elsewhere = other.access.session(projectId, live.session_token)
    await callerOf(live.session_token)
    await run(elsewhere)
    await revoke(first.sid)
    await refused(live.refresh_token)
    expect(await refusal(world.core.access.session(projectId, live.session_token))).toMatchObject(invalid)
    await world.advance("1 second")
    expect(await refusal(elsewhere)).toMatchObject(invalid)
    await refresh(second.refresh_token)
    expect(world.signals.of("session_ended")).toEqual([{ name: "session_ended", by: "user" }])
  })

  it("does nothing for an unknown or already revoked session", async () => {
    const { revoke, list, first, world } = await threeSessions()
    await revoke(anId())
    expect(await list()).toHaveLength(3)
    await revoke(first.sid)
    await revoke(first.sid)
    expect(await list()).toHaveLength(2)
    expect(world.signals.of("session_ended")).toHaveLength(1)
  })

  it("does nothing to a session of another user", async () => {
    const { revoke, list, refresh, anonymous, first, world } = await threeSessions()
    const { user } = await anonymous()
    await revoke(first.sid, user.id)
    expect(await list()).toHaveLength(3)
    await refresh(first.refresh_token)
    expect(world.signals.of("session_ended")).toEqual([])
  })
})

describe("disabling a user", () => {
  it("ends all sessions at once, and within a second on every node [B1]", async () => {
    const { change, refused, refusal, run, refresh, callerOf, first, second, third, projectId, world, list } =
      await threeSessions()
    const live = [await refresh(first.refresh_token), await refresh(second.refresh_token), third]
    const other = world.otherProcess()
    const attempts = live.map(({ session_token }) => other.access.session(projectId, session_token))
    for (const attempt of attempts) await run(attempt)
    for (const { session_token } of live) await callerOf(session_token)
    expect(await change(true)).toMatchObject({ id: first.userId, is_disabled: true })
    for (const { refresh_token } of live) await refused(refresh_token)
    for (const { session_token } of live) {
      expect(await refusal(world.core.access.session(projectId, session_token))).toMatchObject(invalid)
    }
    await world.advance("1 second")
    for (const attempt of attempts) expect(await refusal(attempt)).toMatchObject(invalid)
    expect(await list()).toEqual([])
    expect(world.signals.of("session_ended")).toEqual([{ name: "session_ended", by: "developer" }])
  })

  it("affects no other user", async () => {
    const { change, anonymous, callerOf, refresh } = await threeSessions()
    const other = await anonymous()
    await change(true)
    await callerOf(other.session_token)
    await refresh(other.refresh_token)
  })

  it("can be undone: the user can sign in again, and the earlier sessions stay revoked", async () => {
    const { auth, projectId, run, refusal, change, refused, callerOf, third, list } = await threeSessions()
    await change(true)
    expect(await refusal(auth.email.login(projectId, ada))).toMatchObject({ code: "INVALID_CREDENTIALS" })
    expect(await change(false)).toMatchObject({ is_disabled: false })
    await refused(third.refresh_token)
    const again = await run(auth.email.login(projectId, ada))
    expect(await callerOf(again.session_token)).toMatchObject({ user_id: third.userId })
    expect(await list()).toHaveLength(1)
  })

  it("does nothing when the value is unchanged", async () => {
    const { change, run, users, projectId, userId, world, list } = await threeSessions()
    const before = await users()
    await world.advance("1 minute")
    await change(false)
    expect(await run(world.core.users.change(projectId, userId, {}))).toMatchObject({ is_disabled: false })
    expect(await users()).toStrictEqual(before)
    expect(await list()).toHaveLength(3)
    await change(true)
    await change(true)
    expect(world.signals.of("session_ended")).toHaveLength(1)
    expect(await users()).toMatchObject([{ updated_at: world.clock.now() }])
  })

  it("is seen in the sessions that developers are shown", async () => {
    const { auth, change, first, second, third, projectId, run, refusal, userId } = await threeSessions()
    const shown = await run(auth.sessions.ofUser(projectId, userId))
    expect(shown.map(({ id }) => id)).toEqual([third.sid, second.sid, first.sid])
    await change(true)
    expect(await run(auth.sessions.ofUser(projectId, userId))).toEqual([])
    expect(await refusal(auth.sessions.ofUser(projectId, anId()))).toMatchObject({ code: "NOT_FOUND" })
  })

  it("fails for an unknown user", async () => {
    const { refusal, projectId, world } = await threeSessions()
    const refused = await refusal(world.core.users.change(projectId, anId(), { is_disabled: true }))
    expect(refused).toMatchObject({ code: "NOT_FOUND" })
  })
})
