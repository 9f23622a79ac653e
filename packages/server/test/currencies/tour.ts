import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** Currencies, what comes into a wallet and out of it, and the proof that nothing is lost. */
export const tour: Tour = async ({ admin, client, userId }) => {
  const body = { code: "TOUR_GOLD", name: "Gold", max_balance: 100, initial_balance: 5 }
  const gold = await admin("POST /currencies", { body })
  expect(gold).toEqual({
    ...{ ...body, id: expect.any(String), description: null, is_premium: false, created_at: expect.any(String) },
    ...{ auto_recharge_amount: null, auto_recharge_interval_hours: null },
  })
  const currencyId = gold["id"]
  expect(await admin("GET /currencies")).toEqual([gold])
  const recharge = { auto_recharge_amount: 0.5, auto_recharge_interval_hours: 1 }
  const changed = await admin("PATCH /currencies/:currencyId", { currencyId, body: recharge })
  expect(changed).toEqual({ ...gold, ...recharge })

  const shown = { code: "TOUR_GOLD", name: "Gold", description: null, is_premium: false, max_balance: 100 }
  expect(await client("GET /client/currencies")).toEqual([{ ...shown, balance: 5, next_recharge_at: null }])
  expect(await admin("GET /users/:userId/currencies", { userId })).toEqual(await client("GET /client/currencies"))

  const grant = { app_user_id: userId, currency_code: "TOUR_GOLD", amount: 2.25, reason: "thanks" }
  const granted = await admin("POST /currencies/grant", { body: grant })
  expect(granted).toEqual({
    balance: 7.25,
    transaction: {
      ...{ id: expect.any(String), app_user_id: userId, currency_id: currencyId, currency_code: "TOUR_GOLD" },
      ...{ amount: 2.25, balance_after: 7.25, transaction_type: "grant", source: "admin", reference_id: "thanks" },
      created_at: expect.any(String),
    },
  })
  const spend = { code: "TOUR_GOLD", body: { amount: 0.25, reason: "hint", idempotency_key: "tour" } }
  const spent = await client("POST /client/currencies/:code/spend", spend)
  expect(spent).toMatchObject({ balance: 7, transaction: { amount: -0.25, source: "client", reference_id: "hint" } })
  expect(await client("POST /client/currencies/:code/spend", spend)).toEqual(spent)
  const [balance] = await client<ReadonlyArray<object>>("GET /client/currencies")
  expect(balance).toEqual({ ...shown, balance: 7, next_recharge_at: expect.any(String) })

  const transactionId = (granted["transaction"] as { id: string }).id
  const reversed = await admin("POST /currencies/transactions/:transactionId/reverse", { transactionId })
  expect(reversed).toMatchObject({ balance: 4.75, transaction: { amount: -2.25, reference_id: transactionId } })
  const own = await client<ReadonlyArray<object>>("GET /client/currencies/transactions")
  expect(own).toMatchObject([
    { transaction_type: "reversal" },
    { transaction_type: "spend" },
    { transaction_type: "grant" },
    { transaction_type: "initial", amount: 5 },
  ])
  expect(await admin("GET /currencies/transactions/:userId", { userId })).toEqual(own)
  expect(await admin("GET /currencies/verify")).toEqual({ wallets: 1, transactions: 4, mismatches: [] })
  await admin("DELETE /currencies/:currencyId", { currencyId })
  expect(await admin("GET /currencies/verify")).toEqual({ wallets: 0, transactions: 0, mismatches: [] })
}
