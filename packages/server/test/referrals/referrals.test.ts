import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface CodeAnswer {
  readonly id: string
  readonly code: string
}

describe("referrals, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const admin = <Data>(method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  const aCode = async (fields: object = {}) => (await admin<CodeAnswer>("POST", "/referrals", fields)).data
  const user = () => aUser(server.api, project)
  const own = async ({ as }: TestUser) =>
    (await server.api.ok<{ code: string; total_claims: number }>("GET", "/client/referrals/my-code", as)).code
  const redeem = ({ as }: TestUser, code: unknown) =>
    server.api.call<Record<string, unknown>>("POST", "/client/referrals/redeem", as, { code })
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const count = (answers: ReadonlyArray<Answer<unknown>>) =>
    Object.fromEntries([...Map.groupBy(answers, (each) => String(brief(each)))].map(([key, all]) => [key, all.length]))

  const reward = (value: unknown) => ({ reward_referee: value })
  it.each([
    ["a code of 2 characters", { code: "AB" }, "INVALID_INPUT"],
    ["a code of 33 characters", { code: "A".repeat(33) }, "INVALID_INPUT"],
    ["a code with a space", { code: "A B" }, "INVALID_INPUT"],
    ["a code with an underscore", { code: "A_B" }, "INVALID_INPUT"],
    ["a code beyond ASCII", { code: "straße" }, "INVALID_INPUT"],
    ["a code that is null", { code: null }, "INVALID_INPUT"],
    ["a code that is a number", { code: 12_345 }, "INVALID_INPUT"],
    ["max_uses 0", { max_uses: 0 }, "INVALID_INPUT"],
    ["max_uses below 0", { max_uses: -1 }, "INVALID_INPUT"],
    ["half a use", { max_uses: 1.5 }, "INVALID_INPUT"],
    ["max_uses beyond 31 bits", { max_uses: 2 ** 31 }, "INVALID_INPUT"],
    ["max_uses that is text", { max_uses: "5" }, "INVALID_INPUT"],
    ["a reward that is null", reward(null), "INVALID_REWARD"],
    ["a reward that is a list", reward([]), "INVALID_REWARD"],
    ["a reward that is text", reward("xp"), "INVALID_REWARD"],
    ["0 XP", reward({ xp: 0 }), "INVALID_REWARD"],
    ["XP over the bound", reward({ xp: 1_000_000_001 }), "INVALID_REWARD"],
    ["an unknown currency", reward({ currencies: { GEMS: 5 } }), "INVALID_REWARD"],
    ["an unknown item", reward({ items: [{ key: "sword", quantity: 1 }] }), "INVALID_REWARD"],
    ["an entitlement of 0 days", reward({ entitlements: [{ entitlement_id: "pro", days: 0 }] }), "INVALID_REWARD"],
    ["an unknown currency for the referrer", { reward_referrer: { currencies: { GEMS: 5 } } }, "INVALID_REWARD"],
  ])("refuses %s [G5.1, G7.1]", async (_, body, code) => {
    expect(brief(await admin("POST", "/referrals", body))).toEqual([400, code])
    if ("code" in body) return
    const { id } = await aCode()
    expect(brief(await admin("PATCH", `/referrals/${id}`, body))).toEqual([400, code])
    expect(brief(await admin("PUT", "/referrals/program", body))).toEqual([400, code])
  })

  it.each([
    ["require_account that is no boolean", { require_account: 1 }],
    ["require_account that is null", { require_account: null }],
    ["an age below 0", { max_account_age_hours: -1 }],
    ["an age that is text", { max_account_age_hours: "1" }],
    ["an age beyond a million hours", { max_account_age_hours: 1_000_001 }],
  ])("refuses a program with %s [G7.2]", async (_, body) => {
    expect(brief(await admin("PUT", "/referrals/program", body))).toEqual([400, "INVALID_INPUT"])
  })

  it("makes codes with 3 and 32 characters, unique in any case [G7.1]", async () => {
    for (const code of ["a-1", "Z".repeat(32)]) {
      expect(await admin("POST", "/referrals", { code })).toMatchObject({
        ...{ status: 201, data: { code: code.toUpperCase(), is_active: true, max_uses: null } },
      })
      expect(brief(await admin("POST", "/referrals", { code: code.toLowerCase() }))).toEqual([409, "CODE_EXISTS"])
    }
    for (const body of [{}, undefined])
      expect(await admin("POST", "/referrals", body)).toMatchObject({
        ...{ status: 201, data: { code: expect.stringMatching(/^[A-HJKMNP-Z2-9]{8}$/), reward_referee: {} } },
      })
  })

  it("answers 404 for codes that are not there, and 200 where one of them is removed", async () => {
    for (const id of [randomUUID(), "nothing"]) {
      expect(brief(await admin("GET", `/referrals/${id}/stats`))).toEqual([404, "NOT_FOUND"])
      expect(brief(await admin("PATCH", `/referrals/${id}`, { is_active: false }))).toEqual([404, "NOT_FOUND"])
    }
    expect(await admin("DELETE", `/referrals/${randomUUID()}`)).toMatchObject({
      ...{ status: 200, data: { deleted: true } },
    })
    const { id } = await aCode()
    for (const [query, code] of [
      ["limit=0", "INVALID_LIMIT"],
      ["limit=1001", "INVALID_LIMIT"],
      ["offset=-1", "INVALID_OFFSET"],
    ])
      expect(brief(await admin("GET", `/referrals/${id}/stats?${query}`))).toEqual([400, code])
  })

  it("redeems in any case, and refuses with the codes of the spec [G7.2, G7.3]", async () => {
    await admin("PUT", "/referrals/program", { reward_referrer: { xp: 5 }, reward_referee: { xp: 10 } })
    const [ada, bob] = [await user(), await user()]
    for (const code of [undefined, null, 5, ["A"], {}, "a\u0000b"])
      expect(brief(await redeem(bob, code))).toEqual([400, "INVALID_INPUT"])
    for (const code of ["", "NOBODY", "no code", "ß🦊", "x".repeat(10_000)])
      expect(brief(await redeem(bob, code))).toEqual([404, "CODE_NOT_FOUND"])
    const code = await own(ada)
    expect(brief(await redeem(ada, code))).toEqual([409, "SELF_REFERRAL"])
    const claimed = await redeem(bob, code.toLowerCase())
    expect([claimed.status, claimed.data]).toMatchObject([201, { code, reward: { xp: 10, skipped: [] } }])
    expect(brief(await redeem(bob, code))).toEqual([409, "ALREADY_REDEEMED"])
    expect(brief(await redeem(ada, await own(bob)))).toEqual([409, "SELF_REFERRAL"])
    const { id, code: spent } = await aCode({ max_uses: 1 })
    expect((await redeem(await user(), spent)).status).toBe(201)
    expect(brief(await redeem(await user(), spent))).toEqual([409, "CODE_EXHAUSTED"])
    await admin("PATCH", `/referrals/${id}`, { is_active: false })
    expect(brief(await redeem(await user(), spent))).toEqual([409, "CODE_INACTIVE"])
    await admin("PUT", "/referrals/program", { require_account: true })
    expect(brief(await redeem(await user(), code))).toEqual([403, "NOT_ELIGIBLE"])
    await admin("PUT", "/referrals/program", { max_account_age_hours: 0 })
    expect(brief(await redeem(await user(), code))).toEqual([403, "NOT_ELIGIBLE"])
  })

  it("tries 20 unknown codes of a user, then answers 429 [G7.2]", async () => {
    const bob = await user()
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => redeem(bob, `GUESS-${n}`)))
    expect(count(answers)).toEqual({ "404,CODE_NOT_FOUND": 20, "429,RATE_LIMIT_EXCEEDED": 10 })
    const late = await redeem(bob, (await aCode()).code)
    expect([...brief(late), Number(late.headers.get("retry-after")) > 3_000]).toEqual([
      ...[429, "RATE_LIMIT_EXCEEDED", true],
    ])
  })

  it("lets 5 of 20 redeem a code with 5 uses, on a real database [G7.3]", async () => {
    await admin("PUT", "/referrals/program", { reward_referrer: { xp: 5 }, reward_referee: { xp: 10 }, max_uses: 5 })
    const ada = await user()
    const code = await own(ada)
    const users = await Promise.all(Array.from({ length: 20 }, user))
    const answers = await Promise.all(users.map((each) => redeem(each, code)))
    expect(count(answers)).toEqual({ "201,": 5, "409,CODE_EXHAUSTED": 15 })
    const [mine] = (await admin<ReadonlyArray<CodeAnswer>>("GET", "/referrals")).data.filter(
      (each) => each.code === code,
    )
    const stats = await admin<{ total_claims: number; claims: ReadonlyArray<object> }>(
      ...(["GET", `/referrals/${mine?.id}/stats`] as const),
    )
    expect([stats.data.total_claims, stats.data.claims.length]).toEqual([5, 5])
    const xp = async (each: TestUser) => (await admin<{ total: number }>("GET", `/users/${each.id}/xp`)).data.total
    expect(await xp(ada)).toBe(25)
    const given = await Promise.all(users.map(xp))
    expect(given.filter((total) => total === 10)).toHaveLength(5)
  })

  it("makes one code of many first calls, and one claim of two who refer each other [G7.2, G7.3]", async () => {
    await admin("PUT", "/referrals/program", { reward_referrer: { xp: 5 }, reward_referee: { xp: 10 } })
    for (let round = 0; round < 5; round += 1) {
      const [ada, bob] = [await user(), await user()]
      const codes = await Promise.all([own(ada), own(ada), own(ada), own(bob)])
      expect(new Set(codes).size).toBe(2)
      const [ofAda = "", , , ofBob = ""] = codes
      const answers = await Promise.all([redeem(ada, ofBob), redeem(bob, ofAda)])
      expect(count(answers)).toEqual({ "201,": 1, "409,SELF_REFERRAL": 1 })
    }
  })

  it("rewards exactly while events give XP to the same users [G7.3]", async () => {
    await admin("PUT", "/referrals/program", { reward_referrer: { xp: 5 }, reward_referee: { xp: 10 } })
    await admin("PUT", "/xp/rules", { rules: [{ event_name: "walked", amount: 1, daily_cap: null }] })
    const ada = await user()
    const code = await own(ada)
    const others = await Promise.all([1, 2, 3, 4].map(user))
    const walk = () =>
      admin("POST", "/events", {
        events: [ada, ...others].map(({ id }) => ({ app_user_id: id, event_name: "walked" })),
      })
    const answers = await Promise.all(others.flatMap((each) => [walk(), redeem(each, code), walk()]))
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const xp = async ({ id }: TestUser) => (await admin<{ total: number }>("GET", `/users/${id}/xp`)).data.total
    await expect.poll(() => Promise.all(others.map(xp))).toEqual(Array(4).fill(18))
    expect(await xp(ada)).toBe(28)
  })
})
