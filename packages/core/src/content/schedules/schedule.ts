import { Schema, Struct } from "effect"
import { Count, JsonObject, Name, partial, Text, Timestamp, TimeZone, Uuid, Whole } from "../../schema.ts"
import { ContentItem } from "../item.ts"

/** How items are picked: in the order of their library, or at random without repeating before all were shown [E11]. */
export const ScheduleType = Schema.Literals(["daily_rotation", "weekly", "random", "sequential"])
export type ScheduleType = typeof ScheduleType.Type

/** A schedule as stored. Unique: `config_key`. It is gone with its library. */
export const ContentScheduleRow = Schema.Struct({
  id: Uuid,
  library_id: Uuid,
  name: Name,
  schedule_type: ScheduleType,
  /** As it was given. What is left out there has a default. */
  config: JsonObject,
  is_active: Schema.Boolean,
  config_key: Text,
  /** Ticks up to then are not looked at: it was made, switched on again, or given another cron or zone [I1.3]. */
  looks_from: Timestamp,
  /** The last tick that was handled, also where there was nothing to deliver. */
  last_tick_at: Schema.NullOr(Timestamp),
  /** The place of the item that was delivered last, as it was then. Both are null, or none. */
  last_sort_order: Schema.NullOr(Whole),
  last_item_id: Schema.NullOr(Uuid),
  /** The round of `random`: each shows every item once. */
  round: Count,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ContentScheduleRow = typeof ContentScheduleRow.Type

/** When a schedule fires and what it picks from, with the defaults of its type. */
export const ScheduleConfig = Schema.Struct({
  cron: Schema.String,
  timezone: TimeZone,
  /** Whether shown items that users have written are delivered, too. False where it is left out. */
  include_authored: Schema.optionalKey(Schema.Boolean),
}).annotate({ identifier: "ScheduleConfig" })
export type ScheduleConfig = typeof ScheduleConfig.Type

const shown = [
  "id",
  "library_id",
  "name",
  "schedule_type",
  "is_active",
  "config_key",
  "created_at",
  "updated_at",
] as const

/** A schedule (spec: content, schedule). */
export const ContentSchedule = Schema.Struct({
  ...Struct.pick(ContentScheduleRow.fields, shown),
  config: ScheduleConfig,
  /** The one workflow that fires at its ticks, while it is active. */
  workflow_schedule_id: Schema.String,
}).annotate({ identifier: "ContentSchedule" })
export type ContentSchedule = typeof ContentSchedule.Type

/** A schedule with the name of its library. */
export const NamedSchedule = Schema.Struct({ ...ContentSchedule.fields, library_name: Name }).annotate({
  identifier: "NamedSchedule",
})
export type NamedSchedule = typeof NamedSchedule.Type

// `parseSchedule` validates these two with a code of their own.
const given = { name: Name, schedule_type: Schema.Unknown }

/** The fields with which a schedule is made. It is active. */
export const NewContentSchedule = Schema.Struct({
  library_id: Uuid,
  ...given,
  config: Schema.optionalKey(Schema.Unknown),
})
export type NewContentSchedule = typeof NewContentSchedule.Type

/** The fields of a schedule that can be changed. Those left out stay; `config` is replaced as a whole [I1.5]. */
export const ContentScheduleChanges = Schema.Struct(
  partial({ ...given, config: Schema.Unknown, is_active: Schema.Boolean }),
)
export type ContentScheduleChanges = typeof ContentScheduleChanges.Type

/** An item that was delivered to everybody. Unique: schedule and tick. Gone with its schedule and with its item. */
export const ContentDelivery = Schema.Struct({
  id: Uuid,
  schedule_id: Uuid,
  item_id: Uuid,
  /** Null for what was delivered on demand [I1.4]. */
  tick_at: Schema.NullOr(Timestamp),
  /** The round of `random` in which it was drawn. */
  round: Count,
  delivered_at: Timestamp,
})
export type ContentDelivery = typeof ContentDelivery.Type

/** What was delivered on demand. */
export const DeliveredNow = Schema.Struct(
  Struct.pick(ContentDelivery.fields, ["schedule_id", "item_id", "delivered_at"]),
).annotate({ identifier: "DeliveredNow" })
export type DeliveredNow = typeof DeliveredNow.Type

/** An item of today, with the schedule that delivered it [I1.3a]. */
export const TodaysItem = Schema.Struct({
  schedule_name: Name,
  schedule_type: ScheduleType,
  delivered_at: Timestamp,
  ...ContentItem.fields,
}).annotate({ identifier: "TodaysItem" })
export type TodaysItem = typeof TodaysItem.Type

/** A tick to come, and what it would deliver as things are. Null where that is drawn, or where there is nothing [I1.4]. */
export const UpcomingDelivery = Schema.Struct({
  at: Timestamp,
  item_id: Schema.NullOr(Uuid),
  title: ContentItem.fields.title,
}).annotate({ identifier: "UpcomingDelivery" })
export type UpcomingDelivery = typeof UpcomingDelivery.Type
