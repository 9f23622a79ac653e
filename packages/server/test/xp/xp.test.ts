import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Xp {
  readonly total: number
  readonly entries: ReadonlyArray<{ readonly amount: number }>
}

const lesson = { event_name: "lesson", amount: 10, daily_cap: null }

describe("XP, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const admin = <Data>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.api.call<Data>(method, `${project.admin}${path}`, { ...project.owner.as, ...headers }, body)
  const award = (user: string, body: unknown, key?: string) =>
    admin<Xp>("POST", `/users/${user}/xp`, body, key === undefined ? {} : { "idempotency-key": key })
  const own = (user: TestUser) => server.api.ok<Xp>("GET", "/client/xp", user.as)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]

  it.each([
    ["no list", {}],
    ["a list that is null", { rules: null }],
    ["two rules for one event", { rules: [lesson, { ...lesson, amount: 1 }] }],
    ["an amount of 0", { rules: [{ ...lesson, amount: 0 }] }],
    ["an amount over 1,000,000", { rules: [{ ...lesson, amount: 1_000_001 }] }],
    ["an amount with a fraction", { rules: [{ ...lesson, amount: 1.5 }] }],
    ["an amount that is text", { rules: [{ ...lesson, amount: "1" }] }],
    ["a cap of 0", { rules: [{ ...lesson, daily_cap: 0 }] }],
    ["a negative cap", { rules: [{ ...lesson, daily_cap: -1 }] }],
    ["an empty name", { rules: [{ ...lesson, event_name: "" }] }],
    ["an event of the platform [G0.1]", { rules: [{ ...lesson, event_name: "achievement_unlocked" }] }],
    ["1,001 rules [G0.6]", { rules: Array.from({ length: 1_001 }, (_, at) => ({ ...lesson, event_name: `${at}` })) }],
  ])("refuses rules with %s, and keeps those there are [G2.1]", async (_, body) => {
    await admin("PUT", "/xp/rules", { rules: [lesson] })
    expect(brief(await admin("PUT", "/xp/rules", body))).toEqual([400, "INVALID_INPUT"])
    expect((await admin("GET", "/xp/rules")).data).toEqual({ rules: [lesson] })
  })

  it("takes 1,000 rules with the longest names, and provider names [G2.1, G0.1]", async () => {
    const rules = Array.from({ length: 999 }, (_, at) => ({
      ...{ event_name: `${at}`.padEnd(255, "é"), amount: 1_000_000, daily_cap: 1 },
    }))
    const all = [...rules, { ...lesson, event_name: "subscription_renewed" }]
    expect(await admin("PUT", "/xp/rules", { rules: all })).toMatchObject({ status: 200, data: { rules: all } })
    expect((await admin("GET", "/xp/rules")).data).toEqual({ rules: all })
  })

  it.each([
    ["no list", {}],
    ["equal ones", [1, 1]],
    ["falling ones", [2, 1]],
    ["a negative one", [-1]],
    ["one with a fraction", [0.5]],
    ["1,001", Array.from({ length: 1_001 }, (_, at) => at)],
  ])("refuses levels: %s [G2.2]", async (_, required) => {
    const body = Array.isArray(required) ? { levels: required.map((at) => ({ name: "L", xp_required: at })) } : required
    expect(brief(await admin("PUT", "/xp/levels", body))).toEqual([400, "INVALID_INPUT"])
    expect((await admin("GET", "/xp/levels")).data).toEqual({ levels: [] })
  })

  it.each([
    ["no body", undefined, "INVALID_INPUT"],
    ["an array", [], "INVALID_INPUT"],
    ["a reason that is no text", { amount: 1, reason: 5 }, "INVALID_INPUT"],
    ["a reason of 10,001 characters", { amount: 1, reason: "x".repeat(10_001) }, "INVALID_INPUT"],
    ["a bad reason and a bad amount", { amount: 0, reason: 5 }, "INVALID_INPUT"],
    ["no amount", {}, "INVALID_AMOUNT"],
    ["an amount of 0", { amount: 0 }, "INVALID_AMOUNT"],
    ["an amount with a fraction", { amount: 1.5 }, "INVALID_AMOUNT"],
    ["an amount that is text", { amount: "1" }, "INVALID_AMOUNT"],
    ["an amount that is null", { amount: null }, "INVALID_AMOUNT"],
    ["an amount over 1,000,000,000", { amount: 1_000_000_001 }, "INVALID_AMOUNT"],
    ["an amount under -1,000,000,000", { amount: -1_000_000_001 }, "INVALID_AMOUNT"],
  ])("refuses an award by hand with %s [G2.3, G4.2]", async (_, body, code) => {
    const user = await aUser(server.api, project)
    expect(brief(await award(user.id, body))).toEqual([400, code])
    expect((await own(user)).total).toBe(0)
  })

  it("says what an amount must be", async () => {
    const message = "must be an integer from -1,000,000,000 to 1,000,000,000, and not 0"
    expect(JSON.parse((await award(randomUUID(), { amount: 1.5 })).text).error).toMatchObject({
      ...{ message: `amount ${message}.`, details: { issues: [{ path: "amount", message }] } },
    })
  })

  it("checks the body, the amount and the user in this order [G4.3]", async () => {
    expect(brief(await award(randomUUID(), { amount: 0 }))).toEqual([400, "INVALID_AMOUNT"])
    expect(brief(await award(randomUUID(), { amount: 1 }))).toEqual([404, "USER_NOT_FOUND"])
    expect(brief(await admin("GET", `/users/${randomUUID()}/xp`))).toEqual([404, "USER_NOT_FOUND"])
    expect(brief(await admin("GET", "/users/nobody/xp"))).toEqual([404, "NOT_FOUND"])
  })

  it("gives XP by hand once by Idempotency-Key, for the whole project [G2.4, G4.2]", async () => {
    const [ada, bob] = [await aUser(server.api, project), await aUser(server.api, project)]
    const key = randomUUID()
    const first = await award(ada.id, { amount: 10, reason: null }, key)
    expect([first.status, first.data]).toEqual([201, { total: 10, awarded: 10 }])
    await award(ada.id, { amount: 5 })
    expect(await award(ada.id, { amount: 10 }, key)).toMatchObject({ status: 201, data: first.data })
    expect(brief(await award(ada.id, { amount: 11 }, key))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    expect(brief(await award(bob.id, { amount: 10 }, key))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    expect(brief(await award(bob.id, { amount: 10 }, "x".repeat(256)))).toEqual([400, "INVALID_INPUT"])
    expect((await own(ada)).total).toBe(15)
  })

  it("counts awards and deductions that come at once, and never goes below 0 [G2.3]", async () => {
    const user = await aUser(server.api, project)
    const amounts = Array.from({ length: 24 }, (_, at) => (at % 3 === 2 ? -15 : 10))
    const answers = await Promise.all(amounts.map((amount) => award(user.id, { amount })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const { entries, total } = (await admin<Xp>("GET", `/users/${user.id}/xp`)).data
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(total)
    const key = randomUUID()
    await Promise.all(Array.from({ length: 8 }, () => award(user.id, { amount: 7 }, key)))
    expect((await own(user)).total).toBe(total + 7)
  })
})
