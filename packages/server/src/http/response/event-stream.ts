import type { LiveEvent, LiveStream } from "@hearth/core/live"
import type { Answer } from "./answers.ts"

/** The content type of server-sent events. */
export const eventStreamType = "text/event-stream"

// How long a client waits before it connects again.
const retryLine = "retry: 2000\n\n"

// A connection that takes nothing keeps what was sent to it. So long it may take the last of it.
const lingerMillis = 5_000

/** An event as it is sent. JSON has no line breaks. A sign of life is a comment, and says how far the stream is. */
const writeEvent = ({ name, data, id }: LiveEvent): string => {
  const idLine = id === null ? "" : `id: ${id}\n`
  return name === null ? `:\n${idLine}\n` : `event: ${name}\n${idLine}data: ${data}\n\n`
}

const readFrom = (stream: LiveStream): ReadableStream<Uint8Array> => {
  let isFirst = true
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const events = await stream.next()
    if (events === null) return controller.close()
    const text = events.map(writeEvent).join("")
    controller.enqueue(Buffer.from(isFirst ? retryLine + text : text))
    isFirst = false
  }
  return new ReadableStream({ pull, cancel: () => stream.close() }, { highWaterMark: 0 })
}

/** 200 with server-sent events, for as long as the client listens and may. Nothing on the way may hold them back. */
export const eventStream: Answer<LiveStream> = {
  statuses: [200],
  schema: null,
  types: [eventStreamType],
  paged: false,
  redirects: false,
  write: (stream, _, continuation) => {
    if (continuation !== undefined) {
      stream.guard(continuation.checkRight)
      stream.onCut(() => setTimeout(continuation.cut, lingerMillis).unref())
      continuation.leaveLoad()
    }
    const headers = { "x-accel-buffering": "no" }
    const body = readFrom(stream)
    return { status: 200, download: { content_type: eventStreamType, headers, body, neverFails: true } }
  },
}
