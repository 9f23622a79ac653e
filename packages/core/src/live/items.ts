import { Schema, Struct } from "effect"
import { DeadLetterView } from "../background/dead-letters.ts"
import { EngagementEvent } from "../events/event.ts"
import { FeedItem } from "../feeds/feed-item.ts"
import { Message } from "../messaging/message.ts"
import { Count, Text, Timestamp, Uuid } from "../schema.ts"
import { StreakDefinition } from "../streaks/definition.ts"
import { UserStreakView } from "../streaks/views.ts"
import { XpEntry, XpTotal } from "../xp/entry.ts"
import { XpLevel } from "../xp/rule.ts"

const { id, app_user_id } = XpEntry.fields

/** XP that a user was given or that was taken, with the total after it. */
export const LiveXp = Schema.Struct({
  ...Struct.pick(XpEntry.fields, ["id", "amount", "source", "reference_id", "created_at"]),
  total: XpTotal.fields.total,
}).annotate({ identifier: "LiveXp" })

/** A level that a user has reached. */
export const LiveLevel = Schema.Struct({ id, ...XpLevel.fields }).annotate({ identifier: "LiveLevel" })

/** An achievement that a user has unlocked. */
export const LiveAchievement = Schema.Struct({
  id,
  achievement_id: Uuid,
  key: Text,
  name: Text,
  description: Schema.NullOr(Text),
  icon_url: Schema.NullOr(Text),
  xp_reward: Count,
  unlocked_at: Timestamp,
}).annotate({ identifier: "LiveAchievement" })

/** A streak of a user, as it was counted, with the name of its definition. */
export const LiveStreak = Schema.Struct({ ...UserStreakView.fields, name: StreakDefinition.fields.name }).annotate({
  identifier: "LiveStreak",
})

/** What a stream of a user may have, by the name of its event. */
export const userItems = {
  message: Message,
  achievement: LiveAchievement,
  xp: LiveXp,
  level: LiveLevel,
  feed_item: FeedItem,
  streak: LiveStreak,
} as const

/** The name of what a stream of a user may have. */
export type UserItemKind = keyof typeof userItems

const ofUser = { app_user_id }

/** What was done for an event, as developers see it. */
const effects = {
  xp: Schema.Struct({ ...LiveXp.fields, ...ofUser }),
  achievement: Schema.Struct({ ...LiveAchievement.fields, ...ofUser }),
  feed_item: FeedItem,
  streak: LiveStreak,
} as const

/** What is sent to developers one by one. */
export const projectItems = { event: EngagementEvent, dead_letter: DeadLetterView, ...effects } as const

/** The name of what is sent to developers one by one. */
export type ProjectItemKind = keyof typeof projectItems

/** How many new ones there are. */
export interface ProjectCounts {
  readonly events: number
  readonly effects: number
  readonly dead_letters: number
}
