import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

interface Receipt {
  readonly balance: number
  readonly transaction: { readonly id: string; readonly amount: number }
}

const nobody = "0190aaaa-bbbb-7ccc-8ddd-ffffffffffff"

/** What no amount is, as a body has it: JSON text, so that every spelling of a number can be sent [G4.2]. */
const badAmounts = [
  ...["0", "-0", "-1", "-0.0001", "1e-5", "0.00001", "1.00001", "0.12345", "1e300", "900000000000.0001", "1e12"],
  ...['"5"', "null", "true", "[1]", "{}"],
]

describe("currencies, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let user: TestUser
  let dataDir: string
  let made = 0

  beforeAll(async () => {
    dataDir = harness.folder()
    server = await harness.server({ DATA_DIR: dataDir })
    project = await aProject(server.api)
    user = await aUser(server.api, project)
  })
  afterAll(harness.clear)

  const admin = <Data>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.api.call<Data>(method, `${project.admin}${path}`, { ...project.owner.as, ...headers }, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const code = () => {
    made += 1
    return `C${made}`
  }
  const currency = async (given: object = {}) => {
    const body = { code: code(), name: "Gold", ...given }
    const { data, status, text } = await admin<{ id: string; code: string }>("POST", "/currencies", body)
    if (status !== 201) throw new Error(text)
    return data
  }
  const grant = (body: object, key?: string) =>
    admin<Receipt>("POST", "/currencies/grant", body, key === undefined ? {} : { "idempotency-key": key })
  const spend = (of: string, body: unknown, by: Pick<TestUser, "as"> = user) =>
    server.api.call<Receipt>("POST", `/client/currencies/${of}/spend`, by.as, body)
  const balance = async (of: string, whose = user) => {
    const all = await server.api.ok<ReadonlyArray<{ code: string; balance: number }>>(
      ...(["GET", "/client/currencies", whose.as] as const),
    )
    return all.find((each) => each.code === of)?.balance
  }
  const mismatches = async () =>
    (await admin<{ mismatches: ReadonlyArray<unknown> }>("GET", "/currencies/verify")).data.mismatches
  /** Sends a body as it is written. */
  const post = async (path: string, as: Readonly<Record<string, string>>, text: string, method = "POST") => {
    const headers = { ...as, "content-type": "application/json" }
    const response = await fetch(`${server.url}/v1${path}`, { method, headers, body: text })
    return [response.status, JSON.parse(await response.text()).error?.code ?? null]
  }
  const counts = (answers: ReadonlyArray<Answer<unknown>>) =>
    Object.fromEntries(
      [...Map.groupBy(answers, (answer) => brief(answer).join(" "))].map(([key, all]) => [key, all.length]),
    )

  it.each(badAmounts)("refuses to grant, spend or set %s [G4.2]", async (amount) => {
    const { id, code } = await currency({ initial_balance: 1, max_balance: 5 })
    const granted = `{"app_user_id":"${user.id}","currency_code":"${code}","amount":${amount}}`
    expect(await post(`${project.admin}/currencies/grant`, project.owner.as, granted)).toEqual([400, "INVALID_AMOUNT"])
    expect(await post(`/client/currencies/${code}/spend`, user.as, `{"amount":${amount}}`)).toEqual([
      ...[400, "INVALID_AMOUNT"],
    ])
    const interval = `{"auto_recharge_amount":${amount},"auto_recharge_interval_hours":1}`
    const change = (body: string) => post(`${project.admin}/currencies/${id}`, project.owner.as, body, "PATCH")
    // Half a recharge, where null is sent.
    expect(await change(interval)).toEqual([400, amount === "null" ? "INVALID_INPUT" : "INVALID_AMOUNT"])
    if (/^-?0$/.test(amount)) expect(await change(`{"initial_balance":${amount}}`)).toEqual([200, null])
    else expect(await change(`{"initial_balance":${amount}}`)).toEqual([400, "INVALID_AMOUNT"])
    const body = `{"code":"X","name":"X","max_balance":${amount}}`
    if (!/^(-?0|null)$/.test(amount))
      expect(await post(`${project.admin}/currencies`, project.owner.as, body)).toEqual([400, "INVALID_AMOUNT"])
  })

  it("says what an amount must be, of a grant and of spending", async () => {
    const { code } = await currency()
    const message = "must be a number greater than 0, at most 900,000,000,000, with at most 4 decimals"
    const refused = [
      await grant({ app_user_id: user.id, currency_code: code, amount: 0.00001 }),
      await spend(code, { amount: -1 }),
    ]
    for (const { text } of refused)
      expect(JSON.parse(text).error).toMatchObject({
        ...{ message: `amount ${message}.`, details: { issues: [{ path: "amount", message }] } },
      })
  })

  it.each([
    ["no code", { code: undefined }, "INVALID_INPUT"],
    ["a code in lower case", { code: "gold" }, "INVALID_INPUT"],
    ["a code of 33 characters", { code: "G".repeat(33) }, "INVALID_INPUT"],
    ["an empty code", { code: "" }, "INVALID_INPUT"],
    ["no name", { name: undefined }, "INVALID_INPUT"],
    ["a name that is null", { name: null }, "INVALID_INPUT"],
    ["a flag that is text", { is_premium: "no" }, "INVALID_INPUT"],
    ["a bad name and a bad amount", { name: "", initial_balance: -1 }, "INVALID_INPUT"],
    ["an initial balance that is null", { initial_balance: null }, "INVALID_AMOUNT"],
    ["more at first than there may be", { initial_balance: 2, max_balance: 1 }, "INVALID_INPUT"],
    ["an amount of recharge alone", { auto_recharge_amount: 1 }, "INVALID_INPUT"],
    ["an interval alone", { auto_recharge_interval_hours: 1 }, "INVALID_INPUT"],
    ["an interval of 0", { auto_recharge_amount: 1, auto_recharge_interval_hours: 0 }, "INVALID_AMOUNT"],
  ])("refuses a currency with %s [G4.1, G4.2]", async (_, given, expected) => {
    expect(brief(await admin("POST", "/currencies", { code: code(), name: "N", ...given }))).toEqual([400, expected])
  })

  it("refuses a code that is taken, a change of nothing that is there, and ids that are none [G4.1]", async () => {
    const { id, code: taken } = await currency()
    expect(brief(await admin("POST", "/currencies", { code: taken, name: "N" }))).toEqual([409, "CODE_EXISTS"])
    expect(brief(await admin("PATCH", `/currencies/${nobody}`, { name: "N" }))).toEqual([404, "NOT_FOUND"])
    expect(brief(await admin("PATCH", `/currencies/${id}`, { name: null }))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await admin("DELETE", `/currencies/${nobody}`))).toEqual([200, null])
    expect(brief(await admin("PATCH", "/currencies/x", {}))).toEqual([404, "NOT_FOUND"])
    const reverse = (transaction: string) => admin("POST", `/currencies/transactions/${transaction}/reverse`)
    expect(brief(await reverse(nobody))).toEqual([404, "NOT_FOUND"])
    expect(brief(await admin("GET", `/users/${nobody}/currencies`))).toEqual([404, "USER_NOT_FOUND"])
    expect((await admin("GET", `/currencies/transactions/${nobody}`)).data).toEqual([])
  })

  it("checks a grant in its order: body, amount, user, currency [G4.3]", async () => {
    const { code } = await currency()
    const body = { app_user_id: user.id, currency_code: code, amount: 1 }
    const refusal = async (given: object) => brief(await grant({ ...body, ...given }))
    expect(await refusal({ app_user_id: "x", amount: 0 })).toEqual([400, "INVALID_INPUT"])
    expect(await refusal({ currency_code: 5, amount: 0 })).toEqual([400, "INVALID_INPUT"])
    expect(await refusal({ reason: 5, amount: 0 })).toEqual([400, "INVALID_INPUT"])
    expect(await refusal({ app_user_id: nobody, amount: 0 })).toEqual([400, "INVALID_AMOUNT"])
    expect(await refusal({ amount: undefined })).toEqual([400, "INVALID_AMOUNT"])
    expect(await refusal({ app_user_id: nobody, currency_code: "NONE" })).toEqual([404, "USER_NOT_FOUND"])
    expect(await refusal({ currency_code: "NONE" })).toEqual([404, "CURRENCY_NOT_FOUND"])
    expect(await refusal({ app_user_id: user.id.toUpperCase() })).toEqual([201, null])
  })

  it("refuses to spend what is not there, in no currency, or with a bad key [G4.6]", async () => {
    const { code } = await currency({ initial_balance: 1 })
    expect(brief(await spend(code, { amount: 1.0001 }))).toEqual([409, "INSUFFICIENT_BALANCE"])
    expect(brief(await spend("NONE", { amount: 1 }))).toEqual([404, "CURRENCY_NOT_FOUND"])
    expect(brief(await spend("%20", { amount: 1 }))).toEqual([404, "CURRENCY_NOT_FOUND"])
    for (const idempotency_key of ["", "k".repeat(256), 5])
      expect(brief(await spend(code, { amount: 0, idempotency_key }))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await spend(code, { amount: 1, reason: {} }))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await spend(code, { amount: 1, idempotency_key: "k".repeat(255) }))).toEqual([201, null])
  })

  it("grants once by a key, whatever is sent at once, and refuses another input [E5, G4.2]", async () => {
    const { code } = await currency()
    const body = { app_user_id: user.id, currency_code: code, amount: 5 }
    const answers = await Promise.all(Array.from({ length: 20 }, () => grant(body, "once")))
    expect(counts(answers)).toEqual({ "201 ": 20 })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await balance(code)).toBe(5)
    expect(brief(await grant({ ...body, amount: 6 }, "once"))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    const other = await aUser(server.api, project)
    expect(brief(await grant({ ...body, app_user_id: other.id }, "once"))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    for (const key of ["", "k".repeat(256)]) expect(brief(await grant(body, key))).toEqual([400, "INVALID_INPUT"])
  })

  it("spends once by a key that is sent 20 times at once; the key of another user is another [G4.2]", async () => {
    const { code } = await currency({ initial_balance: 10 })
    const other = await aUser(server.api, project)
    const body = { amount: 4, idempotency_key: "spend-once" }
    const answers = await Promise.all(Array.from({ length: 20 }, () => spend(code, body)))
    expect(counts(answers)).toEqual({ "201 ": 20 })
    expect(new Set(answers.map(({ data }) => data.transaction.id)).size).toBe(1)
    expect(brief(await spend(code, body, other))).toEqual([201, null])
    expect([await balance(code), await balance(code, other)]).toEqual([6, 6])
    expect(brief(await spend(code, { ...body, amount: 5 }))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
  })

  it("spends once by the key of a header, too; that of the body goes before it", async () => {
    const { code } = await currency({ initial_balance: 10 })
    const by = (key: string) => ({ as: { ...user.as, "idempotency-key": key } })
    const [first, again] = [
      await spend(code, { amount: 4 }, by("header")),
      await spend(code, { amount: 4 }, by("header")),
    ]
    expect([first.status, again.text]).toEqual([201, first.text])
    expect(brief(await spend(code, { amount: 5 }, by("header")))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    expect((await spend(code, { amount: 4, idempotency_key: "header" })).text).toBe(first.text)
    expect((await spend(code, { amount: 1, idempotency_key: "body" }, by("header"))).data.balance).toBe(5)
    for (const key of ["", "k".repeat(256)])
      expect(brief(await spend(code, { amount: 1 }, by(key)))).toEqual([400, "INVALID_INPUT"])
    expect(await balance(code)).toBe(5)
  })

  it("lets 10 of 300 that spend at once have what is there for 10", async () => {
    const { code } = await currency({ initial_balance: 10 })
    const answers = await Promise.all(Array.from({ length: 300 }, () => spend(code, { amount: 1 })))
    expect(counts(answers)).toEqual({ "201 ": 10, "409 INSUFFICIENT_BALANCE": 290 })
    expect(await balance(code)).toBe(0)
    const afters = answers.filter(({ status }) => status === 201).map(({ data }) => data.balance)
    expect(afters.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await mismatches()).toEqual([])
  })

  it("reverses once, and refuses what cannot be reversed [G4.7]", async () => {
    const { code } = await currency({ initial_balance: 1 })
    const { data } = await grant({ app_user_id: user.id, currency_code: code, amount: 5 })
    const reverse = (id: string) => admin<Receipt>("POST", `/currencies/transactions/${id}/reverse`)
    const answers = await Promise.all(Array.from({ length: 10 }, () => reverse(data.transaction.id)))
    expect(counts(answers)).toEqual({ "201 ": 1, "409 ALREADY_REVERSED": 9 })
    const reversal = answers.find(({ status }) => status === 201)?.data.transaction.id ?? ""
    expect(brief(await reverse(reversal))).toEqual([409, "NOT_REVERSIBLE"])
    const again = await grant({ app_user_id: user.id, currency_code: code, amount: 5 })
    await spend(code, { amount: 2 })
    expect(brief(await reverse(again.data.transaction.id))).toEqual([409, "INSUFFICIENT_BALANCE"])
  })

  it("survives grants, spending, changes and removals at once: no deadlock, no mismatch [G0.5, G4.8]", async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => aUser(server.api, project)))
    const ids: Array<{ id: string; code: string }> = []
    for (let round = 0; round < 3; round += 1)
      ids.push(await currency({ initial_balance: 50, auto_recharge_amount: 1, auto_recharge_interval_hours: 0.0001 }))
    const calls = ids.flatMap(({ id, code }) => [
      ...users.flatMap((each) => [
        () => grant({ app_user_id: each.id, currency_code: code, amount: 1.5 }),
        () => spend(code, { amount: 0.5 }, each),
        () => spend(code, { amount: 0.25, idempotency_key: code }, each),
        () => grant({ app_user_id: each.id, currency_code: code, amount: 2 }, `${code} ${each.id}`),
      ]),
      ...[60, 70, null].map((max_balance) => () => admin("PATCH", `/currencies/${id}`, { max_balance })),
      () => admin("GET", "/currencies/verify"),
    ])
    const removals = ids.slice(1).map(
      ({ id }) =>
        () =>
          admin("DELETE", `/currencies/${id}`),
    )
    const work = [...calls.slice(0, 20), ...removals, ...calls.slice(20)].map((call) => call())
    const answers = await Promise.all<Answer<unknown>>(work)
    const allowed = new Set(["200 ", "201 ", "404 CURRENCY_NOT_FOUND", "404 NOT_FOUND"])
    expect(Object.keys(counts(answers)).filter((each) => !allowed.has(each))).toEqual([])
    expect(await mismatches()).toEqual([])
    const deadlocks = "select deadlocks::int from pg_stat_database where datname = current_database()"
    expect(await sqlIn(dataDir).rows(project.id, deadlocks)).toEqual([{ deadlocks: 0 }])
  })

  it("shows a currency's purchases, grants and all to its user only [G4.6]", async () => {
    const { code } = await currency({ initial_balance: 3 })
    const other = await aUser(server.api, project)
    await spend(code, { amount: 1, reason: "mine" }, other)
    const own = await server.api.ok<ReadonlyArray<{ app_user_id: string }>>(
      ...(["GET", "/client/currencies/transactions?limit=1000", other.as] as const),
    )
    expect(own).toHaveLength(2)
    expect(new Set(own.map(({ app_user_id }) => app_user_id))).toEqual(new Set([other.id]))
  })
})
