import {
  beginGrant,
  changeGrants,
  findHolder,
  type Grant,
  openHolding,
  openSubscription,
  type Subscription,
  type Subscriptions,
} from "./grants.ts"
import { eventEffects, type FoldedEvent, readProviderKey } from "./provider-event.ts"

type Holdings = ReadonlyArray<Map<string, Grant>>

const isSame = (a: string | null, b: string | null) => a === null || b === null || a === b

/** Whether a cancellation, an issue or an end is about a period before the present one: then it came late, and says nothing. */
const isOfEarlierPeriod = (event: FoldedEvent, grant: Grant) =>
  !isSame(event.transaction_id, grant.transaction_id) &&
  event.purchased_at !== null &&
  grant.purchased_at !== null &&
  event.purchased_at < grant.purchased_at

/** The end that an event names, where it names one: not for what never ends. */
const moveEnd = (event: FoldedEvent, grant: Grant): Partial<Grant> =>
  event.expiration_at === null || grant.expiration_at === null ? {} : { expiration_at: event.expiration_at }

/** Undoes an end that the provider has announced, where the event says that there is access after it. */
const reopen = (event: FoldedEvent): Partial<Grant> =>
  event.expiration_at !== null && event.expiration_at > event.at ? { ended_at: null } : {}

/**
 * Whose a purchase is. Of a subscription that was handed over it is the receiver's, where it names somebody whom nobody knows and
 * who has nothing of it: that is the giver, who was removed.
 */
const findBuyer = (subscription: Subscription, event: FoldedEvent): string => {
  const buyer = findHolder(subscription, event.owner)
  const { holders, moved } = subscription
  if (moved.size === 0 || readProviderKey(buyer) === null || holders.has(buyer)) return buyer
  const present = [...holders].filter(([, holding]) => holding.size > 0)
  return present.length === 1 ? (present[0]?.[0] ?? buyer) : buyer
}

/** A purchase or renewal replaces what the subscription gives. */
const purchase = (subscription: Subscription, event: FoldedEvent, order: number) => {
  const owner = findBuyer(subscription, event)
  const holding = openHolding(subscription, owner)
  const listed = new Set(event.entitlement_ids ?? [])
  changeGrants([holding], event, order, (grant) => (listed.has(grant.entitlement_id) ? null : { is_listed: false }))
  for (const id of listed) holding.set(id, beginGrant(event, owner, id, order))
}

/**
 * What an event is about that is no purchase: what its user has of the subscription, else what anybody has, because two users of
 * the app may be one customer of the provider. Where its purchase never came, the event itself says what was bought.
 */
const findHoldings = (subscription: Subscription, event: FoldedEvent, order: number): Holdings => {
  const owner = findHolder(subscription, event.owner)
  const own = subscription.holders.get(owner)
  if (own !== undefined && own.size > 0) return [own]
  const all = [...subscription.holders.values()].filter(({ size }) => size > 0)
  if (all.length > 0) return all
  if (event.expiration_at === null && !event.is_refund) return []
  purchase(subscription, event, order)
  return [openHolding(subscription, owner)]
}

const endOf = ({ at }: FoldedEvent): Partial<Grant> => ({ ended_at: at, will_renew: false })

const changes: Readonly<Record<string, (event: FoldedEvent, grant: Grant) => Partial<Grant> | null>> = {
  cancel: (event, grant) => {
    if (event.is_refund)
      return isSame(event.transaction_id, grant.transaction_id) ? { refunded_at: event.at, will_renew: false } : null
    return isOfEarlierPeriod(event, grant) ? null : { will_renew: false }
  },
  billing_issue: (event, grant) =>
    isOfEarlierPeriod(event, grant) ? null : { ...moveEnd(event, grant), grace_until: event.grace_until },
  resume: (event, grant) =>
    isOfEarlierPeriod(event, grant) ? null : { ...moveEnd(event, grant), ...reopen(event), will_renew: true },
  extend: (event, grant) => (isOfEarlierPeriod(event, grant) ? null : { ...moveEnd(event, grant), ...reopen(event) }),
  expire: (event, grant) => (isOfEarlierPeriod(event, grant) ? null : endOf(event)),
  reverse_refund: (event, grant) =>
    isSame(event.transaction_id, grant.transaction_id)
      ? { ...moveEnd(event, grant), refunded_at: null, ended_at: null }
      : null,
}

const hand = (subscription: Subscription, from: string, to: string) => {
  const given = subscription.holders.get(from)
  if (given === undefined || given.size === 0) return
  const received = openHolding(subscription, to)
  for (const grant of given.values()) {
    const present = received.get(grant.entitlement_id)
    // Both are of one subscription: what was said last holds.
    if (present === undefined || present.order < grant.order)
      received.set(grant.entitlement_id, { ...grant, owner: to })
    subscription.left.set(JSON.stringify([from, grant.entitlement_id]), { ...grant, moved_to: to })
  }
  subscription.holders.delete(from)
  subscription.moved.set(from, to)
  subscription.moved.delete(to)
}

/** A transfer moves all that its sources have, as it is: what was refunded stays refunded. */
const transfer = (subscriptions: Subscriptions, { owner, sources }: FoldedEvent) => {
  for (const subscription of subscriptions.values())
    for (const source of sources) if (source !== owner) hand(subscription, source, owner)
}

/** A temporary grant ends with the end of its transaction, whatever it has in common with others. Answers whether there was one. */
const endTemporary = (subscriptions: Subscriptions, event: FoldedEvent, order: number): boolean => {
  const temporary = event.transaction_id === null ? undefined : subscriptions.get(`temp:${event.transaction_id}`)
  if (temporary === undefined) return false
  changeGrants([...temporary.holders.values()], event, order, () => endOf(event))
  return true
}

/** Applies an event to what those before it have left [E7]. `order` is greater than that of all before it. */
export const applyEvent = (subscriptions: Subscriptions, event: FoldedEvent, order: number): void => {
  const effect = eventEffects[event.type] ?? "none"
  if (effect === "none" || effect === "test") return
  if (effect === "transfer") {
    transfer(subscriptions, event)
    return
  }
  const subscription = openSubscription(subscriptions, event.subscription)
  if (effect === "purchase" || effect === "temporary") {
    if (effect === "purchase" || event.entitlement_ids !== null) purchase(subscription, event, order)
    return
  }
  if (effect === "expire" && endTemporary(subscriptions, event, order)) {
    // The purchase that came after the outage goes on, unless it is the same transaction.
    changeGrants([...subscription.holders.values()], event, order, ({ transaction_id }) =>
      transaction_id === event.transaction_id ? endOf(event) : null,
    )
    return
  }
  const change = changes[effect]
  if (change === undefined) return
  changeGrants(findHoldings(subscription, event, order), event, order, (grant) => change(event, grant))
}
