import type { NewEvent } from "@hearth/core/events"
import { anId, builtAt, type Given } from "../builders.ts"

/** An event of a user, without an external id. */
export const anEvent = (given: Given<NewEvent, "app_user_id">): NewEvent => ({
  id: anId(),
  event_name: "lesson_completed",
  properties: {},
  occurred_at: new Date(builtAt),
  external_id: null,
  ...given,
})
