import { Result, Schema } from "effect"
import { isObject, isUuid, JsonObject, parseInstant, text } from "../schema.ts"
import { InvalidBody } from "../users/failures.ts"
import { PushOptions } from "./campaign.ts"
import {
  FireAtInPast,
  type InvalidData,
  InvalidFireAt,
  MissingBody,
  MissingProvider,
  MissingTarget,
  MissingTitle,
  NoToken,
} from "./failures.ts"
import { decodeBody, decodeData } from "./parse-campaign.ts"
import { PushProvider, PushToken } from "./push-token.ts"

type Body = Readonly<Record<string, unknown>>

const wrong = (path: string, message: string) => Result.fail(new InvalidBody({ issues: [{ path, message }] }))

const isAbsent = (value: unknown): value is null | undefined | "" =>
  value === undefined || value === null || value === ""

const Texts = Schema.Struct({ title: text(1, 200), body: text(1, 2000) })

type TextRefusal = InvalidBody | MissingBody | MissingTitle

/** The failures of parsing a push-schedule. */
export type ScheduleRefusal = FireAtInPast | InvalidData | InvalidFireAt | TextRefusal

/** The failures of parsing a test. */
export type TestRefusal = MissingProvider | MissingTarget | NoToken | TextRefusal

/** The texts of a push: one that is missing or empty has a code of its own [H4.6]. */
const parseTexts = (given: Body): Result.Result<typeof Texts.Type, TextRefusal> => {
  if (isAbsent(given["title"])) return Result.fail(new MissingTitle())
  if (isAbsent(given["body"])) return Result.fail(new MissingBody())
  return decodeBody(Texts, given, InvalidBody)
}

/** A push to one user at a time. */
export interface ParsedSchedule {
  readonly fire_at: Date
  readonly title: string
  readonly body: string
  readonly data: JsonObject
}

/** Reads the body of a push-schedule, with a code for each mistake, in the order of the spec: the first of them is answered. */
export const parsePushSchedule = (given: unknown, now: Date): Result.Result<ParsedSchedule, ScheduleRefusal> => {
  if (!isObject(given)) return wrong("", "must be an object")
  const fire_at = typeof given["fire_at"] === "string" ? parseInstant(given["fire_at"]) : null
  if (fire_at === null) return Result.fail(new InvalidFireAt())
  if (fire_at <= now) return Result.fail(new FireAtInPast())
  const texts = parseTexts(given)
  if (Result.isFailure(texts)) return Result.fail(texts.failure)
  const data = decodeData(given["data"] === undefined ? {} : given["data"])
  if (Result.isFailure(data)) return Result.fail(data.failure)
  return Result.succeed({ fire_at, ...texts.success, ...data.success })
}

/** Where a test goes: to the user's device that was registered last, or to a device. */
export type TestTarget =
  | { readonly app_user_id: string }
  | { readonly device_token: string; readonly provider: PushProvider }

/** A push that is to be tried. */
export interface ParsedTest {
  readonly target: TestTarget
  readonly title: string
  readonly body: string
  readonly data: JsonObject
  readonly options: PushOptions
}

/** What a test may have beside its texts and its target. */
const Extras = Schema.Struct({
  data: Schema.optionalKey(JsonObject),
  options: Schema.optionalKey(PushOptions),
})

const parseTarget = ({
  app_user_id,
  device_token,
  provider,
}: Body): Result.Result<TestTarget, InvalidBody | MissingProvider | MissingTarget | NoToken> => {
  const hasUser = app_user_id !== undefined && app_user_id !== null
  const hasToken = device_token !== undefined && device_token !== null
  if (hasUser && !isUuid(app_user_id)) return wrong("app_user_id", "must be a uuid")
  if (hasToken && typeof device_token !== "string") return wrong("device_token", "must be a string")
  const hasProvider = provider !== undefined && provider !== null
  if (hasProvider && !Schema.is(PushProvider)(provider)) return wrong("provider", "must be push_a or push_b")
  if (hasUser) return Result.succeed({ app_user_id: app_user_id.toLowerCase() })
  if (!hasToken) return Result.fail(new MissingTarget())
  if (!hasProvider) return Result.fail(new MissingProvider())
  if (device_token === "") return Result.fail(new NoToken())
  if (!Schema.is(PushToken.fields.token)(device_token)) return wrong("device_token", "must be 1 to 4096 characters")
  return Result.succeed({ device_token, provider })
}

/** Reads the body of a test, with a code for each mistake, in the order of the spec: the first of them is answered. */
export const parsePushTest = (given: unknown): Result.Result<ParsedTest, TestRefusal> => {
  if (!isObject(given)) return wrong("", "must be an object")
  const texts = parseTexts(given)
  if (Result.isFailure(texts)) return Result.fail(texts.failure)
  const extras = decodeBody(Extras, given, InvalidBody)
  if (Result.isFailure(extras)) return Result.fail(extras.failure)
  const target = parseTarget(given)
  if (Result.isFailure(target)) return Result.fail(target.failure)
  return Result.succeed({ target: target.success, ...texts.success, ...{ data: {}, options: {} }, ...extras.success })
}
