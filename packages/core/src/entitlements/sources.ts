import { Schema, Struct } from "effect"
import { Entitlement } from "./entitlement.ts"

/**
 * What one source says about an entitlement of a user: `admin` what developers wrote, `reward` what rewards gave, `provider` what
 * was bought [E7, G5.1]. Unique per user, `entitlement_id` and source. The row of `Entitlement` is made from them. One that only
 * developers ever wrote has none: its row is their grant.
 */
export const EntitlementSource = Schema.Struct({
  ...Entitlement.fields,
  source: Schema.Literals(["admin", "provider", "reward"]),
})
export type EntitlementSource = typeof EntitlementSource.Type

const contentFields = Struct.omit(Entitlement.fields, ["id", "app_user_id", "entitlement_id", "updated_at"])
const contentNames = Object.keys(contentFields) as ReadonlyArray<keyof typeof contentFields>

/** What is granted: an entitlement without whose it is and when that was written. */
export type EntitlementContent = Pick<Entitlement, keyof typeof contentFields>

/** A grant of which nothing is known but that it is there. */
export const emptyContent: Omit<EntitlementContent, "is_active"> = {
  product_id: null,
  store: null,
  period_type: null,
  purchase_date: null,
  expiration_date: null,
  raw_data: {},
}

/** The content of a row or of a source. */
export const readContent = (row: EntitlementContent): EntitlementContent => Struct.pick(row, contentNames)

// Of sources that say the same the first one is shown.
const ranks = { admin: 0, provider: 1, reward: 2 }

const endOf = ({ expiration_date }: EntitlementContent) => expiration_date?.getTime() ?? Number.POSITIVE_INFINITY

/**
 * The source that counts: an admin's denial, else of the active ones the one that lasts longest, else any that is there [E7]. It
 * does not depend on the time, so nothing has to be written when a source ends.
 */
export const chooseSource = (sources: ReadonlyArray<EntitlementSource>): EntitlementSource | null => {
  const denial = sources.find(({ source, is_active }) => source === "admin" && !is_active)
  if (denial !== undefined) return denial
  const best = sources.toSorted(
    (a, b) =>
      Number(b.is_active) - Number(a.is_active) ||
      // Two that never end differ by NaN.
      (endOf(a) === endOf(b) ? 0 : endOf(b) - endOf(a)) ||
      ranks[a.source] - ranks[b.source],
  )
  return best[0] ?? null
}

/** Whether two values of columns are the same, JSON among them. */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b
  const [names, others] = [Object.keys(a), Object.keys(b)]
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === others.length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name as keyof typeof a], b[name as keyof typeof b]))
  )
}

/**
 * What developers granted; null where they granted nothing. A row that does not say what its sources say was written by a
 * release that knows of no sources: then it is what a developer wrote last.
 */
export const readAdminContent = (
  row: Entitlement | null,
  sources: ReadonlyArray<EntitlementSource>,
): EntitlementContent | null => {
  const chosen = chooseSource(sources)
  if (row !== null && (chosen === null || !isSame(readContent(row), readContent(chosen)))) return readContent(row)
  const admin = sources.find(({ source }) => source === "admin")
  return admin === undefined ? null : readContent(admin)
}

const dayMillis = 86_400_000

/** The last instant that can be stored and written as text. */
const lastInstant = new Date("9999-12-31T23:59:59.999Z")

/** What a reward makes of the end of the rewards before it. */
export interface ExtendedReward {
  readonly expiration_date: Date | null
  /** The days that were given: fewer where time ends; null is for ever. */
  readonly days: number | null
}

/**
 * When the rewards of an entitlement end, with so many days more. They start at the later of now and the end of the last one;
 * null is for ever, and what lasts for ever stays so [G5.1].
 */
export const extendReward = (last: EntitlementSource | null, days: number | null, now: Date): ExtendedReward => {
  if (days === null || (last !== null && last.expiration_date === null)) return { expiration_date: null, days }
  const start = Math.max(now.getTime(), last?.expiration_date?.getTime() ?? 0)
  const end = start + days * dayMillis
  if (end <= lastInstant.getTime()) return { expiration_date: new Date(end), days }
  const left = Math.max(0, Math.floor((lastInstant.getTime() - start) / dayMillis))
  return { expiration_date: new Date(start + left * dayMillis), days: left }
}
