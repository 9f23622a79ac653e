import { type Job, Queue, Worker } from "bullmq"
import { Redis } from "ioredis"
import { commonOptions, type RunData } from "./job.ts"
import type { Link } from "./link.ts"
import { type QueueLog, reasonOf } from "./log.ts"
import { waitAtMost } from "./wait-at-most.ts"

// The braces keep all keys of the queue in one slot of a Redis cluster.
const PREFIX = "{hearth}"

const BOOT_MILLIS = 2_000
const RECONNECT_MILLIS = 1_000
const KEEP_ALIVE_MILLIS = 10_000
const PROBE_MILLIS = 60_000

/** How long Redis may take. */
export interface RedisTimes {
  /** How long a call waits for all of its commands; one of them waits for a little more than half of that. */
  readonly answerMillis: number
  /** After so long without an answer a connection is taken for dead, and made anew: a proxy may keep one open that leads nowhere. */
  readonly silentMillis?: number
}

const SILENT_MILLIS = 10_000
// A worker asks for the next run for up to ten seconds at a time.
const WORKER_SILENT_MILLIS = 30_000

// Not what passes, such as LOADING, or what the line about the connection tells, such as NOAUTH.
const isWithoutDatabase = (error: Error & { readonly command?: { readonly name: string } }): boolean =>
  error.command?.name === "select" && error.message.startsWith("ERR ")

/**
 * A queue in Redis. Resolves once Redis is there, or after two seconds without it. Rejects where Redis has not the database of `url`: the
 * client only tells, and goes on with the first one, where another installation may have its queue.
 */
export const redisLink = async (
  url: string,
  name: string,
  log: QueueLog,
  { answerMillis, silentMillis = SILENT_MILLIS }: RedisTimes,
): Promise<Link> => {
  // Every command fails at once while there is no connection, and after a second, as a rule, when there is no answer.
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 1_000,
    commandTimeout: Math.ceil(answerMillis * 0.55),
    socketTimeout: silentMillis,
  })
  let isMisled = false
  redis.on("error", (error) => {
    isMisled ||= isWithoutDatabase(error)
    log("The queue's Redis cannot be reached.", { error: reasonOf(error) })
  })
  redis.on("ready", () => warnOfEviction(redis, log))
  await waitAtMost(BOOT_MILLIS, new Promise((resolve) => redis.once("ready", resolve)))
  if (isMisled) {
    redis.disconnect()
    throw new Error(
      `Redis has no database ${redis.options.db}: name another one in REDIS_URL, or raise its "databases".`,
    )
  }

  // Without the version check: it asks Redis while the queue is made, and a failure then is permanent.
  const options = { ...commonOptions, prefix: PREFIX }
  const queue = new Queue<RunData>(name, {
    ...options,
    connection: redis,
    skipVersionCheck: true,
    skipWaitingForReady: true,
  })
  queue.on("error", (error) => log("The queue reported an error.", { error: reasonOf(error) }))

  return {
    queue: async () => queue,
    dropFollowUp: (key) => redis.del(`${PREFIX}:${name}:dn:${key}`),
    backlog: async (now) => {
      const [waiting, delayed, [first], [next]] = await Promise.all([
        queue.getWaitingCount(),
        queue.getDelayedCount(now + 1),
        queue.getWaiting(0, 0),
        queue.getDelayed(0, 0),
      ])
      const due = [first, delayed > 0 ? next : undefined].filter((job) => job !== undefined).map(dueAt)
      return { waiting: waiting + delayed, oldestDueAt: due.length === 0 ? null : Math.min(...due) }
    },
    // A write: one that is full, or a replica, answers too, and takes no work.
    ping: () => redis.set(`${PREFIX}:${name}:probe`, "", "PX", PROBE_MILLIS),
    worker: async (process, settings) => {
      let abandoned = false
      const worker = new Worker<RunData, void>(name, process, {
        ...options,
        ...settings,
        autorun: false,
        runRetryDelay: RECONNECT_MILLIS,
        connection: {
          url,
          maxRetriesPerRequest: null,
          keepAlive: KEEP_ALIVE_MILLIS,
          socketTimeout: WORKER_SILENT_MILLIS,
          retryStrategy: () => (abandoned ? null : RECONNECT_MILLIS),
        },
      })
      const abandon = () => {
        abandoned = true
      }
      return Object.assign(worker, { abandon })
    },
    close: async () => {
      await waitAtMost(BOOT_MILLIS, queue.close())
      redis.disconnect()
    },
  }
}

// A retried run counts as due since its last try began: Redis does not keep the exact time.
const dueAt = (job: Job): number => Math.max(job.timestamp + (job.opts.delay ?? 0), job.processedOn ?? 0)

const warnOfEviction = async (redis: Redis, log: QueueLog): Promise<void> => {
  const memory = await redis.info("memory").catch(() => "")
  const policy = /^maxmemory_policy:(.+?)\r?$/m.exec(memory)?.[1]
  if (policy !== undefined && policy !== "noeviction")
    log('Redis may throw background work away: its maxmemory-policy must be "noeviction".', { policy })
}
