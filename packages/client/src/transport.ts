import { HearthError, readError } from "./error.ts"

/** How calls are sent. */
export interface TransportOptions {
  readonly fetch?: typeof globalThis.fetch
  /** After how many milliseconds without an answer a call fails, or is tried again; 15,000 where left out. */
  readonly timeout?: number
  /** How often a call that may be repeated is tried again; 2 where left out. */
  readonly retries?: number
}

/** What is known of one call. */
export interface SendOptions {
  /** Whether it may be sent again when it is not known what became of it. */
  readonly repeatable: boolean
  /** Whether only JSON is a success, or nothing at all (204). A proxy or a network's own page may answer 200 to anything. */
  readonly wantsJson?: boolean
  /** Ends it. That of the request is not asked: in Node the signal of a copy forgets whom it follows once memory is collected. */
  readonly signal?: AbortSignal
}

/** Sends a request. Answers successes only; everything else is thrown as `HearthError`, an abort as the caller's reason. */
export type Send = (request: Request, options: SendOptions) => Promise<Response>

// A call is somebody waiting. What takes longer is thrown, with what the service has said in `retryAfter`.
const longestWaitMillis = 10_000

// Timers of more than 24.8 days fire at once, and a date is far away where the clock of the device is wrong. A try an hour is no load.
const longestPauseMillis = 3_600_000

/** How long to wait before another try: doubled each time, by chance up to half less, not less than the service says; an hour at most. */
export const backoffMillis = (failures: number, retryAfter: number | null, first: number, longest: number): number => {
  const own = Math.min(first * 2 ** (failures - 1), longest) * (1 - Math.random() / 2)
  return Math.min(Math.max(own, (retryAfter ?? 0) * 1000), longestPauseMillis)
}

const mayPass = ({ status }: HearthError): boolean => status === 0 || status === 429 || (status >= 502 && status <= 504)

const sleep = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, millis)
    signal?.addEventListener("abort", abort, { once: true })
  })

const isJson = ({ headers }: Response): boolean => headers.get("content-type")?.startsWith("application/json") === true

/** JSON is read while the call may still time out. Files are streams, which take as long as they take. */
const readJson = async (response: Response): Promise<Response> =>
  isJson(response) ? new Response(await response.text(), response) : response

/** Makes what sends requests, with a limit in time for each try. */
export const makeSend = (options: TransportOptions, onDate: (serverTime: number) => void): Send => {
  const { timeout = 15_000, retries = 2 } = options
  const fetch: typeof globalThis.fetch = options.fetch ?? ((...call) => globalThis.fetch(...call))

  const attempt = async (request: Request, { wantsJson = false, signal: caller }: SendOptions): Promise<Response> => {
    // Older platforms have neither AbortSignal.any nor AbortSignal.timeout.
    const controller = new AbortController()
    const abort = () => controller.abort()
    if (caller?.aborted) throw caller.reason
    caller?.addEventListener("abort", abort, { once: true })
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      controller.abort()
    }, timeout)
    try {
      const response = await fetch(request.clone(), { signal: controller.signal })
      const date = Date.parse(response.headers.get("date") ?? "")
      if (!Number.isNaN(date)) onDate(date)
      const isOther = wantsJson && response.status !== 204 && !isJson(response)
      if (!response.ok || isOther) throw await readError(response)
      return await readJson(response)
    } catch (cause) {
      if (caller?.aborted) throw caller.reason
      if (cause instanceof HearthError) throw cause
      throw isLate
        ? new HearthError("TIMEOUT", `There was no answer within ${timeout} ms.`, { cause })
        : new HearthError("NETWORK_ERROR", `The service cannot be reached at ${request.url.split("?")[0]}.`, { cause })
    } finally {
      clearTimeout(timer)
      caller?.removeEventListener("abort", abort)
    }
  }

  return async (request, sent) => {
    for (let failures = 1; ; failures++) {
      try {
        return await attempt(request, sent)
      } catch (error) {
        if (!(error instanceof HearthError) || !sent.repeatable || failures > retries || !mayPass(error)) throw error
        const wait = backoffMillis(failures, error.retryAfter, 300, 5_000)
        if (wait > longestWaitMillis) throw error
        await sleep(wait, sent.signal)
      }
    }
  }
}
