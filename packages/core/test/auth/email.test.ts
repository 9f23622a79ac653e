import { createEngagement, HashingBusy, type Ports } from "@hearth/core"
import { EmailSignup } from "@hearth/core/auth"
import { anId, memoryPasswordHashers } from "@hearth/testing"
import { Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { authWorld, badSessions } from "./world.ts"

const ada = { email: "ada@example.com", password: "correct horse" }
const exists = { code: "EMAIL_EXISTS", kind: "conflict" }
const wrong = { code: "INVALID_CREDENTIALS", kind: "unauthenticated" }

const decode = (input: unknown) => Schema.decodeUnknownResult(EmailSignup)(input)

describe("signing up with an email", () => {
  it("creates an account and signs it in", async () => {
    const { auth, projectId, run, callerOf, users } = await authWorld()
    const result = await run(auth.email.signup(projectId, ada))
    expect(result.user).toMatchObject({
      email: "ada@example.com",
      display_name: expect.stringMatching(/^[A-Z][a-z]+[A-Z][a-z]+$/),
      auth_providers: [],
    })
    expect(await users()).toStrictEqual([result.user])
    expect(await callerOf(result.session_token)).toMatchObject({ user_id: result.user.id })
    expect(JSON.stringify(await users())).not.toContain(ada.password)
  })

  it("has not changed since it was made, though time passes", async () => {
    const { projectId, run, world } = await authWorld()
    const now = () => {
      world.clock.advance(1)
      return world.clock.now()
    }
    const { auth } = createEngagement({ ...world.ports, clock: { ...world.ports.clock, now } })
    const { user } = await run(auth.email.signup(projectId, ada))
    expect(user.updated_at).toEqual(user.created_at)
  })

  it("takes the name that is chosen", async () => {
    const { auth, projectId, run } = await authWorld()
    const { user } = await run(auth.email.signup(projectId, { ...ada, display_name: "Ada" }))
    expect(user.display_name).toBe("Ada")
  })

  it.for([
    ["an email in capitals and with spaces around it", { email: " ADA@Example.com\n" }],
    ["a password of one character", { password: " " }],
    ["a password of 128 characters, each of two units", { password: "🎉".repeat(128) }],
  ] as const)("accepts %s", ([, given]) => {
    expect(decode({ ...ada, ...given })).toMatchObject({ success: { email: "ada@example.com" } })
  })

  it.for([
    { email: undefined },
    { email: "ada" },
    { email: "ada@example" },
    { email: "a b@example.com" },
    { email: `${"x".repeat(250)}@e.com` },
    { email: 7 },
    { password: undefined },
    { password: "" },
    { password: "x".repeat(129) },
    { display_name: "" },
  ])("does not accept %o", (given) => {
    expect(decode({ ...ada, ...given })._tag).toBe("Failure")
  })

  it("refuses an email that any user of the project has", async () => {
    const { auth, projectId, run, refusal, identity, users, world } = await authWorld()
    await run(auth.email.signup(projectId, ada))
    const before = await users()
    expect(await refusal(auth.email.signup(projectId, { ...ada, password: "another" }))).toMatchObject(exists)
    expect(await users()).toStrictEqual(before)
    const other = { email: "bob@example.com", email_verified: true }
    await run(auth.identities.social(projectId, { provider: "idp_a", token: identity("idp_a", "bob", other) }))
    expect(await refusal(auth.email.signup(projectId, { ...ada, email: other.email }))).toMatchObject(exists)
    await run(auth.email.signup((await world.aProjectWithOwner()).projectId, ada))
  })

  it("creates one account when several sign up with one email at once", async () => {
    const { auth, projectId, atOnce, users, families } = await authWorld()
    const { successes, failures } = await atOnce(Array.from({ length: 8 }, () => auth.email.signup(projectId, ada)))
    expect(successes).toHaveLength(1)
    expect(failures.map(({ _tag }) => _tag)).toEqual(Array.from({ length: 7 }, () => "EmailExists"))
    expect([(await users()).length, (await families()).length]).toEqual([1, 1])
  })

  it("fails as unavailable when hashing is busy or the database cannot be reached", async () => {
    const { auth, projectId, refusal, users, world } = await authWorld()
    const busy = createEngagement({ ...world.ports, passwords: memoryPasswordHashers({ capacity: 0 }) })
    expect(await refusal(busy.auth.email.signup(projectId, ada))).toMatchObject({ kind: "unavailable" })
    expect(await users()).toEqual([])
    world.tenants.unreachable(projectId, true)
    expect(await refusal(auth.email.signup(projectId, ada))).toMatchObject({ code: "TENANT_UNAVAILABLE" })
  })
})

describe("signing up with the session of an anonymous user", () => {
  it("gives the email to that user, who keeps everything", async () => {
    const { auth, projectId, run, anonymous, callerOf, users, world } = await authWorld()
    const { user, session_token } = await anonymous()
    await run(world.core.users.update(projectId, user.id, { properties: { level: 7 } }))
    await world.advance("30 minutes")
    const result = await run(auth.email.signup(projectId, { ...ada, session_token }))
    const now = new Date("2026-03-01T12:30:00.000Z")
    expect(result.user).toEqual({
      ...user,
      email: "ada@example.com",
      properties: { level: 7 },
      password_hash: expect.any(String),
      last_seen_at: now,
      updated_at: now,
    })
    expect(await users()).toStrictEqual([result.user])
    expect(await callerOf(session_token)).toMatchObject({ user_id: user.id })
    expect((await run(auth.email.login(projectId, ada))).user).toStrictEqual(result.user)
  })

  it("changes the name if one is chosen", async () => {
    const { auth, projectId, run, anonymous } = await authWorld()
    const { session_token } = await anonymous()
    const { user } = await run(auth.email.signup(projectId, { ...ada, session_token, display_name: "Ada" }))
    expect(user.display_name).toBe("Ada")
  })

  it("gives an email to a user who has an identity, too", async () => {
    const { auth, projectId, run, identity } = await authWorld()
    const input = { provider: "idp_a", token: identity("idp_a", "ada") } as const
    const { session_token, user } = await run(auth.identities.social(projectId, input))
    const result = await run(auth.email.signup(projectId, { ...ada, session_token }))
    expect(result.user).toMatchObject({ id: user.id, email: ada.email, auth_providers: user.auth_providers })
  })

  it("refuses a taken email and a second email, and changes nothing", async () => {
    const { auth, projectId, run, refusal, anonymous, users } = await authWorld()
    const owner = await run(auth.email.signup(projectId, ada))
    const { session_token } = await anonymous()
    const before = await users()
    expect(await refusal(auth.email.signup(projectId, { ...ada, session_token }))).toMatchObject(exists)
    const second = { email: "second@example.com", password: "another", session_token: owner.session_token }
    const message = "The user of session_token has an account already."
    expect(await refusal(auth.email.signup(projectId, second))).toMatchObject({ ...exists, message })
    expect(await users()).toStrictEqual(before)
  })

  it("gives one email when several signups of the same user race", async () => {
    const { auth, projectId, anonymous, atOnce, users } = await authWorld()
    const { session_token } = await anonymous()
    const { successes, failures } = await atOnce(
      Array.from({ length: 6 }, (_, turn) =>
        auth.email.signup(projectId, { email: `ada${turn}@example.com`, password: "x", session_token }),
      ),
    )
    expect([successes.length, failures.length]).toEqual([1, 5])
    expect((await users()).map(({ email }) => email)).toEqual([successes[0]?.user.email])
  })

  it("is refused without a valid session, and with one of another project, even of a copy", async () => {
    const subject = await authWorld()
    const { auth, projectId, refusal, anonymous, users, aCopy } = subject
    const bad = await badSessions(subject)
    const { session_token } = await anonymous()
    const before = await users()
    for (const [why, session_token] of bad) {
      const refused = await refusal(auth.email.signup(projectId, { ...ada, session_token }))
      expect(refused, why).toMatchObject({ code: "INVALID_SESSION" })
    }
    const elsewhere = auth.email.signup(await aCopy(), { ...ada, session_token })
    expect(await refusal(elsewhere)).toMatchObject({ code: "INVALID_SESSION" })
    expect(await users()).toStrictEqual(before)
  })
})

describe("logging in with an email", () => {
  const signUp = async (options?: Parameters<typeof authWorld>[1]) => {
    const subject = await authWorld({}, options)
    const { user } = await subject.run(subject.auth.email.signup(subject.projectId, ada))
    const { email, password } = ada
    return {
      ...subject,
      user,
      login: (given: Partial<typeof ada> = {}, core = subject.world.core) =>
        core.auth.email.login(subject.projectId, { email, password, ...given }),
    }
  }

  it("writes last_seen_at at most once a second", async () => {
    const { run, login, user, world } = await signUp()
    await world.advance("999 millis")
    expect((await run(login())).user.last_seen_at).toEqual(user.last_seen_at)
    await world.advance("1 millis")
    expect((await run(login())).user.last_seen_at).toEqual(world.clock.now())
  })

  it("creates a session of its own", async () => {
    const { run, login, user, callerOf, families, world } = await signUp()
    await world.advance("1 day")
    const result = await run(login())
    expect(result.user).toEqual({ ...user, last_seen_at: world.clock.now() })
    expect(await callerOf(result.session_token)).toMatchObject({ user_id: user.id })
    expect(await families()).toHaveLength(2)
  })

  it("reads the email as signing up does, and the password as it is", async () => {
    const { run, refusal, login } = await signUp()
    await run(login({ email: " ADA@Example.COM " }))
    for (const password of ["Correct horse", "correct horse ", " correct horse"]) {
      expect(await refusal(login({ password }))).toMatchObject(wrong)
    }
  })

  it("refuses wrong passwords, unknown emails and disabled users alike", async () => {
    const { auth, run, refusal, login, user, anonymous, disable, families, projectId, identity, world } = await signUp()
    await anonymous()
    const bob = { email: "bob@example.com", email_verified: true }
    await run(auth.identities.social(projectId, { provider: "idp_a", token: identity("idp_a", "bob", bob) }))
    const sessions = (await families()).length
    const answers = [
      await refusal(login({ password: "wrong" })),
      await refusal(login({ email: "nobody@example.com" })),
      await refusal(login({ email: bob.email })),
      await refusal(login({ email: "no address" })),
      await refusal(login({ password: "x".repeat(10_000) })),
    ]
    await disable(user.id)
    answers.push(await refusal(login()))
    for (const answer of answers) {
      expect(answer).toMatchObject(wrong)
      expect((answer as Error).message).toBe((answers[0] as Error).message)
      expect(answer).not.toHaveProperty("details")
    }
    expect(await families()).toHaveLength(sessions)
    expect(world.signals.of("login_failed")).toEqual(answers.map(() => ({ name: "login_failed", plane: "client" })))
  })

  it("needs an email and a password that are not empty, also of a user without a password [A5]", async () => {
    const { auth, run, refusal, login, projectId, identity, world } = await signUp()
    const bob = { email: "bob@example.com", email_verified: true }
    await run(auth.identities.social(projectId, { provider: "idp_a", token: identity("idp_a", "bob", bob) }))
    for (const given of [{ email: "" }, { password: "" }, { email: bob.email, password: "" }]) {
      expect(await refusal(login(given))).toMatchObject({ code: "INVALID_INPUT" })
    }
    expect(world.signals.of("login_failed")).toEqual([])
  })

  it("verifies a password in every case, so that all take equally long [B7]", async () => {
    const verified: Array<readonly [password: string, hasHash: boolean]> = []
    const { run, login, refusal } = await signUp({
      ports: ({ passwords }) => ({
        passwords: {
          ...passwords,
          client: {
            ...passwords.client,
            verify: (password, hash) => {
              verified.push([password, hash !== null])
              return passwords.client.verify(password, hash)
            },
          },
        },
      }),
    })
    await run(login())
    await refusal(login({ password: "wrong" }))
    await refusal(login({ email: "nobody@example.com" }))
    await refusal(login({ password: "x".repeat(129) }))
    expect(verified).toEqual([
      [ada.password, true],
      ["wrong", true],
      [ada.password, false],
      ["", true],
    ])
  })

  it("waits for passwords of its own project only [B14]", async () => {
    const { world, run, auth, projectId } = await authWorld(
      {},
      {
        ports: () => ({ passwords: memoryPasswordHashers({ capacity: 1 }) }),
      },
    )
    const other = (await world.aProjectWithOwner()).projectId
    for (const id of [projectId, other]) await run(auth.email.signup(id, ada))
    const logins = [projectId, projectId, other].map((id) => Effect.option(auth.email.login(id, ada)))
    const done = await run(Effect.all(logins, { concurrency: "unbounded" }))
    expect(done.map(({ _tag }) => _tag)).toEqual(["Some", "None", "Some"])
  })

  it("is refused to a user who is disabled while the password is verified", async () => {
    const { world, refusal, login, disable, user, projectId, families } = await signUp()
    const { client, developer } = world.ports.passwords
    const slow: Ports["passwords"]["client"] = {
      ...client,
      verify: (password, hash) =>
        Effect.tap(client.verify(password, hash), () =>
          Effect.orDie(world.core.users.change(projectId, user.id, { is_disabled: true })),
        ),
    }
    expect(
      await refusal(login({}, createEngagement({ ...world.ports, passwords: { client: slow, developer } }))),
    ).toMatchObject(wrong)
    await disable(user.id)
    expect(await families()).toHaveLength(1)
  })

  it("rehashes a password once when its hash is outdated", async () => {
    const { world, run, refusal, login, users } = await signUp()
    const hash = async () => (await users())[0]?.password_hash
    const first = await hash()
    const newer = createEngagement({ ...world.ports, passwords: memoryPasswordHashers({ round: 2 }) })
    expect(await refusal(login({ password: "wrong" }, newer))).toMatchObject(wrong)
    expect(await hash()).toBe(first)
    await run(login({}, newer))
    const second = await hash()
    expect(second).toMatch(/^memory\$2\$/)
    await run(login({}, newer))
    expect(await hash()).toBe(second)
    expect(world.signals.of("password_rehashed")).toEqual([{ name: "password_rehashed", plane: "client" }])
    await run(login())
  })

  it("signs in although the new hash of an outdated one cannot be made, which a later login does", async () => {
    const { world, run, login, users } = await signUp()
    const first = (await users())[0]?.password_hash
    const newer = memoryPasswordHashers({ round: 2 })
    const busy: Ports["passwords"]["client"] = { ...newer.client, hash: () => Effect.fail(new HashingBusy()) }
    const passwords = { ...newer, client: busy }
    expect(await run(login({}, createEngagement({ ...world.ports, passwords })))).toHaveProperty("session_token")
    expect((await users())[0]?.password_hash).toBe(first)
    await run(login({}, createEngagement({ ...world.ports, passwords: newer })))
    expect((await users())[0]?.password_hash).not.toBe(first)
  })

  it("fails as unavailable when hashing is busy, and counts no failed login", async () => {
    const { world, refusal, login } = await signUp()
    const busy = createEngagement({ ...world.ports, passwords: memoryPasswordHashers({ capacity: 0 }) })
    expect(await refusal(login({}, busy))).toBeInstanceOf(HashingBusy)
    expect(world.signals.of("login_failed")).toEqual([])
  })

  it("does not find users of another project", async () => {
    const { world, refusal, auth } = await signUp()
    const other = await world.aProjectWithOwner()
    expect(await refusal(auth.email.login(other.projectId, ada))).toMatchObject(wrong)
    expect(await refusal(auth.email.login(anId(), ada))).toMatchObject({ code: "NOT_FOUND" })
  })
})
