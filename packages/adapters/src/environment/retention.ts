import { defaultRetention, type RetentionSettings } from "@hearth/core/retention"
import { wholeNumber } from "./backing.ts"
import { type ValuesOf, withDefault } from "./settings.ts"

const Days = wholeNumber(1, 36_500, "must be a number of days, 1 to 36500")

/** For how long things are kept, for server and worker [I0.3]. */
export const retentionSettings = {
  KEEP_FEED_ITEMS_DAYS: withDefault("For how many days items of feeds are kept.", Days, defaultRetention.feed_items),
  KEEP_PUSH_DELIVERIES_DAYS: withDefault(
    "For how many days the deliveries of a campaign are kept after its end. Its statistics stay.",
    Days,
    defaultRetention.push_deliveries,
  ),
  KEEP_MODERATION_ITEMS_DAYS: withDefault(
    "For how many days items of the moderation queue are kept once they are resolved.",
    Days,
    defaultRetention.moderation_items,
  ),
  KEEP_ENDED_INVITES_DAYS: withDefault(
    "For how many days invites of groups are kept once they have ended.",
    Days,
    defaultRetention.ended_invites,
  ),
  KEEP_CONTENT_DELIVERIES_DAYS: withDefault(
    "For how many days it is kept what content schedules have delivered.",
    Days,
    defaultRetention.content_deliveries,
  ),
}

/** How long things are kept, as it was set. */
export const readRetention = (values: ValuesOf<typeof retentionSettings>): RetentionSettings => ({
  feed_items: values.KEEP_FEED_ITEMS_DAYS,
  push_deliveries: values.KEEP_PUSH_DELIVERIES_DAYS,
  moderation_items: values.KEEP_MODERATION_ITEMS_DAYS,
  ended_invites: values.KEEP_ENDED_INVITES_DAYS,
  content_deliveries: values.KEEP_CONTENT_DELIVERIES_DAYS,
})
