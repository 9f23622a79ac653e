import { Result } from "effect"
import type { FailureDetails } from "../failure.ts"
import { mostIssues } from "../input-issues.ts"
import { findJsonFault } from "../json-faults.ts"
import { lengthPhrase } from "../phrases.ts"
import type { Ports } from "../ports/ports.ts"
import { hasLength, isObject, isText, isUuid, type JsonObject, parseInstant } from "../schema.ts"
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

/** A fault of an event: the failure that is answered where it is the first one, and what is wrong where. */
interface EventFault {
  readonly Failure: new (details: FailureDetails) => EventRefusal
  readonly code: string
  readonly index: number
  readonly path: string
  readonly message: string
}

/** Notes a fault of the event at hand; undefined, for what could not be read. */
type Say = (Failure: EventFault["Failure"] & { readonly code: string }, key: string, message: string) => undefined

const isBatch = (body: unknown): boolean => isObject(body) && "events" in body

/** Where something is in the body of a call: by itself in one that is an event, under `events.3` in a batch. */
const pathIn = (body: unknown, index: number, key: string): string =>
  (isBatch(body) ? ["events", index, key] : [key]).filter((step) => step !== "").join(".")

/** One refusal for all faults: it is that of the first one, and `details.issues` lists the first hundred. */
const refuse = (first: EventFault, faults: ReadonlyArray<EventFault>): EventRefusal =>
  new first.Failure({
    index: first.index,
    issues: faults.slice(0, mostIssues).map(({ code, path, message }) => ({ path, code, message })),
  })

/** The refusal of events whose users the project does not have, by their indexes in the call. */
export const refuseUsers = (body: unknown, indexes: ReadonlyArray<number>): InvalidAppUserId => {
  const message = "must be the id of a user of this project"
  const issues = indexes
    .slice(0, mostIssues)
    .map((index) => ({ path: pathIn(body, index, "app_user_id"), code: InvalidAppUserId.code, message }))
  return new InvalidAppUserId({ index: indexes[0], issues })
}

const lengthFault = (value: unknown): string =>
  typeof value === "string" && hasLength(value, 1, longest)
    ? "must be well-formed Unicode without NUL"
    : `must be ${lengthPhrase(1, longest)}`

const readName = (given: unknown, rules: AppEventRules | null, say: Say): string | undefined => {
  if (given === undefined) return say(InvalidEventName, "event_name", "is required")
  if (!isShortText(given)) return say(InvalidEventName, "event_name", lengthFault(given))
  return rules === null || mayAppWrite(rules, given)
    ? given
    : say(
        InvalidEventName,
        "event_name",
        "must not be a name that is reserved for the platform or the project's server",
      )
}

const readOccurredAt = (given: unknown, rules: AppEventRules | null, now: Date, say: Say): Date | undefined => {
  if (given === undefined) return now
  const wrong = (message: string) => say(InvalidOccurredAt, "occurred_at", message)
  const occurred = typeof given === "string" ? parseInstant(given) : null
  if (occurred === null) return wrong("must be an ISO-8601 instant with a zone")
  if (occurred.getTime() > now.getTime() + aheadMillis) return wrong("must be at most 24 hours ahead")
  const hours = rules?.client_backdate_hours ?? Number.POSITIVE_INFINITY
  if (occurred.getTime() >= now.getTime() - hours * hourMillis) return occurred
  return wrong(`must be at most ${hours} ${hours === 1 ? "hour" : "hours"} ago`)
}

const readProperties = (given: unknown, say: Say): JsonObject | undefined => {
  if (!isObject(given)) return say(InvalidEvent, "properties", "must be an object")
  const fault = findJsonFault(given, "properties")
  return fault === null ? (given as JsonObject) : say(InvalidEvent, fault.path || "properties", fault.message)
}

/** An event, or undefined after its faults were said, in the order in which they are answered. */
const readEvent = (
  { ids }: Pick<Ports, "ids">,
  input: unknown,
  author: EventAuthor,
  now: Date,
  say: Say,
): NewEvent | undefined => {
  if (!isObject(input)) return say(InvalidEvent, "", "must be an object")
  const { event_name, properties: given = {}, occurred_at, event_id } = input
  const user = author === "named" ? input["app_user_id"] : author.user_id
  const rules = author === "named" ? null : author.rules
  const userId = isUuid(user)
    ? user.toLowerCase()
    : say(InvalidAppUserId, "app_user_id", user === undefined ? "is required" : "must be a uuid")
  const name = readName(event_name, rules, say)
  const occurred = readOccurredAt(occurred_at, rules, now, say)
  const externalId =
    event_id === undefined
      ? null
      : isShortText(event_id)
        ? event_id
        : say(InvalidEventId, "event_id", lengthFault(event_id))
  const properties = readProperties(given, say)
  if (userId === undefined || name === undefined || occurred === undefined) return undefined
  if (externalId === undefined || properties === undefined) return undefined
  return {
    id: ids.uuid(),
    app_user_id: userId,
    event_name: name,
    properties,
    occurred_at: occurred,
    external_id: externalId,
  }
}

/** Why there is no event to read at all. */
const refuseList = (events: unknown, limit: number): InvalidEvent | BatchTooLarge | null => {
  if (!Array.isArray(events) || events.length === 0) {
    const message = `must be an array of 1 to ${limit} events`
    return new InvalidEvent({ issues: [{ path: "events", code: InvalidEvent.code, message }] })
  }
  return events.length > limit ? new BatchTooLarge({ limit, supplied: events.length }) : null
}

/**
 * Parses the body of an ingest call: one event, or `{ events: [...] }` with up to `limit` of them [E1]. Fails with the code
 * of the first fault of the first invalid event and its index in `details.index`; `details.issues` lists the faults of all events,
 * each with its path and the code that it has by itself, at most 100.
 */
export const parseEvents = (
  ports: Pick<Ports, "clock" | "ids">,
  body: unknown,
  author: EventAuthor,
  limit: number,
): Result.Result<ReadonlyArray<NewEvent>, EventRefusal | BatchTooLarge | InvalidJson> => {
  if (!isObject(body))
    return Result.fail(new InvalidJson(undefined, 'The body must be a JSON object: one event, or {"events": [...]}.'))
  const inputs = isBatch(body) ? body["events"] : [body]
  const refusal = refuseList(inputs, limit)
  if (refusal !== null) return Result.fail(refusal)
  const now = ports.clock.now()
  const events: Array<NewEvent> = []
  const faults: Array<EventFault> = []
  for (const [index, input] of (inputs as ReadonlyArray<unknown>).entries()) {
    const event = readEvent(ports, input, author, now, (Failure, key, message) => {
      faults.push({ Failure, code: Failure.code, index, path: pathIn(body, index, key), message })
    })
    if (event !== undefined) events.push(event)
    if (faults.length >= mostIssues) break
  }
  const [first] = faults
  return first === undefined ? Result.succeed(events) : Result.fail(refuse(first, faults))
}
