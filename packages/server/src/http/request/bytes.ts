import type { IncomingMessage } from "node:http"
import type { ServerRequest } from "./request.ts"

/** Why a body could not be read. */
export type Unread = "too-large" | "cut-short"

const declaredLength = (request: ServerRequest): number | null => {
  const text = request.headers.get("content-length")
  return text !== null && /^\d+$/.test(text) ? Number(text) : null
}

const leastRoom = 16 * 1024

/**
 * Puts a body together as it comes. Kept apart, pieces of a byte would take some hundred times their size; what comes in one piece is
 * not copied.
 */
const makeCollector = () => {
  let room: Uint8Array = new Uint8Array(0)
  let size = 0
  return {
    /** Adds a piece, and answers how many bytes there are then. */
    add: (piece: Uint8Array): number => {
      const next = size + piece.byteLength
      if (size === 0) room = piece
      else {
        if (next > room.byteLength) {
          const larger = Buffer.allocUnsafe(Math.max(next, 2 * room.byteLength, leastRoom))
          larger.set(room.subarray(0, size))
          room = larger
        }
        room.set(piece, size)
      }
      size = next
      return size
    },
    bytes: (): Uint8Array => room.subarray(0, size),
  }
}

/** From Node's own stream: going through a web stream costs several times as much. */
const fromNode = (message: IncomingMessage, limit: number): Promise<Uint8Array | Unread> =>
  new Promise((resolve) => {
    // A destroyed message emits nothing more: waiting for it would never end.
    if (message.destroyed) return resolve("cut-short")
    const collector = makeCollector()
    const finish = (outcome: Uint8Array | Unread) => {
      message.off("data", onData).off("end", onEnd).off("error", onCut).off("close", onCut)
      // A later "error" without a listener would end the process.
      message.on("error", () => {})
      resolve(outcome)
    }
    const onData = (piece: Buffer) => {
      if (collector.add(piece) > limit) {
        finish("too-large")
        // The rest is read and dropped until `limitUnreadBody` ends it: a client that is blocked on sending would not read its answer.
        message.resume()
      }
    }
    const onEnd = () => finish(collector.bytes())
    const onCut = () => finish("cut-short")
    message.on("data", onData).once("end", onEnd).once("error", onCut).once("close", onCut)
  })

const fromStream = async (stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | Unread> => {
  const collector = makeCollector()
  try {
    for await (const piece of stream) if (collector.add(piece) > limit) return "too-large"
  } catch {
    return "cut-short"
  }
  return collector.bytes()
}

/** Reads a body of at most `limit` bytes. Reading stops as soon as a body is known to be longer, with or without a `Content-Length`. */
export const readBytes = async (request: ServerRequest, limit: number): Promise<Uint8Array | Unread> => {
  if ((declaredLength(request) ?? 0) > limit) return "too-large"
  const node = request.runtime?.node?.req
  if (node !== undefined) return fromNode(node as IncomingMessage, limit)
  return request.body === null ? new Uint8Array(0) : fromStream(request.body, limit)
}

// Node reads a rest of this size by itself, so that the connection can be used again.
const smallBodyBytes = 64 * 1024
const lingerMillis = 1_000

/**
 * Bounds how long a body is read after its answer has been sent. Node goes on reading it, so that the answer is not lost in a reset
 * connection, but without a bound it would do so for as long as the client sends.
 */
export const limitUnreadBody = (request: ServerRequest): void => {
  const { req, res } = request.runtime?.node ?? {}
  if (req === undefined || res === undefined || (req as IncomingMessage).complete) return
  const length = declaredLength(request)
  if (length === null ? !request.headers.has("transfer-encoding") : length <= smallBodyBytes) return
  const message = req as IncomingMessage
  res.once("finish", () => {
    const timer = setTimeout(() => {
      if (!message.complete) message.socket.destroy()
    }, lingerMillis)
    // Not on the socket: what a connection is asked for one after the other would pile up there.
    message.once("close", () => clearTimeout(timer))
  })
}
