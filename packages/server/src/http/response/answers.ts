import type { Writable } from "node:stream"
import { Count } from "@hearth/core"
import { Effect, Schema, Stream } from "effect"
import type { AnySchema } from "../routing/any-schema.ts"

/** A page of a list, as use cases answer it. */
interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly total: number
  readonly is_cut?: boolean
}

/** A file that is sent while it is made. */
export interface Download {
  /** One of the content types that the route declares. */
  readonly content_type: string
  /** The name under which a browser saves it; shown inline where left out. */
  readonly filename?: string
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: ReadableStream<Uint8Array>
}

/** A body that writes itself to where the answer goes. Thousands may be open at once. It never fails. */
export interface Piped {
  readonly pipe: (answer: Writable) => void
  /** Called instead of `pipe` where nobody takes it any more. */
  readonly destroy: () => void
}

/** A text file as use cases answer it: the text is made while it is sent. */
interface TextFile {
  readonly content_type: string
  readonly filename: string
  readonly text: Stream.Stream<string, unknown>
}

/** What is sent: JSON text, a stream, a new address or nothing. */
export interface Written {
  readonly status: number
  readonly json?: unknown
  /** The address in `Location`. */
  readonly location?: string
  readonly download?: Download
  readonly piped?: Pick<Download, "content_type" | "headers"> & { readonly body: Piped }
}

/** How an answer goes on that is sent while it is made. A client may read slowly: who has lost the right meanwhile gets no more. */
export interface Continuation {
  /** Fails where the caller may make the call no longer. */
  readonly checkRight: Effect.Effect<unknown, unknown>
  /** Makes the call again for another slice, with its right, and answers its result. */
  readonly readOn: (slice: {
    readonly limit: number
    readonly offset?: number
    readonly cursor?: unknown
  }) => Promise<unknown>
  /** Cuts the connection, though not all that was sent has been taken. */
  readonly cut: () => void
  /** Says that the answer is none of those that the process works on: it may wait for hours. */
  readonly leaveLoad: () => void
}

/** How the result of `run` is written. Only fields that the schema names are sent. */
export interface Answer<in Result> {
  readonly statuses: ReadonlyArray<number>
  /** The whole body; null where there is none or where it is a download. */
  readonly schema: AnySchema | null
  /** The content types of a download; empty for JSON. */
  readonly types: ReadonlyArray<string>
  /** Whether `limit` and `offset` must be in the query, because the answer repeats them. */
  readonly paged: boolean
  /** Whether a list that is not paged may be read and sent in pieces. */
  readonly in_pieces?: true
  /** Whether a success has a `Location` and no body. */
  readonly redirects: boolean
  /** Turns a result into an answer. Throws when the result does not fit the schema: that is a fault of ours. */
  readonly write: (
    result: Result,
    query: { readonly limit?: number; readonly offset?: number },
    continuation?: Continuation,
  ) => Written
}

// Only shapes are checked. Bounds of lengths and numbers are for input, and checking them here would double the cost.
const encoder = <S extends AnySchema>(schema: S) => Schema.encodeUnknownSync(schema, { disableChecks: true })

const withBody = <Result>(
  schema: AnySchema,
  statuses: ReadonlyArray<number>,
  write: Answer<Result>["write"],
  paged = false,
): Answer<Result> => ({ statuses, schema, types: [], paged, redirects: false, write })

const data = (schema: AnySchema) => Schema.Struct({ data: schema })

/** `{ data }` with this status. */
const wrapData = <S extends AnySchema>(status: number, schema: S): Answer<S["Type"]> => {
  const encode = encoder(schema)
  return withBody(data(schema), [status], (result) => ({ status, json: { data: encode(result) } }))
}

/** 200 `{ data }`. */
export const ok = <S extends AnySchema>(schema: S): Answer<S["Type"]> => wrapData(200, schema)

/** 201 `{ data }`. */
export const created = <S extends AnySchema>(schema: S): Answer<S["Type"]> => wrapData(201, schema)

/** 200 `{ data: […] }`. */
export const listOf = <S extends AnySchema>(schema: S): Answer<ReadonlyArray<S["Type"]>> => ok(Schema.Array(schema))

/** 201 `{ data }` where `run` created the record, 200 where it existed. */
export const upserted = <S extends AnySchema>(
  schema: S,
): Answer<{ readonly created: boolean; readonly row: S["Type"] }> => {
  const encode = encoder(schema)
  return withBody(data(schema), [200, 201], (result) => ({
    status: result.created ? 201 : 200,
    json: { data: encode(result.row) },
  }))
}

/** Answers rows but for those that it has answered before: what is written meanwhile at the front of a list moves rows into the next piece. */
const makeOnce = () => {
  const known = new Set<unknown>()
  return (rows: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
    rows.filter((row) => {
      const { id } = row as { readonly id?: unknown }
      return id === undefined || (!known.has(id) && known.add(id))
    })
}

/**
 * Writes a page that is cut, piece by piece: each is read when the client has taken the one before (ADR 0021). So little of it is
 * held at a time, however large it is.
 */
async function* writePieces(
  first: Page<unknown>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  encode: (rows: ReadonlyArray<unknown>) => ReadonlyArray<unknown>,
  { readOn }: Continuation,
  rest: object = {},
): AsyncGenerator<Uint8Array> {
  const more = JSON.stringify(rest).slice(1)
  const once = makeOnce()
  let [page, read, sent, text] = [first, 0, 0, '{"data":[']
  while (page.rows.length > 0) {
    const fresh = once(page.rows)
    const rows = fresh.slice(0, limit - sent)
    text += (sent === 0 || rows.length === 0 ? "" : ",") + JSON.stringify(encode(rows)).slice(1, -1)
    yield Buffer.from(text)
    read += page.rows.length
    sent += rows.length
    text = ""
    // So many are read at most, however fast others write.
    if (page.is_cut !== true || sent >= limit || read >= 2 * limit) break
    const moved = page.rows.length - fresh.length
    page = (await readOn({ limit: Math.min(limit, limit - sent + moved), offset: offset + read })) as Page<unknown>
  }
  yield Buffer.from(`${text}]${more === "}" ? "" : ","}${more}`)
}

/** A part of a list that is read on by a cursor and has no total. Where it is cut, `next_cursor` leads on to what is left out. */
interface Tail {
  readonly data: ReadonlyArray<unknown>
  readonly next_cursor: unknown
  readonly is_cut?: boolean
}

/** The same of a tail: its cursor is that of the last piece. */
async function* writeTail(
  first: Tail,
  limit: number,
  encode: (tail: Tail) => Pick<Tail, "data" | "next_cursor">,
  { readOn }: Continuation,
): AsyncGenerator<Uint8Array> {
  let [tail, sent, text] = [first, 0, '{"data":[']
  for (;;) {
    const { data, next_cursor } = encode(tail)
    text += (sent === 0 || data.length === 0 ? "" : ",") + JSON.stringify(data).slice(1, -1)
    sent += data.length
    if (tail.is_cut !== true || sent >= limit) {
      yield Buffer.from(`${text}],"next_cursor":${JSON.stringify(next_cursor)}}`)
      return
    }
    yield Buffer.from(text)
    text = ""
    tail = (await readOn({ limit: limit - sent, cursor: tail.next_cursor })) as Tail
  }
}

const jsonPieces = (pieces: AsyncGenerator<Uint8Array>): Written => ({
  status: 200,
  download: { content_type: "application/json", body: ReadableStream.from(pieces) },
})

/** 200 `{ data: […], total, offset, limit }` from a page; the route's query has `...paging()`. */
export const pageOf = <S extends AnySchema>(schema: S): Answer<Page<S["Type"]>> => pageWith(schema, {})

/** Like `pageOf`, with further fields of the page next to `data`. */
export const pageWith = <S extends AnySchema, const F extends Readonly<Record<string, AnySchema>>>(
  schema: S,
  fields: F,
): Answer<Page<S["Type"]> & Schema.Struct<F>["Type"]> => {
  const more = Schema.Struct(fields)
  const encode = encoder(Schema.Array(schema))
  // A schema without fields would let all of them through.
  const encodeMore = Object.keys(fields).length === 0 ? () => ({}) : encoder(more)
  const paged = { data: Schema.Array(schema), total: Count, offset: Count, limit: Count }
  const write: Answer<Page<S["Type"]>>["write"] = (page, { limit = 0, offset = 0 }, continuation) => {
    const rest = { total: page.total, offset, limit, ...(encodeMore(page) as object) }
    if (page.is_cut !== true || continuation === undefined)
      return { status: 200, json: { data: encode(page.rows), ...rest } }
    const encodeRows = (rows: ReadonlyArray<unknown>) => encode(rows) as ReadonlyArray<unknown>
    return jsonPieces(writePieces(page, { limit, offset }, encodeRows, continuation, rest))
  }
  return withBody(Schema.Struct({ ...paged, ...fields }), [200], write, true)
}

/** Like `pageOf`, from all rows of a short list: the query's part of them is sent. */
export const sliceOf = <S extends AnySchema>(schema: S): Answer<ReadonlyArray<S["Type"]>> => {
  const page = pageOf(schema)
  const write: Answer<ReadonlyArray<S["Type"]>>["write"] = (all, { limit = 0, offset = 0 }) =>
    page.write({ rows: all.slice(offset, offset + limit), total: all.length }, { limit, offset })
  return { ...page, write }
}

/** Like `pageOf`, with `next_cursor` where a cursor was given; the route's query has `...readsOn(cursor)`, too. */
export const listPageOf = <S extends AnySchema, C extends AnySchema>(schema: S, cursor: C) =>
  pageWith(schema, { next_cursor: Schema.optionalKey(Schema.NullOr(cursor)) })

/** A body that is not wrapped in `data`: the schema is all of it, as in `{ data, next_cursor }` or in files that others define. */
export const json = <S extends AnySchema>(schema: S, status = 200): Answer<S["Type"]> => {
  const encode = encoder(schema)
  return withBody(schema, [status], (result) => ({ status, json: encode(result) }))
}

/** 200 `{ data: […], next_cursor }` of large rows; the route's query has a `limit` and a `cursor`. */
export const largeTailOf = <S extends Schema.Codec<Tail, Tail>>(schema: S): Answer<S["Type"]> => {
  const whole = json(schema)
  const encode = encoder(schema) as (tail: Tail) => Tail
  return {
    ...whole,
    in_pieces: true,
    write: (tail: Tail, { limit = 0 }, continuation) =>
      tail.is_cut !== true || continuation === undefined
        ? whole.write(tail, {})
        : jsonPieces(writeTail(tail, limit, encode, continuation)),
  }
}

/** 200 `{ data: { deleted: true } }`, whatever `run` results in. */
export const deleted: Answer<unknown> = withBody(
  data(Schema.Struct({ deleted: Schema.Literal(true) })).annotate({ identifier: "Deleted" }),
  [200],
  () => ({ status: 200, json: { data: { deleted: true } } }),
)

/** 204 without a body, whatever `run` results in. */
export const noContent: Answer<unknown> = {
  statuses: [204],
  schema: null,
  types: [],
  paged: false,
  redirects: false,
  write: () => ({ status: 204 }),
}

/** A header can only have ASCII. An address of ASCII is sent unchanged, any other is encoded. */
const headerValue = (address: string): string => {
  const { href } = new URL(address)
  return /^[\x21-\x7e]+$/.test(address) ? address : href
}

/** 302 to the absolute address that `run` results in, without a body. Throws where that is no absolute address. */
export const redirect = (): Answer<string> => ({
  statuses: [302],
  schema: null,
  types: [],
  paged: false,
  redirects: true,
  write: (address) => ({ status: 302, location: headerValue(address) }),
})

/** 200 with a file of one of these content types, sent while it is made. */
export const download = (...types: ReadonlyArray<string>): Answer<Download> => ({
  statuses: [200],
  schema: null,
  types,
  paged: false,
  redirects: false,
  write: (result) => ({ status: 200, download: result }),
})

// A right is asked for at most this often while a file is sent: a fast reader pays nothing for it.
const checkMillis = 1_000

/** The pieces of a text, while its reader has the right to it. */
const whileAllowed = (text: TextFile["text"], checkRight: Continuation["checkRight"]): TextFile["text"] =>
  Stream.suspend(() => {
    let checkedAt = Date.now()
    return Stream.mapEffect(text, (piece) => {
      if (Date.now() - checkedAt < checkMillis) return Effect.succeed(piece)
      checkedAt = Date.now()
      return Effect.as(checkRight, piece)
    })
  })

/** 200 with a text file of one of these content types. Each piece is made when the client is ready for it. */
export const textFile = (...types: ReadonlyArray<string>): Answer<TextFile> => ({
  ...download(...types),
  write: ({ text, ...file }, _, continuation) => {
    const allowed = continuation === undefined ? text : whileAllowed(text, continuation.checkRight)
    const body = Stream.toReadableStream(Stream.encodeText(allowed), { strategy: { highWaterMark: 0 } })
    return { status: 200, download: { ...file, body } }
  },
})
