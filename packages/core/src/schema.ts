import { Effect, Schema, SchemaGetter, Struct } from "effect"
import { columnKind } from "./columns.ts"
import { hasMoneyDigits } from "./currencies/money.ts"
import { isJson } from "./is-json.ts"
import { lengthPhrase } from "./phrases.ts"
import { isTimeZone } from "./time/zones.ts"

const isWellFormed = (text: string) => text.isWellFormed() && !text.includes("\u0000")

const wellFormed = Schema.makeFilter((text: string) => isWellFormed(text) || "must be well-formed Unicode without NUL")

/** A check of text. Its sentence is also what anything but text is answered with. */
export const textThat = (isValid: (value: string) => boolean, message: `must be ${string}`) =>
  Schema.makeFilter(isValid, { message })

/** How many characters a text has: code points, as JSON Schema and PostgreSQL count them [A9]. */
export const countCharacters = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Whether a text has `min` to `max` characters. Few texts have to be counted for it: a character is one or two UTF-16 units. */
export const hasLength = (text: string, min: number, max: number): boolean => {
  const units = text.length
  if (units < min || units > 2 * max) return false
  if (units <= max && units >= 2 * min - 1) return true
  const count = countCharacters(text)
  return count >= min && count <= max
}

/** Whether `value` is text of `min` to `max` characters that PostgreSQL can store. */
export const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === "string" && hasLength(value, min, max) && isWellFormed(value)

/** Whether `value` is a JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Any text that PostgreSQL can store: well-formed Unicode without NUL [A9]. */
export const Text = Schema.String.annotate(columnKind("text")).check(wellFormed)

// Effect's own checks count UTF-16 units. Their annotations are what documents are made of.
const isAtLeast = (min: number, message: string) =>
  Schema.makeFilter(
    (value: string) => hasLength(value, min, Number.POSITIVE_INFINITY),
    Schema.isMinLength(min, { message }).annotations,
  )

const isAtMost = (max: number, message: string) =>
  Schema.makeFilter((value: string) => hasLength(value, 0, max), Schema.isMaxLength(max, { message }).annotations)

/** Text of `min` to `max` characters. */
export const text = (min: number, max: number) => {
  const message = `must be ${lengthPhrase(min, max)}`
  return Text.check(isAtLeast(min, message), isAtMost(max, message))
}

/** Text that a request cannot do without: where it is empty, it is missing [A5]. */
export const FilledText = Text.check(isAtLeast(1, `must be ${lengthPhrase(1)}`))

/** The name of something: 1 to 200 characters. */
export const Name = text(1, 200)

/** A long text, like a description: up to 10,000 characters. */
export const Prose = text(0, 10_000)

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The nil uuid, which nobody has: ids are random or made of the time. */
export const nilUuid = "00000000-0000-0000-0000-000000000000"

/** Whether `value` is a uuid in its usual form, in either case. */
export const isUuid = (value: unknown): value is string => typeof value === "string" && uuidPattern.test(value)

/** An identifier. Upper-case digits are accepted and read as lower-case. */
export const Uuid = Schema.String.check(
  Schema.isPattern(uuidPattern, { message: "must be a uuid", toJsonSchema: () => ({ format: "uuid" }) }),
)
  .pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform((id: string) => id.toLowerCase()),
      encode: SchemaGetter.transform((id: string) => id),
    }),
  )
  .annotate(columnKind("uuid"))

const instantPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/**
 * Parses an ISO-8601 date (midnight in UTC) or date and time with a zone, to whole milliseconds. Null for other text and for
 * days that do not exist.
 */
export const parseInstant = (value: string): Date | null => {
  const parts = instantPattern.exec(value)
  if (parts === null) return null
  const [, year, month, day] = parts
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`)
  // Date turns the 30th of February into a day of March. Such input is refused.
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day) || year === "0000") return null
  const instant = new Date(value.replace(",", "."))
  // Not the year 1: west of UTC, and as weeks, its first days would fall in the year 0, which PostgreSQL does not have.
  return Number.isNaN(instant.getTime()) || instant.getUTCFullYear() > 9999 || instant.getUTCFullYear() < 2
    ? null
    : instant
}

/** An instant: decoded from ISO-8601 with a zone, encoded in UTC with milliseconds and `Z` [A10]. */
export const Timestamp = Schema.String.annotate({ format: "date-time" })
  .check(textThat((value) => parseInstant(value) !== null, "must be an ISO-8601 instant with a zone"))
  .pipe(
    Schema.decodeTo(Schema.Date, {
      decode: SchemaGetter.transform((value: string) => parseInstant(value) ?? new Date(Number.NaN)),
      encode: SchemaGetter.transform((instant: Date) => instant.toISOString()),
    }),
  )
  .annotate(columnKind("instant"))

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

// Date turns the 30th of February into a day of March, and PostgreSQL has no year 0.
const isDay = (value: string): boolean => {
  const midnight = new Date(dayPattern.test(value) ? `${value}T00:00:00.000Z` : Number.NaN)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(value) && !value.startsWith("0000")
}

/** A calendar day, `YYYY-MM-DD`, that exists, of the years 0001 to 9999. */
export const Day = Schema.String.annotate({ ...columnKind("day"), format: "date" }).check(
  textThat(isDay, "must be a day that exists, as YYYY-MM-DD"),
)

/** The name of a time zone in the IANA database [E14]. */
export const TimeZone = Text.check(textThat(isTimeZone, "must be an IANA time zone"))

/** Any JSON value. Documents show it as Effect's own. */
export const Json = Schema.declare(isJson, Schema.Json.ast.annotations)

/** Any JSON object. */
export const JsonObject = Schema.Record(Schema.String, Json).annotate(columnKind("json"))
export type JsonObject = typeof JsonObject.Type

// Much more than an address has. What is longer is refused as it is.
const mostEmailLength = 1_000

/**
 * A domain as mail servers look it up: letters in another width or style are those letters, and what is not seen is not there (UTS #46).
 * But joiners, which tell domains of some scripts apart.
 */
const normalizeDomain = (domain: string): string =>
  domain
    .normalize("NFKC")
    .replaceAll(/(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll("\u3002", ".")

/**
 * How an email address is kept and compared: trimmed and in lower case [B8]. Its domain is spelled in one way, so that a mailbox has no
 * second address that way.
 */
export const normalizeEmail = (address: string): string => {
  const trimmed = address.trim()
  const at = trimmed.lastIndexOf("@")
  if (at === -1 || trimmed.length > mostEmailLength) return trimmed.toLowerCase()
  return (trimmed.slice(0, at + 1) + normalizeDomain(trimmed.slice(at + 1))).toLowerCase()
}

/** An email address, trimmed and in lower case; at most 254 characters, with one `@` and a dot after it [B8]. */
export const Email = Text.pipe(
  Schema.decodeTo(
    Schema.String.check(
      isAtMost(254, `must be ${lengthPhrase(0, 254)}`),
      Schema.isPattern(/^[^\s\p{Cc}\p{Cf}@"<>(),;:\\]+@[^\s\p{Cc}@.,"<>();\\]+(\.[^\s\p{Cc}@.,"<>();\\]+)+$/u, {
        message: "must be an email address",
      }),
    ),
    {
      decode: SchemaGetter.transform(normalizeEmail),
      encode: SchemaGetter.transform((address: string) => address),
    },
  ),
).annotate(columnKind("text"))

/** A whole number that is never negative. The field's own checks set its range. */
export const Count = Schema.Int.annotate({
  ...columnKind("count"),
  toJsonSchema: () => ({ type: "integer", minimum: 0 }),
})

/** A whole number that may be negative. */
export const Whole = Schema.Int.annotate(columnKind("whole"))

/** A number that is never negative and may have a fraction. The field's own checks set its range. */
export const Amount = Schema.Finite.annotate({
  ...columnKind("amount"),
  toJsonSchema: () => ({ type: "number", minimum: 0 }),
})

/** Any finite number. */
export const Finite = Schema.Finite.annotate(columnKind("number"))

/** A number of at most 4 decimals, of either sign, that is stored as an exact decimal [G4.2]. The field's own checks set its range. */
export const Money = Schema.Finite.annotate(columnKind("money")).check(
  Schema.makeFilter((value: number) => hasMoneyDigits(value) || "must have at most 4 decimals"),
)

type Plain = Schema.Constraint & Schema.WithoutConstructorDefault

/** A field with a default for a missing key, both where it is decoded and where it is made. */
export interface Defaulted<S extends Plain> extends Schema.withConstructorDefault<Schema.withDecodingDefaultKey<S>> {}

/** `schema` with the default `value` for a missing key. */
export const withDefault = <S extends Plain>(schema: S, value: S["Encoded"]): Defaulted<S> =>
  Schema.withConstructorDefault<Schema.withDecodingDefaultKey<S>>(
    Effect.sync(() => Schema.decodeUnknownSync(schema as never)(value) as never),
  )(Schema.withDecodingDefaultKey<S>(Effect.succeed(value))(schema))

type Fields = Schema.Struct.Fields

/** `fields`, with the values of `defaults` for missing keys. */
export const withDefaults = <F extends Fields, const D extends { readonly [Name in keyof F]?: F[Name]["Encoded"] }>(
  fields: F,
  defaults: D & { readonly [Name in Exclude<keyof D, keyof F>]: never },
) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      Object.hasOwn(defaults, name) ? withDefault(field as Plain, defaults[name as keyof D]) : field,
    ]),
  ) as {
    readonly [Name in keyof F]: Name extends keyof D ? (F[Name] extends Plain ? Defaulted<F[Name]> : F[Name]) : F[Name]
  }

/** `fields` with all keys optional. */
export const partial = <F extends Fields>(fields: F) => Struct.map(fields, Schema.optionalKey)
