import { readdirSync, readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject } from "../harness/fixtures.ts"
import { makeHarness } from "../harness/harness.ts"
import { runPage } from "../harness/page.ts"

describe("docs/economy.md", () => {
  const harness = makeHarness()
  const folder = harness.folder()
  let page: Awaited<ReturnType<typeof runPage>>

  beforeAll(async () => {
    const server = await harness.server({ DATA_DIR: harness.folder() })
    const project = await aProject(server.api)
    const token = project.owner.as["authorization"]?.replace("Bearer ", "") ?? ""
    const variables = { api: `${server.url}/v1`, project: project.id, key: project.clientKey, token }
    page = await runPage("economy.md", { folder, variables })
  })
  afterAll(harness.clear)

  it("runs as it is written, from the first request to the last", () => {
    const { answer, stdout } = page
    const files = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, "utf8"))
    expect(files.length).toBeGreaterThan(15)
    for (const text of [stdout, ...files]) expect(text).not.toContain('"error"')
    expect(answer("wallets")).toMatchObject([
      { code: "COINS", balance: 100, next_recharge_at: null },
      { code: "ENERGY", balance: 5 },
    ])
    expect(answer("granted")).toMatchObject({
      ...{ balance: 350.5, transaction: { amount: 250.5, transaction_type: "grant" } },
    })
    expect(answer("spent")).toMatchObject({ balance: 350, transaction: { amount: -0.5, transaction_type: "spend" } })
    expect(
      answer("ledger")
        .map((each: { transaction_type: string }) => each.transaction_type)
        .sort(),
    ).toEqual([...["grant", "initial", "initial", "spend", "spend"]])
  })

  it("buys once what is pressed once, with its contents", () => {
    const { answer } = page
    expect(answer("stores")).toMatchObject([{ name: "Smithy" }])
    expect(answer("listings")).toMatchObject([{ prices: { COINS: 120 }, purchases_left: 2 }])
    expect(answer("bought")).toMatchObject({
      ...{ purchase: { currency_code: "COINS", price: 120 }, balance: 230 },
      reward: { xp: 25, currencies: { ENERGY: 1 }, skipped: [] },
    })
    expect(answer("inventory")).toMatchObject([{ key: "sword", quantity: 1 }])
    expect(answer("used")).toMatchObject({ key: "sword", quantity: 0 })
    expect(answer("made-good")).toMatchObject({ reward: { currencies: { COINS: 50 }, xp: 5 } })
  })

  it("rewards both sides of a referral, and leads through the flow", () => {
    const { answer } = page
    expect(answer("claimed").reward).toMatchObject({ currencies: { COINS: 50 }, xp: 10 })
    expect(answer("mine")).toMatchObject({ total_claims: 1 })
    expect(answer("welcomed")).toMatchObject({
      ...{ status: "completed", answers: { 0: { name: "Bob" }, 1: { goal: "run" } } },
    })
    expect(answer("funnel")).toMatchObject([{ total_started: 1, total_completed: 1, completion_rate: 1 }])
  })

  it("ends with a ledger that adds up", () => {
    const { answer } = page
    expect(answer("reversed")).toMatchObject({ transaction: { amount: -9000, transaction_type: "reversal" } })
    expect(answer("proof")).toMatchObject({ mismatches: [] })
    expect(answer("proof").wallets).toBeGreaterThan(2)
  })
})
