import { Result, Schema } from "effect"
import { isObject, JsonObject, parseInstant, text, Uuid } from "../schema.ts"
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
import { PushProvider } from "./push-token.ts"

type Body = Readonly<Record<string, unknown>>

const notAnObject = () => Result.fail(new InvalidBody({ issues: [{ path: "", message: "must be an object" }] }))

/** The texts of a push that are there, and of the right form. One that is empty is not there [H4.6]. */
const TextForm = Schema.Struct({
  title: Schema.optionalKey(text(1, 200)),
  body: Schema.optionalKey(text(1, 2000)),
})

type TextRefusal = InvalidBody | MissingBody | MissingTitle

/** The failures of parsing a push-schedule. */
export type ScheduleRefusal = FireAtInPast | InvalidData | InvalidFireAt | TextRefusal

/** The failures of parsing a test. */
export type TestRefusal = MissingProvider | MissingTarget | NoToken | TextRefusal

const texts = new Set(["title", "body"])
const mayBeNull = new Set([...texts, "app_user_id", "device_token", "provider"])

/** What was given without the keys that stand for nothing: null, and texts that are empty. */
const withoutAbsent = (given: Body): Body =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        value !== undefined && !(value === null && mayBeNull.has(name)) && !(value === "" && texts.has(name)),
    ),
  )

interface PushTexts {
  readonly title: string
  readonly body: string
}

/** The texts of a push: one that is missing has a code of its own [H4.6]. */
const requireTexts = ({ title, body }: typeof TextForm.Type): Result.Result<PushTexts, MissingBody | MissingTitle> => {
  if (title === undefined) return Result.fail(new MissingTitle())
  return body === undefined ? Result.fail(new MissingBody()) : Result.succeed({ title, body })
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
  if (!isObject(given)) return notAnObject()
  const form = decodeBody(TextForm, withoutAbsent({ title: given["title"], body: given["body"] }), InvalidBody)
  if (Result.isFailure(form)) return Result.fail(form.failure)
  const fire_at = typeof given["fire_at"] === "string" ? parseInstant(given["fire_at"]) : null
  if (fire_at === null) return Result.fail(new InvalidFireAt())
  if (fire_at <= now) return Result.fail(new FireAtInPast())
  const found = requireTexts(form.success)
  if (Result.isFailure(found)) return Result.fail(found.failure)
  const data = decodeData(given["data"] === undefined ? {} : given["data"])
  if (Result.isFailure(data)) return Result.fail(data.failure)
  return Result.succeed({ fire_at, ...found.success, ...data.success })
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

/** What a test may have, each of the right form. A token that is empty has a code of its own. */
const TestForm = Schema.Struct({
  ...TextForm.fields,
  data: Schema.optionalKey(JsonObject),
  options: Schema.optionalKey(PushOptions),
  app_user_id: Schema.optionalKey(Uuid),
  device_token: Schema.optionalKey(text(0, 4096)),
  provider: Schema.optionalKey(PushProvider),
})

const requireTarget = ({
  app_user_id,
  device_token,
  provider,
}: typeof TestForm.Type): Result.Result<TestTarget, MissingProvider | MissingTarget | NoToken> => {
  if (app_user_id !== undefined) return Result.succeed({ app_user_id })
  if (device_token === undefined) return Result.fail(new MissingTarget())
  if (provider === undefined) return Result.fail(new MissingProvider())
  return device_token === "" ? Result.fail(new NoToken()) : Result.succeed({ device_token, provider })
}

/** Reads the body of a test, with a code for each mistake, in the order of the spec: the first of them is answered. */
export const parsePushTest = (given: unknown): Result.Result<ParsedTest, TestRefusal> => {
  if (!isObject(given)) return notAnObject()
  const form = decodeBody(TestForm, withoutAbsent(given), InvalidBody)
  if (Result.isFailure(form)) return Result.fail(form.failure)
  const found = requireTexts(form.success)
  if (Result.isFailure(found)) return Result.fail(found.failure)
  const target = requireTarget(form.success)
  if (Result.isFailure(target)) return Result.fail(target.failure)
  const { data = {}, options = {} } = form.success
  return Result.succeed({ target: target.success, ...found.success, data, options })
}
