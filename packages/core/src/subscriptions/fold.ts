import { applyEvent } from "./apply-event.ts"
import { describeEntitlements, type FoldedEntitlement } from "./describe-entitlements.ts"
import { type Grant, listGrants, type Subscriptions } from "./grants.ts"
import type { FoldedEvent } from "./provider-event.ts"

/** What events come to. */
export interface Fold {
  /** By subscription, owner and entitlement, those given away among them. */
  readonly grants: ReadonlyArray<Grant>
  /** By owner and entitlement: what the best grant of it gives. */
  readonly entitlements: ReadonlyArray<FoldedEntitlement>
}

const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** The order of events: by time, then by the provider's id [E7]. */
export const compareEvents = (a: FoldedEvent, b: FoldedEvent) =>
  a.at - b.at || compareText(a.id, b.id) || compareText(a.entry_id, b.entry_id)

/**
 * What subscription events give their users at `now`. Pure: any order and any repetition of the same events gives the same
 * [E7]. The events are all that are connected through their users and subscriptions.
 */
export const foldSubscriptions = (events: ReadonlyArray<FoldedEvent>, now: Date): Fold => {
  const subscriptions: Subscriptions = new Map()
  const seen = new Set<string>()
  let order = 0
  for (const event of events.toSorted(compareEvents)) {
    if (seen.has(event.id)) continue
    seen.add(event.id)
    order += 1
    applyEvent(subscriptions, event, order)
  }
  const grants = listGrants(subscriptions)
  return { grants, entitlements: describeEntitlements(grants, now.getTime()) }
}
