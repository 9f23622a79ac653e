import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { NewAchievement } from "./achievements/index.ts"
import { CurrencyChangesInput, CurrencyInput, GrantInput, SpendInput } from "./currencies/index.ts"
import { listIssues } from "./input-issues.ts"
import { withOwnIssues } from "./own-issues.ts"
import { NewReferralCode } from "./referrals/index.ts"
import { NewReward } from "./rewards/index.ts"
import { NewSegment } from "./segments/index.ts"
import { NewCatalogItem } from "./stores/index.ts"
import { XpAwardInput } from "./xp/index.ts"

describe("what is wrong with an input [A5]", () => {
  const pathsOf = (schema: Schema.Codec<unknown>, given: unknown) => {
    const decoded = Schema.decodeUnknownResult(schema, { errors: "all" })(given)
    const issues = Result.isFailure(decoded) ? listIssues(decoded.failure.issue, schema) : []
    return withOwnIssues(issues, schema, given).map(({ path }) => path)
  }

  it.each([
    ["a grant", GrantInput, { app_user_id: 1, currency_code: "A", amount: "5" }, ["app_user_id", "amount"]],
    ["a good amount", GrantInput, { app_user_id: 1, currency_code: "A", amount: 5 }, ["app_user_id"]],
    ["what is spent", SpendInput, { reason: 1, amount: 0 }, ["reason", "amount"]],
    ["XP by hand", XpAwardInput, { reason: 1, amount: 0 }, ["reason", "amount"]],
    [
      "a currency",
      CurrencyInput,
      { code: "a", initial_balance: -1, max_balance: "x", auto_recharge_amount: null },
      ["code", "name", "initial_balance", "max_balance"],
    ],
    ["a change of one", CurrencyChangesInput, { name: 1, auto_recharge_amount: 0 }, ["name", "auto_recharge_amount"]],
    ["a segment", NewSegment, { rules: {} }, ["name", "rules"]],
    ["an achievement", NewAchievement, { key: "k", criteria: { event: "", count: 1 } }, ["name", "criteria.event"]],
    ["an item", NewCatalogItem, { key: "", name: "n", contents: { xp: 0 } }, ["key", "contents.xp"]],
    ["an item without contents", NewCatalogItem, { key: "", name: "n", contents: null }, ["key"]],
    ["a reward", NewReward, { reason: 1, reward: { xp: 0 } }, ["reason", "reward.xp"]],
    ["a code", NewReferralCode, { code: "x", reward_referee: { xp: 0 } }, ["code", "reward_referee.xp"]],
    ["no object", SpendInput, [], [""]],
  ])("is listed all at once, also what has a code of its own: %s", (_, schema, given, paths) => {
    expect(pathsOf(schema as unknown as Schema.Codec<unknown>, given)).toEqual(paths)
  })
})
