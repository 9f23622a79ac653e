import { describe, expect, it, test } from "vitest"
import { findRefusal, makeUpCode, type Redemption, readCode } from "./rules.ts"

describe("a code", () => {
  test.each([
    ["ABC", "ABC"],
    ["abc", "ABC"],
    ["a-1", "A-1"],
    ["---", "---"],
    ["x".repeat(32), "X".repeat(32)],
  ])("%s is read as %s [G7.1, G7.3]", (text, code) => {
    expect(readCode(text)).toBe(code)
  })
  test.each([
    ...["", "AB", "x".repeat(33), "A B", " ABC", "ABC\n", "ABC_1", "ÄBC", "straße", "ıab", "ſab", "abc\u0000", "🦊🦊"],
  ])("is not %j [G7.1, G7.2]", (text) => {
    expect(readCode(text)).toBeNull()
  })
  it("that is made up has 8 characters, none of which looks like another one [G7.1]", () => {
    const made = (start: number) => {
      let last = start
      return makeUpCode({
        integer: (below) => {
          last += 1
          return last % below
        },
      })
    }
    const codes = Array.from({ length: 31 }, (_, start) => made(start))
    for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/)
    expect(new Set(codes.join("")).size).toBe(31)
    expect(codes.map(readCode)).toEqual(codes)
  })
})

describe("who may redeem a code", () => {
  const now = new Date("2026-03-01T12:00:00.000Z")
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const anonymous = { id: "ada", email: null, auth_providers: [], created_at: hoursAgo(24) }
  const open = { require_account: false, max_account_age_hours: null }
  const promo: Redemption = {
    code: { is_active: true, app_user_id: null, max_uses: null, total_claims: 0 },
    ...{ claimer: anonymous, owner: null, program: open, earlier: null, of_owner: null, now },
  }
  const owned: Redemption = {
    ...promo,
    ...{ code: { ...promo.code, app_user_id: "bob" }, owner: { is_disabled: false } },
  }
  const code = (given: Partial<Redemption["code"]>) => ({ ...owned.code, ...given })
  const claimer = (given: Partial<Redemption["claimer"]>) => ({ ...anonymous, ...given })
  const strict = { ...open, require_account: true }
  const young = { ...open, max_account_age_hours: 24 }
  const google = { provider: "idp_b", provider_id: "1" }

  test.each<[string, Redemption, Partial<Redemption>, string | null]>([
    ["anybody, a developer's code", promo, {}, null],
    ["anybody, a user's code", owned, {}, null],
    ["nobody, one that is switched off", owned, { code: code({ is_active: false }) }, "CODE_INACTIVE"],
    ["nobody, one of a disabled owner", owned, { owner: { is_disabled: true } }, "CODE_INACTIVE"],
    ["no anonymous user, where accounts are asked for", owned, { program: strict }, "NOT_ELIGIBLE"],
    ["a user with an email", owned, { program: strict, claimer: claimer({ email: "a@b.example" }) }, null],
    ["a user with an identity", owned, { program: strict, claimer: claimer({ auth_providers: [google] }) }, null],
    ["anybody a developer's code, whatever the program says", promo, { program: { ...strict, ...young } }, null],
    ["somebody who is just young enough", owned, { program: young }, null],
    [
      ...([
        "nobody who is older",
        owned,
        { program: young, claimer: claimer({ created_at: hoursAgo(24.001) }) },
      ] as const),
      "NOT_ELIGIBLE",
    ],
    ["nobody their own", owned, { code: code({ app_user_id: "ada" }) }, "SELF_REFERRAL"],
    ["nobody that of one whom they have referred", owned, { of_owner: { referrer_id: "ada" } }, "SELF_REFERRAL"],
    ["the code of one whom somebody else has referred", owned, { of_owner: { referrer_id: "eve" } }, null],
    ["the code of one who has redeemed a developer's", owned, { of_owner: { referrer_id: null } }, null],
    ["nobody twice", owned, { earlier: { id: "1" } }, "ALREADY_REDEEMED"],
    ["the last one of several", owned, { code: code({ max_uses: 5, total_claims: 4 }) }, null],
    ["nobody more", owned, { code: code({ max_uses: 5, total_claims: 5 }) }, "CODE_EXHAUSTED"],
    ["nobody after the bound was lowered", owned, { code: code({ max_uses: 2, total_claims: 5 }) }, "CODE_EXHAUSTED"],
  ])("%s [G7.2, G7.3]", (_, redemption, given, expected) => {
    expect(findRefusal({ ...redemption, ...given })?.code ?? null).toBe(expected)
  })

  it("is told the first reason in the order of the spec [G7.3]", () => {
    const worst: Redemption = {
      ...owned,
      code: { is_active: false, app_user_id: "ada", max_uses: 1, total_claims: 1 },
      ...{ program: strict, of_owner: { referrer_id: "ada" }, earlier: { id: "1" } },
    }
    const better: ReadonlyArray<Partial<Redemption>> = [
      {},
      { code: { ...worst.code, is_active: true } },
      { program: open },
      { code: { ...worst.code, is_active: true, app_user_id: "bob" }, of_owner: null },
      { earlier: null },
      { code: { ...owned.code } },
    ]
    const codes = better.map((_, step) => findRefusal(Object.assign({}, worst, ...better.slice(0, step + 1)))?.code)
    expect(codes).toEqual([
      ...["CODE_INACTIVE", "NOT_ELIGIBLE", "SELF_REFERRAL", "ALREADY_REDEEMED", "CODE_EXHAUSTED", undefined],
    ])
  })
})
