import { HearthError } from "../error.ts"
import { backoffMillis } from "../transport.ts"
import { correct, type OnError, type Queue, type Waiting } from "./queue.ts"

interface SenderOptions {
  readonly queue: Queue
  /** Who is signed in. */
  readonly findUser: () => Promise<string | null>
  /** Sends events as this user; rejects when it is not the one who is signed in. */
  readonly post: (events: ReadonlyArray<Waiting>, user: string) => Promise<void>
  /** By how much the clock of the device is to be corrected, as far as is known. */
  readonly skew: () => number
  /** The same, from the service where it is not known. */
  readonly learnSkew: () => Promise<number>
  readonly onError: OnError
  readonly batchSize: number
  readonly interval: number
}

// The service takes up to 100 events of 2 MB; smaller ones get through slow networks.
const mostEvents = 100
const mostBytes = 256 * 1024
const firstRetryMillis = 1_000
const lastRetryMillis = 5 * 60_000
/** What a clock may be wrong by without being corrected: an answer tells the time in whole seconds, and late. */
export const leastSkewMillis = 60_000

/** Whether the service has read the events and takes them never. */
const isAboutEvents = ({ status, code }: HearthError): boolean =>
  (status === 400 || status === 413 || status === 422) && code !== "UNKNOWN_ANSWER"

/** Whether a proxy refuses the body, that takes less than the service: smaller ones may get through. */
const isTooLargeForProxy = ({ status, code }: HearthError): boolean => status === 413 && code === "UNKNOWN_ANSWER"

/** Without a network, or with a service that is busy, trying again helps by itself. A success that is not the service's is no network. */
const isPassing = ({ status }: HearthError): boolean => status < 400 || status === 429 || status >= 500

interface Details {
  readonly index?: unknown
  readonly issues?: ReadonlyArray<{
    readonly path?: unknown
    readonly code?: unknown
    readonly message?: unknown
  } | null>
}

/** What is wrong with which event of a batch, by its index; empty where the service does not say. */
const errorsIn = (error: HearthError): ReadonlyMap<number, HearthError> => {
  const { status, requestId } = error
  const { index, issues } = (error.details ?? {}) as Details
  const found = new Map<number, HearthError>()
  for (const each of Array.isArray(issues) ? issues : []) {
    const [, at, key = "The event"] = /^events\.(\d+)(?:\.(.+))?$/.exec(String(each?.path)) ?? []
    // The first fault of an event is what it is refused for, as it would be alone.
    if (typeof each?.code !== "string" || at === undefined || found.has(Number(at))) continue
    found.set(Number(at), new HearthError(each.code, `${key} ${each.message}.`, { status, requestId }))
  }
  if (typeof index === "number" && !found.has(index)) found.set(index, error)
  return found
}

/** Sends what waits: in batches, again where it failed, and without what is refused. */
export const makeSender = (options: SenderOptions) => {
  const { queue, findUser, post, skew, learnSkew, onError, batchSize, interval } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRetry = false
  let failures = 0
  let notBefore = 0
  let running: Promise<void> | undefined
  let isClosed = false

  const disarm = () => {
    clearTimeout(timer)
    timer = undefined
  }

  const arm = (millis: number, retries: boolean): void => {
    if (isClosed) return
    disarm()
    isRetry = retries
    timer = setTimeout(() => {
      timer = undefined
      void drain().catch(() => {})
    }, millis)
    // A program without anything else to do need not live on for a service that is away.
    if (retries) (timer as unknown as { unref?: () => void }).unref?.()
  }

  /** An event that is refused is sent once more where only the clock of the device was wrong; else it is set aside. */
  const judge = (one: Waiting, error: HearthError): void => {
    const difference = skew() - one.skew
    if (error.code === "INVALID_OCCURRED_AT" && Math.abs(difference) >= leastSkewMillis) {
      queue.replace(one, correct(one, skew()))
      return
    }
    queue.remove([one])
    onError(error, one.event)
  }

  /** A batch is taken as a whole or not at all, so that one bad event must not keep the others back. */
  const sendBatch = async (batch: ReadonlyArray<Waiting>, user: string): Promise<void> => {
    try {
      await post(batch, user)
      queue.remove(batch)
    } catch (error) {
      if (!(error instanceof HearthError)) throw error
      if (isTooLargeForProxy(error) && batch.length > 1) return sendHalves(batch, user)
      const [only] = batch
      if (only === undefined || !isAboutEvents(error)) throw error
      if (batch.length === 1) return judge(only, error)
      const errors = errorsIn(error)
      const bad = batch.flatMap((one, index) =>
        errors.has(index) ? [{ one, reason: errors.get(index) ?? error }] : [],
      )
      if (bad.length > 0) {
        for (const { one, reason } of bad) judge(one, reason)
        return
      }
      await sendHalves(batch, user)
    }
  }

  /** An event that no proxy lets through is kept, and keeps none of the others back. */
  const sendHalves = async (batch: ReadonlyArray<Waiting>, user: string): Promise<void> => {
    const half = Math.ceil(batch.length / 2)
    let kept: unknown
    try {
      await sendBatch(batch.slice(0, half), user)
    } catch (error) {
      if (!(error instanceof HearthError) || !isTooLargeForProxy(error)) throw error
      kept = error
    }
    await sendBatch(batch.slice(half), user)
    if (kept !== undefined) throw kept
  }

  const sendAll = async (): Promise<void> => {
    for (;;) {
      const user = await findUser()
      // What was accepted with a wrong time counts for a wrong day.
      if (user !== null && queue.isUntimed()) queue.setTime(await learnSkew())
      const batch = user === null ? [] : queue.take(user, mostEvents, mostBytes)
      if (user === null || batch.length === 0) return
      await sendBatch(batch, user)
      failures = 0
      notBefore = 0
    }
  }

  const fail = (error: unknown): void => {
    failures++
    const known = error instanceof HearthError ? error : null
    if (known !== null && !isPassing(known)) onError(known)
    const retryAfter = known?.retryAfter ?? null
    // A try that met no network does not take back what the service asked for before.
    if (retryAfter !== null) notBefore = Date.now() + retryAfter * 1000
    arm(backoffMillis(failures, (notBefore - Date.now()) / 1000, firstRetryMillis, lastRetryMillis), true)
  }

  const drain = (): Promise<void> => {
    running ??= (async () => {
      disarm()
      try {
        await sendAll()
        failures = 0
      } catch (error) {
        fail(error)
        throw error
      } finally {
        running = undefined
      }
    })()
    return running
  }

  /** Something was added. */
  const notice = (count: number): void => {
    if (failures > 0) return
    if (count >= batchSize) arm(0, false)
    else if (timer === undefined || isRetry) arm(interval, false)
  }

  /** Tries at once what has failed, because the network may be back; not before the service wants it. */
  const wake = (): void => {
    if (failures > 0 && Date.now() >= notBefore) void drain().catch(() => {})
  }

  return {
    notice,
    wake,

    /** Somebody has signed in, for whom so many wait. What failed for the one before is none of theirs. */
    welcome: (count: number): void => {
      wake()
      if (count > 0) notice(count)
    },

    /** Resolves when everything of who is signed in has arrived or was set aside. */
    flush: async (): Promise<void> => {
      for (;;) {
        await drain()
        const user = await findUser()
        if (user === null || queue.count(user) === 0) return
      }
    },

    close: (): void => {
      isClosed = true
      disarm()
    },
  }
}
