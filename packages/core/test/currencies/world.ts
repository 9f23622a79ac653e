import type { CurrencyChangesInput, CurrencyInput } from "@hearth/core/currencies"
import { testWorld } from "@hearth/testing"
import { Effect } from "effect"

/** A code that a currency is made with, and what else. */
type Given = Partial<CurrencyInput>

/** A project with a user, at noon of 1 March 2026. */
export const moneyWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const { currencies } = world.core
  const run = world.run
  const refusal = async <A, E extends { readonly code: string }>(effect: Effect.Effect<A, E>) =>
    (await run(Effect.flip(effect))).code

  const createOf = (given: Given) =>
    currencies.create(projectId, { code: "GOLD", name: "Gold", description: null, is_premium: false, ...given })
  const grantOf = (amount: unknown, code = "GOLD", key: string | null = null, reason?: string, user = userId) =>
    currencies.grant(
      projectId,
      { app_user_id: user, currency_code: code, amount, ...(reason === undefined ? {} : { reason }) },
      key,
    )
  const spendOf = (amount: unknown, code = "GOLD", key?: string, reason?: string) =>
    currencies.spend(projectId, userId, code, {
      amount,
      ...(key === undefined ? {} : { idempotency_key: key }),
      ...(reason === undefined ? {} : { reason }),
    })
  const reverseOf = (id: string) => currencies.reverse(projectId, id)
  const ledger = async (user = userId) =>
    (await run(currencies.transactions(projectId, user, { limit: 1_000, offset: 0 }))).rows
  return {
    world,
    projectId,
    userId,
    refusal,
    effects: { create: createOf, grant: grantOf, spend: spendOf, reverse: reverseOf },
    create: (given: Given = {}) => run(createOf(given)),
    change: (id: string, changes: CurrencyChangesInput) => run(currencies.update(projectId, id, changes)),
    changeRefused: (id: string, changes: CurrencyChangesInput) => refusal(currencies.update(projectId, id, changes)),
    remove: (id: string) => run(currencies.remove(projectId, id)),
    grant: (...given: Parameters<typeof grantOf>) => run(grantOf(...given)),
    spend: (...given: Parameters<typeof spendOf>) => run(spendOf(...given)),
    reverse: (id: string) => run(reverseOf(id)),
    own: async (code = "GOLD") => (await run(currencies.own(projectId, userId))).find((each) => each.code === code),
    balance: async (code = "GOLD") =>
      (await run(currencies.own(projectId, userId))).find((each) => each.code === code)?.balance,
    ledger,
    /** The transactions as `type amount`, the first one first. */
    history: async () =>
      (await ledger()).toReversed().map(({ transaction_type, amount }) => `${transaction_type} ${amount}`),
    verify: () => run(currencies.verify(projectId)),
  }
}
