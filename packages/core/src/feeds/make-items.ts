import type { EngagementEvent } from "../events/event.ts"
import { hasLength, isUuid, type JsonObject } from "../schema.ts"
import type { FeedItemRow } from "./feed-item.ts"
import type { FeedRule } from "./feed-rule.ts"

// What is longer is no id of anything, and every page would send it.
const longestTarget = 2_048

const isTarget = (value: unknown): value is string => typeof value === "string" && hasLength(value, 0, longestTarget)

/**
 * What an event was about: its `target_id`, else its `<target_type>_id`, the first that is text of at most 2,048 characters, else
 * null [I3.1].
 */
export const readTarget = (properties: JsonObject, target_type: string | null): string | null =>
  [properties["target_id"], target_type === null ? null : properties[`${target_type}_id`]].find(isTarget) ?? null

const readUuid = (value: unknown): string | null => (isUuid(value) ? value.toLowerCase() : null)

const groupEvents: ReadonlySet<string> = new Set(["group_created", "group_joined", "group_left"])

/** The groups that an event or its target may be: uuids, of which it is not known whether there is such a group. */
const listGroups = ({ properties }: EngagementEvent, target_id: string | null) => ({
  group_id: readUuid(properties["group_id"]),
  target_group_id: readUuid(target_id),
})

/** An item before it is known which groups there are. */
type Made = Omit<FeedItemRow, "id"> & { readonly isOfPlatform: boolean }

/** One item per event and rule of its name [I3.1]. */
export const makeItems = (
  events: ReadonlyArray<EngagementEvent>,
  rules: ReadonlyArray<FeedRule>,
  now: Date,
): ReadonlyArray<Made> => {
  const byName = Map.groupBy(rules, ({ source_event }) => source_event)
  return events.flatMap((event) =>
    (byName.get(event.event_name) ?? []).map(({ id: rule_id, action, target_type }) => {
      const target_id = readTarget(event.properties, target_type)
      return {
        ...{ event_id: event.id, rule_id, actor_id: event.app_user_id, action, target_id },
        ...listGroups(event, target_id),
        created_at: event.occurred_at < now ? event.occurred_at : now,
        isOfPlatform: groupEvents.has(event.event_name),
      }
    }),
  )
}

/** The ids that may be groups. */
export const listGroupIds = (items: ReadonlyArray<Made>): ReadonlyArray<string> => [
  ...new Set(items.flatMap(({ group_id, target_group_id }) => [group_id, target_group_id]).filter((id) => id !== null)),
]

/**
 * The item with those groups only that there are: an app may have groups of its own. A group event keeps its group also where that
 * is gone by now, because it may have been private.
 */
export const keepGroups = ({ isOfPlatform, ...item }: Made, groups: ReadonlySet<string>, id: string): FeedItemRow => {
  const keep = (group: string | null) => (group !== null && groups.has(group) ? group : null)
  return {
    ...{ ...item, id },
    group_id: isOfPlatform ? item.group_id : keep(item.group_id),
    target_group_id: keep(item.target_group_id),
  }
}
