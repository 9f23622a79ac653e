import { Result, Schema } from "effect"
import { type FailureClass, InvalidInput } from "../failure.ts"
import { listIssues } from "../input-issues.ts"
import { findRecordFault } from "../json-faults.ts"
import { Day, isObject, isUuid, JsonObject, Name, parseInstant, text } from "../schema.ts"
import { InvalidBody } from "../users/failures.ts"
import { type PushCampaign, PushOptions } from "./campaign.ts"
import {
  ConflictingSchedule,
  EmptyUpdate,
  InvalidData,
  InvalidDeliveryMode,
  InvalidLocalDate,
  InvalidLocalTime,
  InvalidScheduledAt,
  InvalidSegmentId,
  ScheduledAtInPast,
} from "./failures.ts"

type Body = Readonly<Record<string, unknown>>

/** `body` as the schema has it, or `Refusal` with what is wrong with it. */
export const decodeBody = <S extends Schema.Codec<unknown, unknown>, F extends FailureClass>(
  schema: S,
  body: unknown,
  Refusal: F,
): Result.Result<S["Type"], InstanceType<F>> => {
  const fault = findRecordFault(body)
  if (fault !== null) return Result.fail(new Refusal({ issues: [fault] }) as InstanceType<F>)
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all" })(body)
  if (Result.isSuccess(decoded)) return Result.succeed(decoded.success)
  return Result.fail(new Refusal({ issues: listIssues(decoded.failure.issue, schema) }) as InstanceType<F>)
}

const Data = Schema.Struct({ data: JsonObject })

/** Reads the data of a push, as a body has it. */
export const decodeData = (data: unknown): Result.Result<typeof Data.Type, InvalidData> =>
  decodeBody(Data, { data }, InvalidData)

const content = { title: text(1, 200), body: text(1, 2000) }

const NewContent = Schema.Struct({
  ...content,
  name: Schema.optionalKey(Name),
  data: Schema.optionalKey(JsonObject),
  options: Schema.optionalKey(PushOptions),
})

const ChangedContent = Schema.Struct({
  name: Schema.optionalKey(Name),
  title: Schema.optionalKey(content.title),
  body: Schema.optionalKey(content.body),
  options: Schema.optionalKey(PushOptions),
})

/** When a campaign is sent: at an instant or when somebody says so (null), or at a local time of each user. */
export type Schedule =
  | { readonly delivery_mode: "absolute"; readonly scheduled_at: Date | null }
  | { readonly delivery_mode: "local_time"; readonly local_date: string; readonly local_time: string }

/** A campaign as it was asked for. */
export interface ParsedCampaign extends Pick<PushCampaign, "name" | "title" | "body" | "data" | "segment_id"> {
  readonly options: PushOptions
  readonly schedule: Schedule
}

type TimeRefusal =
  | ConflictingSchedule
  | InvalidDeliveryMode
  | InvalidLocalDate
  | InvalidLocalTime
  | InvalidScheduledAt
  | ScheduledAtInPast

/** The failures of parsing a new campaign. */
export type CampaignRefusal = InvalidInput | InvalidSegmentId | TimeRefusal

/** The failures of parsing the changes of a campaign. */
export type ChangesRefusal =
  | EmptyUpdate
  | InvalidBody
  | InvalidData
  | InvalidScheduledAt
  | InvalidSegmentId
  | ScheduledAtInPast

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

const readScheduledAt = (value: unknown): Result.Result<Date, InvalidScheduledAt> => {
  const at = typeof value === "string" ? parseInstant(value) : null
  return at === null ? Result.fail(new InvalidScheduledAt()) : Result.succeed(at)
}

/** A time of a campaign that is still to come. */
const requireFuture = (at: Date, now: Date): Result.Result<Date, ScheduledAtInPast> =>
  at > now ? Result.succeed(at) : Result.fail(new ScheduledAtInPast())

// On the last day of the calendar it is the year 10000 elsewhere.
const lastDay = "9999-12-30"

const isLocalDate = (value: unknown): value is string =>
  typeof value === "string" && Schema.is(Day)(value) && value <= lastDay

const localTime = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/

const parseLocalTime = (value: unknown): string | null => {
  if (typeof value !== "string" || !localTime.test(value)) return null
  return value.length === 5 ? `${value}:00` : value
}

const isSegmentId = (value: unknown): value is string | null => value === null || isUuid(value)

/** Reads the times of a campaign. What is malformed comes first, then what does not go together, then what is over or missing. */
const parseSchedule = (
  { scheduled_at, local_date, local_time, ...body }: Body,
  now: Date,
): Result.Result<Schedule, TimeRefusal> => {
  const { delivery_mode = "absolute" } = body
  if (delivery_mode !== "absolute" && delivery_mode !== "local_time") return Result.fail(new InvalidDeliveryMode())
  const at = isAbsent(scheduled_at) ? Result.succeed(null) : readScheduledAt(scheduled_at)
  if (Result.isFailure(at)) return Result.fail(at.failure)
  if (!isAbsent(local_date) && !isLocalDate(local_date)) return Result.fail(new InvalidLocalDate())
  const time = parseLocalTime(local_time)
  if (!isAbsent(local_time) && time === null) return Result.fail(new InvalidLocalTime())
  if (delivery_mode === "absolute") {
    if (!isAbsent(local_date) || time !== null) return Result.fail(new ConflictingSchedule())
    if (at.success === null) return Result.succeed({ delivery_mode, scheduled_at: null })
    return Result.map(requireFuture(at.success, now), (scheduled_at) => ({ delivery_mode, scheduled_at }))
  }
  if (at.success !== null) return Result.fail(new ConflictingSchedule())
  if (isAbsent(local_date)) return Result.fail(new InvalidLocalDate())
  if (time === null) return Result.fail(new InvalidLocalTime())
  return Result.succeed({ delivery_mode, local_date, local_time: time })
}

/** Reads the body of a new campaign or of a preview, with a code for each mistake: the first of them is answered. */
export const parseCampaign = (body: unknown, now: Date): Result.Result<ParsedCampaign, CampaignRefusal> => {
  const decoded = decodeBody(NewContent, body, InvalidInput)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const given = body as Body
  const schedule = parseSchedule(given, now)
  if (Result.isFailure(schedule)) return Result.fail(schedule.failure)
  const segment_id = given["segment_id"] ?? null
  if (!isSegmentId(segment_id)) return Result.fail(new InvalidSegmentId())
  const { title, name = title, data = {}, options = {} } = decoded.success
  return Result.succeed({
    ...{ name, title, body: decoded.success.body, data, options },
    segment_id: segment_id?.toLowerCase() ?? null,
    schedule: schedule.success,
  })
}

/** The changes of a campaign that were asked for. Those left out stay. */
export type ParsedChanges = Partial<
  Pick<PushCampaign, "name" | "title" | "body" | "data" | "segment_id"> & {
    readonly options: PushOptions
    readonly scheduled_at: Date
  }
>

const known = ["name", "title", "body", "data", "options", "segment_id", "scheduled_at"]

/** Reads the body of a change of a campaign, with a code for each mistake: the first of them is answered. */
export const parseCampaignChanges = (body: unknown, now: Date): Result.Result<ParsedChanges, ChangesRefusal> => {
  if (!isObject(body)) return Result.fail(new InvalidBody({ issues: [{ path: "", message: "must be an object" }] }))
  const given = known.filter((key) => Object.hasOwn(body, key))
  if (given.length === 0) return Result.fail(new EmptyUpdate())
  const texts = decodeBody(ChangedContent, body, InvalidBody)
  if (Result.isFailure(texts)) return Result.fail(texts.failure)
  let changes: ParsedChanges = texts.success
  if (given.includes("data")) {
    const data = decodeData(body["data"])
    if (Result.isFailure(data)) return Result.fail(data.failure)
    changes = { ...changes, ...data.success }
  }
  if (given.includes("segment_id")) {
    const { segment_id } = body
    if (!isSegmentId(segment_id)) return Result.fail(new InvalidSegmentId())
    changes = { ...changes, segment_id: segment_id?.toLowerCase() ?? null }
  }
  if (given.includes("scheduled_at")) {
    const at = Result.flatMap(readScheduledAt(body["scheduled_at"]), (given) => requireFuture(given, now))
    if (Result.isFailure(at)) return Result.fail(at.failure)
    changes = { ...changes, scheduled_at: at.success }
  }
  return Result.succeed(changes)
}
