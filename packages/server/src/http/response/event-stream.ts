import type { LiveEvent, LiveStream } from "@hearth/core/live"
import type { Answer, Piped } from "./answers.ts"

/** The content type of server-sent events. */
export const eventStreamType = "text/event-stream"

// How long a client waits before it connects again.
const retryLine = "retry: 2000\n\n"

/** An event as it is sent. JSON has no line breaks. A sign of life is a comment, and says how far the stream is. */
const writeEvent = ({ name, data, id }: LiveEvent): string => {
  const idLine = id === null ? "" : `id: ${id}\n`
  return name === null ? `:\n${idLine}\n` : `event: ${name}\n${idLine}data: ${data}\n\n`
}

/**
 * Sends what comes to Node's answer itself: through a web stream each listener would cost several KB more. What the connection does
 * not take waits in the stream, where it is bounded.
 */
const pipeFrom = (stream: LiveStream): Piped => ({
  pipe: (answer) => {
    let head = retryLine
    const send = (events: ReadonlyArray<LiveEvent> | null) => {
      if (answer.destroyed) return
      if (events === null) {
        answer.end()
        return
      }
      const text = head + events.map(writeEvent).join("")
      head = ""
      if (answer.write(text)) take()
      else answer.once("drain", take)
    }
    const take = () => void stream.next().then(send)
    answer.on("close", stream.close)
    answer.on("error", stream.close)
    take()
  },
  destroy: stream.close,
})

/**
 * The answer of `eventStream`. A connection that takes nothing keeps what was sent to it: for `lingerMillis` a reader who was too slow
 * may take the last of it.
 */
export const makeEventStream = (lingerMillis: number): Answer<LiveStream> => ({
  statuses: [200],
  schema: null,
  types: [eventStreamType],
  paged: false,
  redirects: false,
  write: (stream, _, continuation) => {
    if (continuation !== undefined) {
      const { checkRight, cut, leaveLoad } = continuation
      stream.guard(checkRight)
      stream.onCut(() => setTimeout(cut, lingerMillis).unref())
      leaveLoad()
    }
    const headers = { "x-accel-buffering": "no" }
    return { status: 200, piped: { content_type: eventStreamType, headers, body: pipeFrom(stream) } }
  },
})

/** 200 with server-sent events, for as long as the client listens and may. Nothing on the way may hold them back. */
export const eventStream = makeEventStream(5_000)
