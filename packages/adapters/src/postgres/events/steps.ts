import { concurrentStep, schemaStep } from "../schema/migration.ts"

/**
 * From which plane an event has come: `client`, `admin`; null where the platform or an earlier release has written it. The ids
 * of apps are kept as causes, whose index there is already [G0.3].
 */
export const eventPlanes = schemaStep("0012-event-planes", ["alter table engagement_events add column plane text"])

/**
 * What a user has done of a kind is counted from this index alone: by achievements for all users of a batch, and by rules for one.
 * Without it the log of each user was read once per name: for users with 1,000 events of 20 names it took 50 times as long. Among
 * the last steps of its release, so that no table waits for the index of a large log.
 */
export const eventsOfUsersByName = concurrentStep(
  "0037-events-of-users-by-name",
  `create index concurrently engagement_events_app_user_id_event_name_occurred_at_index on engagement_events
    (app_user_id, event_name, occurred_at)`,
)
