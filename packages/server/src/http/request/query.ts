import { isUuid, Text } from "@hearth/core"
import { Effect, Schema, SchemaGetter } from "effect"
import type { AnySchema } from "../routing/any-schema.ts"

/** A whole number in a query: digits only, `minimum` to `maximum`. */
export const digits = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.isPattern(/^\d{1,16}$/, {
      message: `must be an integer ${maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`}`,
    }),
  ).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum })), {
      decode: SchemaGetter.transform((text: string) => Number(text)),
      encode: SchemaGetter.transform((value: number) => String(value)),
    }),
  )

/** `true` or `false` in a query. */
export const flag = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(Schema.Boolean, {
    decode: SchemaGetter.transform((text: "true" | "false") => text === "true"),
    encode: SchemaGetter.transform((value: boolean) => (value ? "true" : "false")),
  }),
)

/** Up to so many ids in a query, with commas between. */
export const uuids = (most: number) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => {
      const ids = text.split(",")
      return (ids.length <= most && ids.every(isUuid)) || `must be up to ${most} uuids, with commas between`
    }),
  ).pipe(
    Schema.decodeTo(Schema.Array(Schema.String), {
      decode: SchemaGetter.transform((text: string) => text.toLowerCase().split(",")),
      encode: SchemaGetter.transform((ids: ReadonlyArray<string>) => ids.join(",")),
    }),
  )

/** Text in a query that is not empty: an empty value is a mistake, not the same as no key. */
export const word = Text.check(Schema.isMinLength(1))

const onlyZero = /^0{1,16}$/

/** `offset` of a list that is read on by a cursor, or that answers so many of the nearest: 0 alone [A8]. */
export const noOffset = () => ({
  offset: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(onlyZero, { message: "must be 0 here: this list always begins at its start" }),
    ).pipe(
      Schema.decodeTo(Schema.Literal(0), {
        decode: SchemaGetter.transform((): 0 => 0),
        encode: SchemaGetter.transform(() => "0"),
      }),
    ),
  ),
})

/** `cursor` of a list that can be read on: `start`, or `next_cursor` of the page before. Its answer is `listPageOf`. */
export const readsOn = <S extends AnySchema>(cursor: S) => ({
  cursor: Schema.optionalKey(Schema.Union([Schema.Literal("start"), cursor])),
})

/** `limit` and `offset` of a list, for a route's `query` [A8]. Spec: 50 and 0 where left out. */
export const paging = (limit = 50) => ({
  limit: digits(1, 1000).pipe(Schema.withDecodingDefaultKey(Effect.succeed(String(limit)))),
  offset: digits(0, Number.MAX_SAFE_INTEGER).pipe(Schema.withDecodingDefaultKey(Effect.succeed("0"))),
})
