import { type Failure, type FailureClass, type InputIssue, InvalidInput, listIssues, withOwnIssues } from "@hearth/core"
import { Effect, Result, Schema } from "effect"
import { PayloadTooLarge, UnsupportedMediaType } from "../response/failures.ts"
import type { AnySchema } from "../routing/any-schema.ts"
import type { ExtraHeaders } from "../routing/limits.ts"
import type { BodyRule, RawBody } from "../routing/route.ts"
import { readBytes } from "./bytes.ts"
import { makeIgnoredKeys } from "./ignored-keys.ts"
import { parseJsonBytes } from "./json-text.ts"
import { makeListCheck } from "./long-lists.ts"
import type { ServerRequest } from "./request.ts"

// The limit of a route that names none [A9].
const defaultBodyLimit = 256 * 1024

// None that is JSON is longer, and the pattern takes long for one of many spaces.
const longestType = 200
const mediaType = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i

/** Whether a body is declared to be JSON in UTF-8, or not declared at all [A9]. */
const isJson = ({ headers }: ServerRequest): boolean => {
  const type = headers.get("content-type")
  const coding = headers.get("content-encoding")
  const isTyped = type !== null && type !== ""
  const isOfJson = !isTyped || (type.length <= longestType && mediaType.test(type))
  return isOfJson && (coding === null || /^(identity)?$/i.test(coding))
}

const plainHeader = /^[\x20-\x7e]{1,100}$/

/** The refusal of a body by its declared type. A header that is long or not plain is not repeated. */
const refuseType = ({ headers }: ServerRequest): UnsupportedMediaType => {
  const coding = headers.get("content-encoding")
  const isCoded = coding !== null && !/^(identity)?$/i.test(coding)
  const came = (isCoded ? coding : headers.get("content-type")) ?? ""
  const shown = plainHeader.test(came) ? came : "what came"
  return new UnsupportedMediaType(
    undefined,
    isCoded
      ? `The body came with Content-Encoding ${shown}: send it without.`
      : `The body came as ${shown}: send JSON in UTF-8 with Content-Type application/json.`,
  )
}

const tooLarge = (limit: number) =>
  new PayloadTooLarge({ limit }, `The body is larger than ${limit} bytes, the most that this call takes.`)

/** What a route says about its body. */
export interface BodyOptions {
  readonly body?: BodyRule | undefined
  readonly bodyShape?: AnySchema
  readonly optionalBody?: boolean
  readonly bodyLimit?: number
  readonly invalid?: FailureClass
}

const makeDecoder = (rule: BodyRule, bad: (issues: ReadonlyArray<InputIssue>) => Failure) => {
  if (typeof rule === "string") return (value: unknown) => Effect.succeed(value)
  const decode = Schema.decodeUnknownResult(rule as AnySchema, { errors: "all" })
  const findLongList = makeListCheck(rule.ast) ?? (() => null)
  return (value: unknown): Effect.Effect<unknown, Failure> => {
    const tooLong = findLongList(value, "")
    if (tooLong !== null) return Effect.fail(bad([tooLong]))
    const decoded = decode(value)
    return Result.isSuccess(decoded)
      ? Effect.succeed(decoded.success)
      : Effect.fail(bad(withOwnIssues(listIssues(decoded.failure.issue, rule as AnySchema), rule, value)))
  }
}

const makeRawBody = (bytes: Uint8Array): RawBody => ({
  bytes,
  json: (badTexts) => {
    const parsed = parseJsonBytes(bytes, badTexts)
    return "issue" in parsed ? undefined : parsed.value
  },
})

/** How the body of a route is read. */
export interface BodyReader {
  /** The bytes, once they are all here. */
  receive(request: ServerRequest): Effect.Effect<Uint8Array, Failure>
  /** What the bytes say. Keys that the schema does not know are named in a header. */
  parse(bytes: Uint8Array, added: ExtraHeaders): Effect.Effect<unknown, Failure>
}

/** Makes the reader of a route's body: content type, size, UTF-8, depth, JSON, Unicode and numbers, schema, in this order [A5, A9]. Null for a route without a body. */
export const makeBodyReader = ({
  body,
  bodyShape,
  optionalBody = false,
  bodyLimit = defaultBodyLimit,
  invalid,
}: BodyOptions): BodyReader | null => {
  if (body === undefined) return null
  const Invalid = invalid ?? InvalidInput
  const bad = (issues: ReadonlyArray<InputIssue>) => new Invalid({ issues })
  const decode = makeDecoder(body, bad)
  const shape = body === "json" ? bodyShape : body === "raw" ? undefined : (body as AnySchema)
  const nameIgnored = shape === undefined ? null : makeIgnoredKeys(shape)
  return {
    receive: Effect.fnUntraced(function* (request: ServerRequest): Effect.fn.Return<Uint8Array, Failure> {
      const isTyped = body === "raw" || isJson(request)
      if (!isTyped && !optionalBody) return yield* refuseType(request)
      // A body that may be left out is left out where it is empty, whatever type a client has put on it.
      const bytes = yield* Effect.promise(() => readBytes(request, isTyped ? bodyLimit : 0))
      if (bytes === "too-large") return yield* isTyped ? tooLarge(bodyLimit) : refuseType(request)
      if (bytes === "cut-short") return yield* bad([{ path: "", message: "must be whole: it ended early" }])
      return bytes
    }),
    parse: (bytes, added) => {
      if (body === "raw") return Effect.succeed(makeRawBody(bytes))
      if (bytes.byteLength === 0 && optionalBody) return decode({})
      const parsed = parseJsonBytes(bytes)
      if ("issue" in parsed) return Effect.fail(bad([parsed.issue]))
      // Also where the body is refused: a key that is missing may be there by another name.
      const ignored = nameIgnored === null ? null : nameIgnored(parsed.value)
      if (ignored !== null) added["x-ignored-keys"] = ignored
      return decode(parsed.value)
    },
  }
}
