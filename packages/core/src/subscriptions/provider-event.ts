/**
 * What a type of provider event does to grants. `none`: it is known and changes no access. `test`: it is about nobody. A type that
 * is not here has no meaning for access.
 */
export type EventEffect =
  | "purchase"
  | "cancel"
  | "billing_issue"
  | "resume"
  | "extend"
  | "expire"
  | "reverse_refund"
  | "transfer"
  | "temporary"
  | "none"
  | "test"

/** The types of provider events that mean something here [E7]. docs/subscriptions.md describes each of them. */
export const eventEffects: Readonly<Record<string, EventEffect>> = {
  TEST: "test",
  INITIAL_PURCHASE: "purchase",
  RENEWAL: "purchase",
  NON_RENEWING_PURCHASE: "purchase",
  PRODUCT_CHANGE: "none",
  CANCELLATION: "cancel",
  BILLING_ISSUE: "billing_issue",
  UNCANCELLATION: "resume",
  SUBSCRIPTION_PAUSED: "none",
  SUBSCRIPTION_EXTENDED: "extend",
  EXPIRATION: "expire",
  REFUND_REVERSED: "reverse_refund",
  TRANSFER: "transfer",
  TEMPORARY_ENTITLEMENT_GRANT: "temporary",
}

/** The fields of a provider event that the fold reads. Instants are milliseconds since 1970, so that it is stored as JSON. */
export interface ProviderEvent {
  /** The provider's id. Events of the same instant are in its order. */
  readonly id: string
  readonly type: string
  /** When the provider made it. */
  readonly at: number
  /** What all periods of a subscription have in common: its `original_transaction_id`, or what stands for a missing one. */
  readonly subscription: string
  readonly transaction_id: string | null
  readonly product_id: string | null
  /** Null: the product gives no entitlement, or the event does not say. */
  readonly entitlement_ids: ReadonlyArray<string> | null
  readonly store: string | null
  readonly period_type: string | null
  readonly purchased_at: number | null
  /** Null in a purchase: it never ends. Null in other events: they do not say. */
  readonly expiration_at: number | null
  readonly grace_until: number | null
  readonly price: number | null
  readonly currency: string | null
  /** Whether a cancellation gives the money back. */
  readonly is_refund: boolean
}

/** A provider event with those whom it concerns. They are keys: `makeUserKey` for a user, `makeProviderKey` for one not yet known. */
export interface FoldedEvent extends ProviderEvent {
  /** Identifies the event here. */
  readonly entry_id: string
  /** Whom it is about; of a transfer, who receives. */
  readonly owner: string
  /** From whom a transfer takes; empty for others. */
  readonly sources: ReadonlyArray<string>
  /** The keys of who had not signed in and is the owner, as it says. Missing in what earlier releases have written. */
  readonly aliases?: ReadonlyArray<string>
}

/** The key of a user of the app. */
export const makeUserKey = (userId: string): string => `user/${userId}`

/** The key of somebody whom only the provider knows so far. */
export const makeProviderKey = (providerId: string): string => `provider/${providerId}`

/** The id of the user whose key this is; null for a key of somebody unknown. */
export const readUserKey = (key: string): string | null => (key.startsWith("user/") ? key.slice("user/".length) : null)

/** The provider's id whose key this is; null for a key of a user. */
export const readProviderKey = (key: string): string | null =>
  key.startsWith("provider/") ? key.slice("provider/".length) : null
