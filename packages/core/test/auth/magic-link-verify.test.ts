import { anEvent, anId, aSessionFamily } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { type AuthWorld, authWorld, badSessions } from "./world.ts"

const email = "ada@example.com"
const invalid = { code: "INVALID_TOKEN", kind: "unauthenticated" }

const withVerification = (subject: AuthWorld) => {
  const { auth, projectId, ownerId, run, refusal, world } = subject
  const verify = (token: string, session: { readonly session_token?: string } = {}) =>
    auth.magicLinks.verify(projectId, { token, ...session })
  return {
    ...subject,
    verify,
    /** The token of a link that is asked for now. */
    aToken: async (to = email, project = projectId) => {
      await run(auth.magicLinks.request(project, to, null))
      return /token=(\S+)/.exec(world.mailer.sent.at(-1)?.text ?? "")?.[1] ?? ""
    },
    open: (token: string, session?: { readonly session_token?: string }) => run(verify(token, session)),
    refused: async (token: string) => expect(await refusal(verify(token))).toMatchObject(invalid),
    signup: (to = email) => run(auth.email.signup(projectId, { email: to, password: "correct horse" })),
    setCap: (mau_cap: number | null) => run(world.core.projects.update(projectId, ownerId, { mau_cap })),
  }
}

describe("opening a magic link", () => {
  it("creates a user without a password where the email has no user", async () => {
    const { aToken, open, callerOf, users } = withVerification(await authWorld())
    const result = await open(await aToken())
    expect(result.user).toMatchObject({
      email,
      display_name: expect.stringMatching(/^[A-Z]/),
      anonymous_id: expect.stringMatching(/^anon_/),
      auth_providers: [],
      password_hash: null,
    })
    expect(await users()).toStrictEqual([result.user])
    expect(await callerOf(result.session_token)).toMatchObject({ user_id: result.user.id })
  })

  it("signs in the user who has the email", async () => {
    const { aToken, open, signup, users, families, world } = withVerification(await authWorld())
    const { user } = await signup()
    await world.advance("1 day")
    const result = await open(await aToken())
    const now = world.clock.now()
    expect(result.user).toEqual({
      ...user,
      ...{ email_verified_at: now, password_hash: null, last_seen_at: now, updated_at: now },
    })
    expect([(await users()).length, (await families()).length]).toEqual([1, 2])
    await world.advance("1 day")
    const again = await open(await aToken())
    expect(again.user).toEqual({ ...result.user, last_seen_at: world.clock.now() })
  })

  it("is refused where its user was removed since, of whom no address stays", async () => {
    const { aToken, open, refused, signup, read, run, users, world, projectId } = withVerification(await authWorld())
    const { user } = await signup()
    const [used, mailed, ofOther] = [await aToken(), await aToken(), await aToken("bob@example.com")]
    await open(used)
    await run(world.core.users.remove(projectId, user.id))
    for (const token of [used, mailed]) await refused(token)
    expect(await users()).toEqual([])
    expect(await read((db) => db.magicLinks.list({}, []))).toMatchObject([{ email: "bob@example.com" }])
    const again = await open(await aToken())
    expect((await open(ofOther)).user.id).not.toBe(again.user.id)
    expect(again.user.id).not.toBe(user.id)
  })

  it("works once", async () => {
    const { aToken, open, refused, families, world } = withVerification(await authWorld())
    const token = await aToken()
    await open(token)
    await refused(token)
    await world.advance("1 day")
    await refused(token)
    expect(await families()).toHaveLength(1)
    expect(world.signals.of("magic_link_refused")).toHaveLength(2)
  })

  it("works for one of twenty concurrent calls", async () => {
    const { aToken, verify, atOnce, users, families } = withVerification(await authWorld())
    const token = await aToken()
    const { successes, failures } = await atOnce(Array.from({ length: 20 }, () => verify(token)))
    expect(successes).toHaveLength(1)
    expect(failures.map(({ code }) => code)).toEqual(Array.from({ length: 19 }, () => "INVALID_TOKEN"))
    expect([(await users()).length, (await families()).length]).toEqual([1, 1])
  })

  it("leaves the other links of the email valid: opened together, they sign in one user", async () => {
    const { aToken, verify, atOnce, users } = withVerification(await authWorld())
    const tokens = [await aToken(), await aToken(), await aToken()]
    const { successes } = await atOnce(tokens.map((token) => verify(token)))
    expect(successes).toHaveLength(3)
    expect(await users()).toHaveLength(1)
  })

  it("works for 15 minutes", async () => {
    const { aToken, open, refused, world } = withVerification(await authWorld())
    const [early, late] = [await aToken(), await aToken()]
    await world.advance("14 minutes")
    await world.advance("59999 millis")
    await open(early)
    await world.advance("1 millis")
    await refused(late)
  })

  it("is refused in the same way whatever is wrong with it", async () => {
    const { aToken, open, verify, refusal, disable, families, read, world, refused } = withVerification(
      await authWorld(),
    )
    const used = await aToken("used@example.com")
    const { user } = await open(used)
    const [ofDisabled, expired] = [await aToken("used@example.com"), await aToken("late@example.com")]
    await disable(user.id)
    const other = await world.aProjectWithOwner()
    const ofOther = await aToken(email, other.projectId)
    await world.advance("15 minutes")
    const [link] = await read((db) => db.magicLinks.list({ email: "late@example.com" }, []))
    const sessions = await families()

    const fresh = await aToken()
    const wrong = [
      " ",
      "x",
      ofOther,
      expired,
      used,
      ofDisabled,
      link?.token_hash ?? "",
      fresh.toLowerCase(),
      `${fresh}=`,
    ]
    const refusals = await Promise.all(wrong.map((token) => refusal(verify(token))))
    for (const one of refusals) {
      expect(one).toMatchObject(invalid)
      expect((one as Error).message).toBe((refusals[0] as Error).message)
    }
    expect(world.signals.of("magic_link_refused")).toHaveLength(wrong.length)
    expect(await families()).toStrictEqual(sessions)
    await open(fresh)
    await refused(fresh)
  })

  it("is not used up by a disabled user, who may be enabled in time", async () => {
    const { aToken, open, refused, signup, disable, run, projectId, world } = withVerification(await authWorld())
    const { user } = await signup()
    const token = await aToken()
    await disable(user.id)
    await refused(token)
    await run(world.core.users.change(projectId, user.id, { is_disabled: false }))
    await open(token)
  })

  it("fails with TENANT_UNAVAILABLE when the database cannot be reached, and is not used up", async () => {
    const { aToken, open, verify, refusal, projectId, world } = withVerification(await authWorld())
    const token = await aToken()
    world.tenants.unreachable(projectId, true)
    expect(await refusal(verify(token))).toMatchObject({ code: "TENANT_UNAVAILABLE" })
    world.tenants.unreachable(projectId, false)
    await open(token)
  })
})

describe("the cap of monthly active users [B12]", () => {
  const full = { code: "MAU_CAP_EXCEEDED", kind: "payment_required" }

  it("refuses new users once it is reached, and their links stay valid", async () => {
    const { aToken, open, verify, refusal, signup, setCap, users, world } = withVerification(
      await authWorld({ mau_cap: 2 }),
    )
    await signup("first@example.com")
    await open(await aToken("second@example.com"))
    const token = await aToken()
    for (const _ of [1, 2]) expect(await refusal(verify(token))).toMatchObject(full)
    expect(await users()).toHaveLength(2)
    expect(world.signals.of("magic_link_refused")).toEqual([])
    await setCap(3)
    await open(token)
    expect(await users()).toHaveLength(3)
  })

  it("lets in as many as it has room for, however many come at once", async () => {
    const { aToken, verify, run, users } = withVerification(await authWorld({ mau_cap: 2 }))
    const names = ["a", "b", "c", "d", "e"]
    const tokens: Array<string> = []
    for (const name of names) tokens.push(await aToken(`${name}@example.com`))
    const results = await Promise.all(tokens.map((token) => run(Effect.result(verify(token)))))
    const refusals = results.flatMap((result) => (result._tag === "Failure" ? [result.failure] : []))
    expect(refusals).toMatchObject([full, full, full])
    expect(await users()).toHaveLength(2)
  })

  it("has room for one user who opens two links at once", async () => {
    const { aToken, open, users } = withVerification(await authWorld({ mau_cap: 1 }))
    const tokens = [await aToken(), await aToken()]
    const [one, two] = await Promise.all(tokens.map((token) => open(token)))
    expect(one?.user.id).toBe(two?.user.id)
    expect(await users()).toHaveLength(1)
  })

  it("does not apply to users who have an account", async () => {
    const { aToken, open, signup } = withVerification(await authWorld({ mau_cap: 0 }))
    await signup()
    await open(await aToken())
  })

  it.for([
    ["no cap", null, "new"],
    ["a cap of zero", 0, "refused"],
    ["a cap that is not reached", 1, "new"],
  ] as const)("%s", async ([, mau_cap, expected]) => {
    const { aToken, verify, run } = withVerification(await authWorld({ mau_cap }))
    const outcome = await run(Effect.result(verify(await aToken())))
    expect(outcome._tag).toBe(expected === "new" ? "Success" : "Failure")
  })

  it("counts the calendar month, in UTC", async () => {
    const { aToken, open, verify, refusal, anonymous, world } = withVerification(
      await authWorld({ mau_cap: 1 }, { startAt: "2026-03-31T23:50:00.000Z" }),
    )
    await anonymous()
    const token = await aToken()
    await world.advance("599999 millis")
    expect(await refusal(verify(token))).toMatchObject(full)
    await world.advance("1 millis")
    await open(token)
    expect(await refusal(verify(await aToken("bob@example.com")))).toMatchObject(full)
  })

  it("counts users by their sessions and events of this month, each once", async () => {
    const { aToken, verify, refusal, setCap, run, anonymous, projectId, world } = withVerification(await authWorld())
    const users = [(await anonymous()).user.id, (await anonymous()).user.id, (await anonymous()).user.id] as const
    await world.advance("40 days")
    const now = world.clock.now()
    await run(
      world.tenants.transact(projectId, (db) =>
        Effect.gen(function* () {
          const session = aSessionFamily({ id: anId(), owner_id: users[0], created_at: now, last_used_at: now })
          yield* db.authSessions.families.insert(session)
          const events = [users[0], users[1], users[1]].map((app_user_id) => anEvent({ app_user_id, occurred_at: now }))
          yield* db.events.insert(events, { enqueue: false })
        }),
      ),
    )
    await setCap(2)
    const token = await aToken()
    expect(await refusal(verify(token))).toMatchObject(full)
    await setCap(3)
    await run(verify(token))
  })
})

describe("opening a magic link with a session", () => {
  it("gives a new email to its user, who keeps everything, cap or no cap", async () => {
    const { aToken, open, anonymous, users, world } = withVerification(await authWorld({ mau_cap: 0 }))
    const { user, session_token } = await anonymous()
    await world.advance("10 minutes")
    const result = await open(await aToken(), { session_token })
    const now = world.clock.now()
    expect(result.user).toEqual({ ...user, email, email_verified_at: now, last_seen_at: now, updated_at: now })
    expect(await users()).toStrictEqual([result.user])
  })

  it("signs in the user who has the email, and merges nothing", async () => {
    const { aToken, open, anonymous, users } = withVerification(await authWorld())
    const owner = (await open(await aToken())).user
    const { session_token } = await anonymous()
    const before = await users()
    expect((await open(await aToken(), { session_token })).user).toStrictEqual(owner)
    expect(await users()).toStrictEqual(before)
  })

  it("does not change the email of a user who has one, and is not used up by the try", async () => {
    const { aToken, open, verify, refusal, signup, users } = withVerification(await authWorld())
    const { session_token, user } = await signup("mine@example.com")
    const token = await aToken()
    expect(await refusal(verify(token, { session_token }))).toMatchObject({ code: "INVALID_SESSION" })
    expect(await users()).toStrictEqual([user])
    expect((await open(token)).user.id).not.toBe(user.id)
  })

  it("needs a valid session of the project, and is not used up by others", async () => {
    const subject = withVerification(await authWorld())
    const { aToken, open, auth, verify, refusal, run, anonymous, aCopy } = subject
    const bad = await badSessions(subject)
    const { session_token } = await anonymous()
    const copy = await aCopy()
    const token = await aToken()
    for (const [why, session_token] of bad) {
      expect(await refusal(verify(token, { session_token })), why).toMatchObject({ code: "INVALID_SESSION" })
    }
    await open(token)
    const other = { token: await aToken(email, copy) }
    const elsewhere = auth.magicLinks.verify(copy, { ...other, session_token })
    expect(await refusal(elsewhere)).toMatchObject({ code: "INVALID_SESSION" })
    await run(auth.magicLinks.verify(copy, other))
  })
})
