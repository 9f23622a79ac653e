import { createEngagement, HashingBusy, type PasswordHasher } from "@hearth/core"
import { type DeveloperLogin, DeveloperSignup } from "@hearth/core/projects"
import { memoryPasswordHasher, memoryPasswordHashers, testWorld } from "@hearth/testing"
import { Effect, Schema } from "effect"
import { describe, expect, it, test } from "vitest"

const ada = { email: "ada@example.com", password: "correct horse", name: "Ada" }

const isAccepted = (signup: unknown) => Schema.decodeUnknownResult(DeveloperSignup)(signup)._tag === "Success"

describe("signing up", () => {
  it("creates an account and signs it in", async () => {
    const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
    const { developer, access_token } = await world.run(world.core.developers.signup(ada))
    expect(developer).toMatchObject({
      email: "ada@example.com",
      name: "Ada",
      oauth_providers: [],
      created_at: new Date("2026-03-01T12:00:00.000Z"),
    })
    const caller = await world.run(world.core.access.developer(access_token))
    expect(caller).toMatchObject({ developer_id: developer.id })
    expect(await world.run(world.core.developers.me(developer.id))).toMatchObject({ email: "ada@example.com" })
  })

  it("accepts an email once", async () => {
    const world = testWorld()
    await world.run(world.core.developers.signup(ada))
    const again = await world.run(Effect.flip(world.core.developers.signup({ ...ada, password: "another one" })))
    expect(again).toMatchObject({ code: "EMAIL_EXISTS", kind: "conflict" })
  })

  it("accepts an email once when two signups race", async () => {
    const world = testWorld()
    const both = [1, 2].map(() => Effect.result(world.core.developers.signup(ada)))
    const outcomes = await world.run(Effect.all(both, { concurrency: "unbounded" }))
    expect(outcomes.map((outcome) => outcome._tag).sort()).toEqual(["Failure", "Success"])
    expect(await world.run(world.control.read((db) => db.sessions.families.list({}, [])))).toHaveLength(1)
  })

  // Characters, not units of UTF-16: each of these is two.
  test.each(["", "1234567", "🎉".repeat(7)])("refuses the password %j", async (password) => {
    const world = testWorld()
    const refused = await world.run(Effect.flip(world.core.developers.signup({ ...ada, password })))
    expect(refused).toMatchObject({ code: "WEAK_PASSWORD", kind: "invalid" })
  })

  test.each(["12345678", "🎉".repeat(8), " ".repeat(8)])("accepts the password %j", async (password) => {
    const world = testWorld()
    await world.run(world.core.developers.signup({ ...ada, password }))
    await world.run(world.core.developers.login({ email: ada.email, password }))
  })

  it("accepts passwords of up to 128 characters [B7]", () => {
    expect(isAccepted({ ...ada, password: "🎉".repeat(128) })).toBe(true)
    expect(isAccepted({ ...ada, password: "x".repeat(129) })).toBe(false)
  })

  it("does not store the password", async () => {
    const world = testWorld()
    await world.run(world.core.developers.signup(ada))
    const rows = await world.run(world.control.read((db) => db.developers.list({}, [])))
    expect(JSON.stringify(rows)).not.toContain(ada.password)
  })
})

describe("logging in", () => {
  const login = async (given: Partial<typeof DeveloperLogin.Type>) => {
    const world = testWorld()
    await world.run(world.core.developers.signup(ada))
    const { email, password } = ada
    return {
      world,
      outcome: await world.run(Effect.result(world.core.developers.login({ email, password, ...given }))),
    }
  }

  test.each([
    ["the same email", {}],
    ["it in upper case and with spaces around it", { email: " ADA@Example.com " }],
  ])("works with %s", async (_, given) => expect((await login(given)).outcome._tag).toBe("Success"))

  test.each([
    ["a wrong password", { password: "wrong horse" }],
    ["the password in another case", { password: "Correct horse" }],
    ["an unknown email", { email: "eve@example.com" }],
    ["something that is no email", { email: "ada" }],
    ["a password beyond all bounds", { password: `correct horse${"x".repeat(200)}` }],
  ])("is refused and signalled with %s, always alike", async (_, given) => {
    const { world, outcome } = await login(given)
    expect(outcome).toMatchObject({ failure: { code: "INVALID_CREDENTIALS", kind: "unauthenticated" } })
    expect(world.signals.of("login_failed")).toEqual([{ name: "login_failed", plane: "developer" }])
  })

  test.each([{ email: "" }, { password: "" }])("needs more than %j [A5]", async (given) => {
    const { world, outcome } = await login(given)
    expect(outcome).toMatchObject({ failure: { code: "INVALID_INPUT", details: { issues: [expect.anything()] } } })
    expect(world.signals.of("login_failed")).toEqual([])
  })

  it("emits no signal that names a person", async () => {
    const { world } = await login({ password: "wrong horse" })
    expect(JSON.stringify(world.signals.emitted)).not.toContain("ada")
  })

  it("fails as unavailable when hashing is busy", async () => {
    const world = testWorld({ ports: () => ({ passwords: memoryPasswordHashers({ capacity: 0 }) }) })
    const busy = await world.run(Effect.flip(world.core.developers.login(ada)))
    expect(busy).toMatchObject({ kind: "unavailable" })
    expect(world.signals.of("login_failed")).toEqual([])
  })
})

describe("an outdated password hash [B7]", () => {
  const setUp = async () => {
    const world = testWorld()
    const former = await world.run(memoryPasswordHasher({ round: 0 }).hash(ada.password))
    const { developer } = await world.run(world.core.developers.signup(ada))
    await world.run(world.control.transact((db) => db.developers.update(developer.id, { password_hash: former })))
    const storedHash = async () => {
      const [row] = await world.run(world.control.read((db) => db.developers.list({ id: developer.id }, [])))
      return row?.password_hash
    }
    return { world, former, storedHash }
  }

  it("is replaced once, at the next login", async () => {
    const { world, former, storedHash } = await setUp()
    await world.run(world.core.developers.login(ada))
    const renewed = await storedHash()
    expect(renewed).not.toBe(former)
    await world.run(world.core.developers.login(ada))
    expect(await storedHash()).toBe(renewed)
    expect(world.signals.of("password_rehashed")).toEqual([{ name: "password_rehashed", plane: "developer" }])
  })

  it("does not block a login when hashing is busy", async () => {
    const busy: PasswordHasher = { ...memoryPasswordHasher(), hash: () => Effect.fail(new HashingBusy()) }
    const { world, former, storedHash } = await setUp()
    const passwords = { ...world.ports.passwords, developer: busy }
    const { developers } = createEngagement({ ...world.ports, passwords })
    expect(await world.run(developers.login(ada))).toMatchObject({ developer: { email: ada.email } })
    expect(await storedHash()).toBe(former)
    expect(world.signals.of("password_rehashed")).toEqual([])
  })

  it("stays when the password is wrong", async () => {
    const { world, former, storedHash } = await setUp()
    await world.run(Effect.flip(world.core.developers.login({ ...ada, password: "wrong horse" })))
    expect(await storedHash()).toBe(former)
    expect(world.signals.of("password_rehashed")).toEqual([])
  })
})
