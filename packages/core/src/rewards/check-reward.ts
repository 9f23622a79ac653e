import { Effect } from "effect"
import type { CurrenciesDb } from "../currencies/port.ts"
import { stepOf } from "../input-issues.ts"
import type { StoresDb } from "../stores/port.ts"
import { InvalidReward, type RewardParts } from "./reward.ts"

/** Fails where a reward names a currency or an item that is not there: such a reward is not stored [G5.1]. */
export const checkReward = Effect.fnUntraced(function* (
  db: Pick<CurrenciesDb, "currencies"> & Pick<StoresDb, "catalogItems">,
  { currencies, items }: RewardParts,
) {
  const codes = new Set((yield* db.currencies.list({}, [])).map(({ code }) => code))
  const found = items.length === 0 ? [] : yield* db.catalogItems.lockKeys(items.map(({ key }) => key))
  const keys = new Set(found.map(({ key }) => key))
  const issues = [
    ...currencies.flatMap(({ code }) =>
      codes.has(code) ? [] : [{ path: `currencies.${stepOf(code)}`, message: "must be a currency of this project" }],
    ),
    ...items.flatMap(({ key }) =>
      keys.has(key) ? [] : [{ path: `items.${key}`, message: "must be an item of the catalog" }],
    ),
  ]
  if (issues.length > 0) return yield* new InvalidReward({ issues })
})
