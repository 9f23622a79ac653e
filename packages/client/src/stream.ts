import type { AdminPaths, Api } from "./api.ts"
import { HearthError } from "./error.ts"
import { surroundings } from "./surroundings.ts"
import { backoffMillis } from "./transport.ts"

/** An event of a stream. */
export interface StreamEvent {
  /** What it is: `message`, `xp`, `batch`, …; `reset` where something may be missing, so that lists have to be read again. */
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: what it holds depends on its type.
  readonly data: any
}

/** How a stream is listened to. */
export interface StreamOptions {
  /** An event for which it throws comes again, later each time; `onConnection` is told `LISTENER_FAILED`. */
  readonly onEvent: (event: StreamEvent) => void
  /**
   * Called when it ends for good, because the service refuses it, or at once with `NO_STREAMS` where the platform has none. Whatever else
   * goes wrong, it connects again.
   */
  readonly onRefused?: (error: HearthError) => void
  /**
   * Told `true` once the service sends, and `false` when that breaks off, or cannot be for now, with the reason where there is one:
   * it tries again. Nothing is told once it was stopped.
   */
  readonly onConnection?: (isConnected: boolean, reason?: HearthError) => void
  /** How many milliseconds are waited between two tries at most; 30,000 where left out. More only where the service says so. */
  readonly longestPause?: number
}

/** Opens a stream after an event; the first time after none. */
type Connect = (headers: Readonly<Record<string, string>>) => Promise<ReadableStream<Uint8Array> | null>

// The service gives a sign of life every 15 seconds.
const silentMillis = 40_000

const isFinal = ({ status }: HearthError): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429

/** The fields of a block of lines that say something. */
const readBlock = (block: string) => {
  const fields: Record<string, string> = {}
  for (const line of block.split("\n")) {
    const at = line.indexOf(": ")
    if (at > 0) fields[line.slice(0, at)] = line.slice(at + 2)
  }
  return fields
}

/**
 * Listens to a stream, again and again where it breaks off, from where it was. Answers how to stop. Throws a `TypeError` where `onEvent` is no
 * function.
 */
export const listenToStream = (
  connect: Connect,
  { onEvent, onRefused, onConnection, longestPause = 30_000 }: StreamOptions,
): (() => void) => {
  if (typeof onEvent !== "function") throw new TypeError("onEvent must be a function that is told of each event.")
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let isClosed = false
  let isConnected = false
  let lastId = ""
  let failures = 0
  /** How often `onEvent` has thrown in a row: the answer begins well each time. */
  let thrown = 0
  let wake = () => {}

  const tell = (now: boolean, reason?: HearthError) => {
    if (isClosed || (now === isConnected && reason === undefined)) return
    isConnected = now
    onConnection?.(now, reason)
  }
  const take = (block: string) => {
    const { event, data, id } = readBlock(block)
    // Its beginning only says how long to wait.
    if (event !== undefined && event !== "end") tell(true)
    if (event !== undefined && event !== "open" && event !== "end" && !isClosed) {
      const said = { type: event, data: JSON.parse(data ?? "{}") }
      try {
        onEvent(said)
      } catch (cause) {
        failures = thrown++
        throw new HearthError("LISTENER_FAILED", "onEvent has thrown; the event comes again.", { cause })
      }
      thrown = 0
    }
    // After the event, so that one that throws comes again.
    if (id !== undefined) lastId = id
    failures = 0
  }
  const listen = async () => {
    const body = await connect(lastId === "" ? {} : { "last-event-id": lastId })
    reader = body?.getReader()
    if (isClosed) return reader?.cancel()
    const decoder = new TextDecoder()
    let text = ""
    let timer: ReturnType<typeof setTimeout> | undefined
    const expect = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void reader?.cancel().catch(() => {}), silentMillis)
    }
    try {
      for (;;) {
        expect()
        const piece = await reader?.read()
        if (piece === undefined || piece.done) return
        const blocks = (text + decoder.decode(piece.value, { stream: true })).split("\n\n")
        text = blocks.pop() ?? ""
        blocks.forEach(take)
      }
    } finally {
      clearTimeout(timer)
    }
  }
  const run = async () => {
    // Such a fetch waits for the whole of an answer, and a stream has no end.
    if (surroundings().ReadableStream === undefined) {
      await null
      if (!isClosed) onRefused?.(new HearthError("NO_STREAMS", "The fetch of this platform cannot stream."))
      return
    }
    while (!isClosed) {
      let retryAfter: number | null = null
      try {
        await listen()
        tell(false)
      } catch (error) {
        void reader?.cancel().catch(() => {})
        const reason = error instanceof HearthError ? error : undefined
        if (reason !== undefined && isFinal(reason)) return isClosed ? undefined : onRefused?.(reason)
        retryAfter = reason?.retryAfter ?? null
        tell(false, reason)
      }
      failures++
      if (isClosed) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, backoffMillis(failures, retryAfter, 1_000, longestPause))
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  void run()
  return () => {
    isClosed = true
    wake()
    void reader?.cancel().catch(() => {})
  }
}

/** Which part of what is new in a project is wanted. */
export interface ProjectStreamOptions extends StreamOptions {
  readonly projectId: string
  readonly event_name?: string
  readonly user_id?: string
}

/** Listens to what is new in a project, with the client of a developer. Answers how to stop. */
export const listenToProject = (
  { api }: { readonly api: Api<AdminPaths> },
  { projectId, event_name, user_id, ...options }: ProjectStreamOptions,
): (() => void) =>
  listenToStream((headers) => {
    const query = { ...(event_name === undefined ? {} : { event_name }), ...(user_id === undefined ? {} : { user_id }) }
    return api.GET("/admin/projects/{projectId}/live", {
      params: { path: { projectId }, query },
      headers,
      parseAs: "stream",
    })
  }, options)
