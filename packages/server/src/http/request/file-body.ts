import type { IncomingMessage } from "node:http"
import type { ServerRequest } from "./request.ts"

/** How slowly a file may come. */
export interface Pace {
  /** The longest silence, in milliseconds. */
  readonly silenceMillis: number
  /** At least so many bytes have to come while `silenceMillis` are spent on waiting for them. */
  readonly leastBytes: number
}

// About a kilobyte a second: slower than any phone, and faster than somebody who only wants to keep the connection.
const usualPace: Pace = { silenceMillis: 30_000, leastBytes: 32 * 1024 }

/** Counts how long a sender was waited for, and what came of it. The time in which nobody asked for more is not the sender's. */
const makePaceWatch = ({ silenceMillis, leastBytes }: Pace) => {
  let waited = 0
  let bytes = 0
  return (millis: number, came: number): boolean => {
    waited += millis
    bytes += came
    if (waited < silenceMillis) return true
    const isQuickEnough = bytes >= leastBytes
    waited = 0
    bytes = 0
    return isQuickEnough
  }
}

const slow = () => new Error("The file comes too slowly.")

/**
 * Gives the memory of a piece back at once. The garbage of a large file would add up to 64 MB before the collector looks. A piece that
 * shares its memory with others is left to the collector.
 */
const release = ({ buffer, byteLength }: Buffer) => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** From Node's own stream. Leaving it early does not end the connection, so that an answer can still be sent. */
const fromNode = async function* (message: IncomingMessage, pace: Pace): AsyncGenerator<Uint8Array> {
  if (message.destroyed) throw new Error("The sender is gone.")
  const watch = makePaceWatch(pace)
  const pieces = message.iterator({ destroyOnReturn: false })
  // A later error without a listener would end the process.
  message.on("error", () => {})
  try {
    for (;;) {
      const from = performance.now()
      const silence = setTimeout(() => message.destroy(slow()), pace.silenceMillis)
      const piece = await pieces.next().finally(() => clearTimeout(silence))
      if (piece.done === true) break
      const { length } = piece.value as Buffer
      if (!watch(performance.now() - from, length)) throw message.destroy(slow()).errored
      yield piece.value
      release(piece.value as Buffer)
    }
    if (!message.complete) throw new Error("The sender is gone.")
  } finally {
    await pieces.return?.()
    // What is left is read and dropped for a moment: a client that is blocked on sending would not read its answer.
    message.resume()
  }
}

/** The body of a request, piece by piece as it comes. A piece is gone when the next one is asked for. It fails where the sender hangs up, or is slower than `pace`. */
export const readFileBody = (request: ServerRequest, pace = usualPace): AsyncIterable<Uint8Array> => {
  const node = request.runtime?.node?.req
  if (node !== undefined) return fromNode(node as IncomingMessage, pace)
  return request.body ?? (async function* () {})()
}

/** The length that a request announces; null where it does not. */
export const readLength = ({ headers }: ServerRequest): number | null => {
  const text = headers.get("content-length")
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null
}
