import { Result } from "effect"
import type { Ports } from "../ports/ports.ts"
import { isObject, isText, isUuid, type JsonObject, parseInstant } from "../schema.ts"
import { type AppEventRules, mayAppWrite } from "./app-event-rules.ts"
import type { NewEvent } from "./event.ts"
import {
  BatchTooLarge,
  InvalidAppUserId,
  InvalidEvent,
  InvalidEventId,
  InvalidEventName,
  InvalidJson,
  InvalidOccurredAt,
} from "./failures.ts"

const hourMillis = 3_600_000
// Tolerance for clients whose clock is ahead [E1].
const aheadMillis = 24 * hourMillis
const longest = 255

const isShortText = (value: unknown): value is string => isText(value, 1, longest)

/** Who writes the events: an app, for its user and by the rules for apps, or `named`: each event names its user. */
export type EventAuthor = { readonly user_id: string; readonly rules: AppEventRules } | "named"

/** Why an event is refused. */
export type EventRefusal = InvalidAppUserId | InvalidEvent | InvalidEventId | InvalidEventName | InvalidOccurredAt

const parseEvent = (
  { ids }: Pick<Ports, "ids">,
  input: unknown,
  index: number,
  author: EventAuthor,
  now: Date,
): Result.Result<NewEvent, EventRefusal> => {
  if (!isObject(input)) return Result.fail(new InvalidEvent({ index }))
  const { event_name, properties = {}, occurred_at, event_id } = input
  const userId = author === "named" ? input["app_user_id"] : author.user_id
  if (!isUuid(userId)) return Result.fail(new InvalidAppUserId({ index }))
  const rules = author === "named" ? null : author.rules
  if (!isShortText(event_name) || (rules !== null && !mayAppWrite(rules, event_name))) {
    return Result.fail(new InvalidEventName({ index }))
  }
  const occurred = occurred_at === undefined ? now : typeof occurred_at === "string" ? parseInstant(occurred_at) : null
  const earliest = rules === null ? Number.NEGATIVE_INFINITY : now.getTime() - rules.client_backdate_hours * hourMillis
  if (occurred === null || occurred.getTime() > now.getTime() + aheadMillis || occurred.getTime() < earliest) {
    return Result.fail(new InvalidOccurredAt({ index }))
  }
  if (event_id !== undefined && !isShortText(event_id)) return Result.fail(new InvalidEventId({ index }))
  if (!isObject(properties)) return Result.fail(new InvalidEvent({ index }))
  return Result.succeed({
    id: ids.uuid(),
    app_user_id: userId.toLowerCase(),
    event_name,
    // It is an object and was parsed from JSON, so all of its values are JSON.
    properties: properties as JsonObject,
    occurred_at: occurred,
    external_id: event_id ?? null,
  })
}

/**
 * Parses the body of an ingest call: one event, or `{ events: [...] }` with up to `limit` of them [E1]. Fails with the code
 * of the first invalid event and its index in `details.index`.
 */
export const parseEvents = (
  ports: Pick<Ports, "clock" | "ids">,
  body: unknown,
  author: EventAuthor,
  limit: number,
): Result.Result<ReadonlyArray<NewEvent>, EventRefusal | BatchTooLarge | InvalidJson> => {
  if (!isObject(body)) return Result.fail(new InvalidJson())
  const inputs = "events" in body ? body["events"] : [body]
  if (!Array.isArray(inputs) || inputs.length === 0) return Result.fail(new InvalidEvent())
  if (inputs.length > limit) return Result.fail(new BatchTooLarge({ limit, supplied: inputs.length }))
  const now = ports.clock.now()
  const events: Array<NewEvent> = []
  for (const [index, input] of inputs.entries()) {
    const event = parseEvent(ports, input, index, author, now)
    if (Result.isFailure(event)) return Result.fail(event.failure)
    events.push(event.success)
  }
  return Result.succeed(events)
}
