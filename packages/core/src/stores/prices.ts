import { Effect } from "effect"
import { isPositiveAmount, positiveAmountPhrase as message } from "../currencies/money.ts"
import { InvalidAmount } from "../failure.ts"

const codePattern = /^[A-Z0-9_]{1,32}$/

// As many as there can be currencies [G0.6].
const mostPrices = 100

/** Whether `value` has a price for currencies only, known or not. The prices themselves may be anything. */
export const isPrices = (value: Readonly<Record<string, unknown>>): boolean => {
  const codes = Object.keys(value)
  return codes.length <= mostPrices && codes.every((code) => codePattern.test(code))
}

/** The prices, each an amount greater than 0 [G6.1]. `field` is what they are called in the input. */
export const readPrices = (
  value: Readonly<Record<string, unknown>>,
  field: "prices" | "override_prices",
): Effect.Effect<Readonly<Record<string, number>>, InvalidAmount> => {
  const wrong = Object.entries(value).filter(([, price]) => !isPositiveAmount(price))
  if (wrong.length === 0) return Effect.succeed(value as Readonly<Record<string, number>>)
  return Effect.fail(new InvalidAmount({ issues: wrong.map(([code]) => ({ path: `${field}.${code}`, message })) }))
}

/** What a listing is sold for: its own prices, else those of the item [G6.3]. */
export const mergePrices = (
  prices: Readonly<Record<string, number>>,
  overrides: Readonly<Record<string, number>> | null,
): Readonly<Record<string, number>> => ({ ...prices, ...overrides })
