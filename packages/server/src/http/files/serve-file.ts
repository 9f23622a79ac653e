import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import type { ByteRange, Bytes, ServedFile } from "@hearth/core/media"
import { Effect } from "effect"
import { FastResponse } from "srvx"
import type { RequestEvent } from "../request/request.ts"
import { commonHeaders } from "../response/respond.ts"
import type { RequestContext } from "../routing/request-context.ts"
import { hasTag, readRange } from "./ranges.ts"

// A client that takes nothing for so long has gone, though its connection has not.
const stalledMillis = 60_000

type Failing = (cause: unknown) => void

/** A name for `Content-Disposition`: as it is, and for old clients in ASCII. */
const disposition = ({ is_inline, filename }: ServedFile): string => {
  const ascii = filename.replaceAll(/[^\w. -]/g, "_")
  const encoded = encodeURIComponent(filename).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `${is_inline ? "inline" : "attachment"}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** Passes pieces on as the client takes them, one after the other: the next is read into the place of the one before. Where it hangs up the file is let go; where reading fails, or there is less than was said, the connection ends early. */
const toStream = (pieces: Bytes, length: number, onFailed: Failing): ReadableStream<Uint8Array> => {
  const source = pieces[Symbol.asyncIterator]()
  let left = length
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await source.next()
          if (done !== true) {
            left -= value.byteLength
            controller.enqueue(value)
          } else if (left > 0) throw new Error(`The file is ${left} bytes shorter than it was.`)
          else controller.close()
        } catch (cause) {
          onFailed(cause)
          controller.error(cause)
        }
      },
      cancel: async () => void (await source.return?.()),
    },
    { highWaterMark: 0 },
  )
}

const encoder = new TextEncoder()

/** Several parts of a file as `multipart/byteranges`, and how long that is. */
const describeParts = ({ mime_type, size_bytes }: ServedFile, parts: ReadonlyArray<ByteRange>, boundary: string) => {
  const heads = parts.map(({ start, end }) =>
    encoder.encode(
      `\r\n--${boundary}\r\nContent-Type: ${mime_type}\r\nContent-Range: bytes ${start}-${end}/${size_bytes}\r\n\r\n`,
    ),
  )
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  const length = parts.reduce(
    (sum, { start, end }, at) => sum + end - start + 1 + (heads[at]?.length ?? 0),
    tail.length,
  )
  return { heads, tail, length }
}

const readParts = async function* (file: ServedFile, parts: ReadonlyArray<ByteRange>, boundary: string) {
  const { heads, tail } = describeParts(file, parts, boundary)
  for (const [at, part] of parts.entries()) {
    const pieces = await Effect.runPromise(file.read(part))
    if (pieces === null) throw new Error("The file was removed while it was sent.")
    yield heads[at] ?? tail
    yield* pieces
  }
  yield tail
}

const letGo = async (pieces: Bytes) => void (await pieces[Symbol.asyncIterator]().return?.())

/** What is sent of a file, and its headers. */
const choose = (file: ServedFile, headers: Headers, tag: string) => {
  const { mime_type, size_bytes: size } = file
  const wanted = readRange(headers.get("range"), headers.get("if-range"), size, tag)
  if (wanted.kind === "none") return { status: 416, headers: { "content-range": `bytes */${size}` }, body: null }
  const [first, ...others] = wanted.kind === "parts" ? wanted.parts : []
  if (first === undefined || wanted.kind !== "parts") {
    const all = { start: 0, end: Math.max(0, size - 1) }
    return {
      status: 200,
      headers: { "content-type": mime_type, "content-length": `${size}` },
      body: () => file.read(all),
    }
  }
  if (others.length === 0) {
    const range = { "content-range": `bytes ${first.start}-${first.end}/${size}` }
    const length = { "content-length": `${first.end - first.start + 1}` }
    return { status: 206, headers: { "content-type": mime_type, ...range, ...length }, body: () => file.read(first) }
  }
  const boundary = randomUUID()
  const { parts } = wanted
  const { length } = describeParts(file, parts, boundary)
  // The parts are opened one by one: whether there is a file has to be known before the first.
  const startParts = (pieces: Bytes | null): Effect.Effect<Bytes | null> =>
    pieces === null
      ? Effect.succeed(null)
      : Effect.as(
          Effect.promise(() => letGo(pieces)),
          readParts(file, parts, boundary),
        )
  const type = { "content-type": `multipart/byteranges; boundary=${boundary}`, "content-length": `${length}` }
  return {
    status: 206,
    headers: type,
    body: () => Effect.flatMap(file.read(first), startParts),
  }
}

/** Ends a connection whose client has stopped to take what it asked for. */
export const limitStall = ({ req }: RequestEvent) => {
  const response = req.runtime?.node?.res as ServerResponse | undefined
  response?.setTimeout(stalledMillis, () => response.destroy())
}

/** The headers that every answer about a file has: nothing in it may act on behalf of this host [I7.2]. */
const safeHeaders = { "content-security-policy": "sandbox; default-src 'none'", "x-content-type-options": "nosniff" }

/**
 * Answers a GET or HEAD of a file: all of it or ranges, nothing where the client has it already. It never changes, but may be removed:
 * so it may be kept, and has to be asked about. Null where the storage does not have it.
 */
export const serveFile = async (
  event: RequestEvent,
  context: RequestContext,
  file: ServedFile,
): Promise<Response | null> => {
  const tag = `"${file.id}"`
  const { headers } = event.req
  const common = {
    ...commonHeaders(context),
    ...safeHeaders,
    ...{ "cache-control": "no-cache", "accept-ranges": "bytes", etag: tag },
    ...{ "cross-origin-resource-policy": "cross-origin" },
  }
  if (hasTag(headers.get("if-none-match"), tag)) return new FastResponse(null, { status: 304, headers: common })
  const { body, ...chosen } = choose(file, headers, tag)
  const all = { ...common, "content-disposition": disposition(file), ...chosen.headers }
  if (body === null) return new FastResponse(null, { status: chosen.status, headers: all })
  const pieces = await Effect.runPromise(body())
  if (pieces === null) return null
  if (context.method === "HEAD") {
    await letGo(pieces)
    return new FastResponse(null, { status: chosen.status, headers: all })
  }
  limitStall(event)
  return new FastResponse(toStream(pieces, Number(chosen.headers["content-length"]), context.onDownloadFailed), {
    status: chosen.status,
    headers: all,
  })
}
