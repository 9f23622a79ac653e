import type { FoldedEvent } from "./provider-event.ts"

/** What a subscription gives one owner of one entitlement. Unique: (`subscription`, `owner`, `entitlement_id`). */
export interface Grant {
  readonly subscription: string
  readonly entitlement_id: string
  readonly owner: string
  readonly product_id: string | null
  /** The transaction of the present period. */
  readonly transaction_id: string | null
  readonly store: string | null
  readonly period_type: string | null
  readonly purchased_at: number | null
  /** Null: it never ends. */
  readonly expiration_at: number | null
  readonly will_renew: boolean
  /** How long access lasts though the charge failed; null where it did not, or there is no grace. */
  readonly grace_until: number | null
  readonly refunded_at: number | null
  /** When the provider said that access has ended. */
  readonly ended_at: number | null
  /** Whether the last purchase still lists the entitlement. */
  readonly is_listed: boolean
  /** Who has it now; null where that is the owner. */
  readonly moved_to: string | null
  /** The entry of the last event that changed it. */
  readonly entry_id: string
  /** When that event happened. */
  readonly told_at: number
  /** The place of that event in the order of all. */
  readonly order: number
}

/** A subscription: what each of its owners has of it. */
export interface Subscription {
  /** By owner, then by entitlement. */
  readonly holders: Map<string, Map<string, Grant>>
  /** By a former owner: who has received what that one had. */
  readonly moved: Map<string, string>
  /** What former owners had, by owner and entitlement. */
  readonly left: Map<string, Grant>
}

/** The subscriptions by their names. */
export type Subscriptions = Map<string, Subscription>

/** The subscription of this name, made where it is new. */
export const openSubscription = (subscriptions: Subscriptions, name: string): Subscription => {
  const present = subscriptions.get(name) ?? { holders: new Map(), moved: new Map(), left: new Map() }
  subscriptions.set(name, present)
  return present
}

/** What an owner has of a subscription, made where that is nothing yet. */
export const openHolding = ({ holders }: Subscription, owner: string): Map<string, Grant> => {
  const present = holders.get(owner) ?? new Map<string, Grant>()
  holders.set(owner, present)
  return present
}

/** Who has the grants that `owner` had. Every chain ends: whoever receives is not moved any more. */
export const findHolder = ({ moved }: Subscription, owner: string): string => {
  let holder = owner
  for (let next = moved.get(holder); next !== undefined; next = moved.get(holder)) holder = next
  return holder
}

/** What a purchase gives of one entitlement: nothing of what was before it is kept. */
export const beginGrant = (event: FoldedEvent, owner: string, entitlement_id: string, order: number): Grant => ({
  ...{ subscription: event.subscription, entitlement_id, owner },
  ...{ product_id: event.product_id, transaction_id: event.transaction_id, store: event.store },
  ...{ period_type: event.period_type, purchased_at: event.purchased_at, expiration_at: event.expiration_at },
  ...{ will_renew: event.expiration_at !== null, grace_until: null, refunded_at: null, ended_at: null },
  ...{ is_listed: true, moved_to: null, entry_id: event.entry_id, told_at: event.at, order },
})

/** Changes every grant of the holdings that `change` answers; null leaves one as it is. */
export const changeGrants = (
  holdings: ReadonlyArray<Map<string, Grant>>,
  { entry_id, at: told_at }: FoldedEvent,
  order: number,
  change: (grant: Grant) => Partial<Grant> | null,
): void => {
  for (const holding of holdings) {
    for (const [entitlement, grant] of holding) {
      const changes = change(grant)
      if (changes !== null) holding.set(entitlement, { ...grant, ...changes, entry_id, told_at, order })
    }
  }
}

/** All grants, those that were given away too. */
export const listGrants = (subscriptions: Subscriptions): ReadonlyArray<Grant> =>
  [...subscriptions.values()].flatMap(({ holders, left }) => [
    ...[...holders.values()].flatMap((holding) => [...holding.values()]),
    ...left.values(),
  ])
