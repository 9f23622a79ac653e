import { toleranceMillis } from "../entitlements/entitlement.ts"
import type { Grant } from "./grants.ts"

/** What the grants of an owner make of one entitlement. */
export interface FoldedEntitlement extends Pick<Grant, "owner" | "entitlement_id" | "product_id" | "store"> {
  readonly is_active: boolean
  readonly period_type: string | null
  readonly purchased_at: number | null
  /** When access ends: with a grace period, its end. Null: never. */
  readonly expiration_at: number | null
  /** The entry of the last event that changed the grant. */
  readonly entry_id: string
}

/** When the access that a grant gives ends by itself; null: never. */
const findAccessEnd = ({ expiration_at, grace_until }: Grant): number | null =>
  expiration_at === null ? null : Math.max(expiration_at, grace_until ?? expiration_at)

/**
 * When a grant stops giving access by itself: the provider may take an hour to tell of a renewal or an end. Where it has said something of
 * the grant after its end, nothing is waited for. So an end is the same whether or not something else comes meanwhile.
 */
const findClosing = (grant: Grant): number => {
  const end = findAccessEnd(grant) ?? Number.POSITIVE_INFINITY
  return grant.told_at >= end ? end : end + toleranceMillis
}

/** Whether a grant gives access at an instant: it is the owner's, listed, not refunded, not ended, and has not closed by itself. */
const givesAccess = (grant: Grant, now: number): boolean =>
  grant.is_listed &&
  grant.moved_to === null &&
  grant.refunded_at === null &&
  grant.ended_at === null &&
  now < findClosing(grant)

const compareText = (a: string | null, b: string | null) => ((a ?? "") < (b ?? "") ? -1 : Number((a ?? "") > (b ?? "")))

const endOf = (grant: Grant) => findAccessEnd(grant) ?? Number.POSITIVE_INFINITY

/**
 * When a grant gave access last. So of those that give none it is the one that the row showed before, which is left as it is where it
 * ends by itself. When something was not listed any more, or handed over, is not known: that was a change of its own.
 */
const closedAt = (grant: Grant): number =>
  grant.is_listed && grant.moved_to === null
    ? Math.min(
        grant.refunded_at ?? Number.POSITIVE_INFINITY,
        grant.ended_at ?? Number.POSITIVE_INFINITY,
        findClosing(grant),
      )
    : Number.NEGATIVE_INFINITY

const later = (a: number, b: number) => (a === b ? 0 : b - a)

/** The better one first: what gives access, then what ends or ended last, then what was bought last; the rest makes it one order. */
const compareGrants = (now: number) => (a: Grant, b: Grant) =>
  Number(givesAccess(b, now)) - Number(givesAccess(a, now)) ||
  (givesAccess(a, now) ? 0 : later(closedAt(a), closedAt(b))) ||
  later(endOf(a), endOf(b)) ||
  (b.purchased_at ?? 0) - (a.purchased_at ?? 0) ||
  b.order - a.order ||
  compareText(a.subscription, b.subscription) ||
  // Of two of one owner and subscription one was given away.
  Number(a.moved_to !== null) - Number(b.moved_to !== null)

/** What grants give their owners at an instant: of each entitlement what the best of its grants says. */
export const describeEntitlements = (grants: ReadonlyArray<Grant>, now: number): ReadonlyArray<FoldedEntitlement> => {
  const groups = Map.groupBy(grants, ({ owner, entitlement_id }) => JSON.stringify([owner, entitlement_id]))
  return [...groups.values()].flatMap((group) => {
    const [best] = group.toSorted(compareGrants(now))
    if (best === undefined) return []
    const { owner, entitlement_id, product_id, store, period_type, purchased_at, entry_id } = best
    return {
      ...{ owner, entitlement_id, product_id, store, period_type, purchased_at, entry_id },
      ...{ is_active: givesAccess(best, now), expiration_at: findAccessEnd(best) },
    }
  })
}
