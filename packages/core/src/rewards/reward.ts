import { Result, Schema } from "effect"
import { isPositiveAmount } from "../currencies/money.ts"
import { failure } from "../failure.ts"
import { type InputIssue as Issue, stepOf } from "../input-issues.ts"
import { isPlainObject } from "../json-faults.ts"
import { Count, isObject, isText, type JsonObject } from "../schema.ts"

/** A reward is malformed, or names a currency or an item that is not there. `details.issues` is `[{ path, message }]` [G5.1]. */
export class InvalidReward extends failure("InvalidReward", "invalid", "INVALID_REWARD", "The reward is not valid.") {}

/** What a reward consists of, each part named once. All empty is no reward. */
export interface RewardParts {
  readonly currencies: ReadonlyArray<{ readonly code: string; readonly amount: number }>
  /** 0 where it gives none. */
  readonly xp: number
  readonly items: ReadonlyArray<{ readonly key: string; readonly quantity: number }>
  /** Null is for ever. The same one may be there more than once: one after the other. */
  readonly entitlements: ReadonlyArray<{ readonly entitlement_id: string; readonly days: number | null }>
}

/** A reward as it is sent, for the API reference. `parseReward` validates it, because it has a code of its own. */
export const RewardInput = Schema.Struct({
  /** Amounts by the code of the currency. */
  currencies: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
  xp: Schema.optionalKey(Count),
  items: Schema.optionalKey(Schema.Array(Schema.Struct({ key: Schema.String, quantity: Count }))),
  entitlements: Schema.optionalKey(
    Schema.Array(Schema.Struct({ entitlement_id: Schema.String, days: Schema.NullOr(Count) })),
  ),
}).annotate({ identifier: "Reward" })

/** What was given: of each part what was left after clamping, and the codes and keys that are not there any more [G5.1]. */
export const GivenReward = Schema.Struct({ ...RewardInput.fields, skipped: Schema.Array(Schema.String) }).annotate({
  identifier: "GivenReward",
})
export type GivenReward = typeof GivenReward.Type

const maxXp = 1_000_000_000
const maxQuantity = 1_000_000
const maxDays = 36_500
// As many as there can be currencies. A purchase gives all of them in one transaction.
const mostParts = 100

const isWhole = (value: unknown, most: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most

/** Whether no more than `mostParts` are there, and an issue where more are. */
const areFew = (path: string, count: number, issues: Array<Issue>) => {
  if (count <= mostParts) return true
  issues.push({ path, message: `must have at most ${mostParts} entries` })
  return false
}

const parseCurrencies = (value: unknown, issues: Array<Issue>): RewardParts["currencies"] => {
  if (value === undefined) return []
  if (!isObject(value)) {
    issues.push({ path: "currencies", message: "must be an object with amounts by the codes of currencies" })
    return []
  }
  const entries = Object.entries(value)
  if (!areFew("currencies", entries.length, issues)) return []
  return entries.flatMap(([code, amount]) => {
    if (isPositiveAmount(amount)) return [{ code, amount }]
    issues.push({ path: `currencies.${stepOf(code)}`, message: "must be an amount greater than 0" })
    return []
  })
}

/** The entries of a list of objects, each read by `parse`, which answers what is wrong where that is so. */
const parseList = <Part extends object>(
  path: string,
  value: unknown,
  parse: (entry: Readonly<Record<string, unknown>>) => Part | Issue,
  issues: Array<Issue>,
): ReadonlyArray<Part> => {
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    issues.push({ path, message: "must be an array" })
    return []
  }
  if (!areFew(path, value.length, issues)) return []
  return value.flatMap((entry: unknown, at) => {
    const parsed = isObject(entry) ? parse(entry) : { path: "", message: "must be an object" }
    if (!("message" in parsed)) return [parsed]
    issues.push({ path: [path, at, parsed.path].filter((step) => step !== "").join("."), message: parsed.message })
    return []
  })
}

const parseItem = ({ key, quantity }: Readonly<Record<string, unknown>>): RewardParts["items"][number] | Issue => {
  if (!isText(key, 1, 255))
    return { path: "key", message: key === undefined ? "is required" : "must be the key of an item" }
  if (!isWhole(quantity, maxQuantity))
    return {
      path: "quantity",
      message: quantity === undefined ? "is required" : `must be an integer from 1 to ${maxQuantity}`,
    }
  return { key, quantity }
}

const parseEntitlement = ({
  entitlement_id,
  days,
}: Readonly<Record<string, unknown>>): RewardParts["entitlements"][number] | Issue => {
  if (!isText(entitlement_id, 1, 255))
    return {
      path: "entitlement_id",
      message: entitlement_id === undefined ? "is required" : "must be 1 to 255 characters",
    }
  if (days !== null && !isWhole(days, maxDays))
    return {
      path: "days",
      message: days === undefined ? "is required" : `must be an integer from 1 to ${maxDays} or null`,
    }
  return { entitlement_id, days }
}

/** The items, each key once. */
const mergeItems = (items: RewardParts["items"]): RewardParts["items"] => {
  const quantities = new Map<string, number>()
  for (const { key, quantity } of items) quantities.set(key, (quantities.get(key) ?? 0) + quantity)
  return [...quantities].map(([key, quantity]) => ({ key, quantity }))
}

/** The same failure, of a reward that is the field `field` of an input. */
export const tellOfReward = (field: string) => (failure: InvalidReward) => {
  const issues = (failure.details?.["issues"] ?? []) as ReadonlyArray<Issue>
  return new InvalidReward({
    issues: issues.map(({ path, message }) => ({ path: path === "" ? field : `${field}.${path}`, message })),
  })
}

/** What a reward consists of. Other keys are ignored. Whether its codes and keys are there is asked by `checkReward` [G5.1]. */
export const parseReward = (value: unknown): Result.Result<RewardParts, InvalidReward> => {
  const issues: Array<Issue> = []
  if (!isPlainObject(value)) issues.push({ path: "", message: "must be an object" })
  const { currencies, xp, items, entitlements } = isPlainObject(value) ? value : {}
  if (xp !== undefined && !isWhole(xp, maxXp))
    issues.push({ path: "xp", message: `must be an integer from 1 to ${maxXp}` })
  const parts: RewardParts = {
    currencies: parseCurrencies(currencies, issues),
    xp: isWhole(xp, maxXp) ? xp : 0,
    items: mergeItems(parseList("items", items, parseItem, issues)),
    entitlements: parseList("entitlements", entitlements, parseEntitlement, issues),
  }
  return issues.length === 0 ? Result.succeed(parts) : Result.fail(new InvalidReward({ issues }))
}

/** What a stored reward consists of: nothing for null. */
export const readStoredReward = (stored: JsonObject | null): RewardParts => Result.getOrThrow(parseReward(stored ?? {}))

/** Whether a reward gives anything. */
export const givesNothing = ({ currencies, xp, items, entitlements }: RewardParts): boolean =>
  currencies.length === 0 && xp === 0 && items.length === 0 && entitlements.length === 0
