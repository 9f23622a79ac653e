/** For how many days things are kept [I0.3]. */
export interface RetentionSettings {
  /** Items of feeds, from their `created_at`. */
  readonly feed_items: number
  /** Deliveries of pushes, from the end of their campaign. */
  readonly push_deliveries: number
  /** Items of the moderation queue, from their `resolved_at`. */
  readonly moderation_items: number
  /** Invites of groups that have ended, from their end. */
  readonly ended_invites: number
  /** What content schedules have delivered, from `delivered_at`; what a `random` one has shown in its round stays. */
  readonly content_deliveries: number
}

/** What is kept where nothing else is set [I0.3]. */
export const defaultRetention: RetentionSettings = {
  feed_items: 180,
  push_deliveries: 90,
  moderation_items: 365,
  ended_invites: 30,
  content_deliveries: 365,
}
