import { checkSmtp, inspectRedis, nameInRedis, openQueue, type RedisReport } from "@hearth/adapters"
import { Effect, Option } from "effect"
import type { ServerConfig } from "../../config.ts"
import { type Finding, failed, failedBy, ok, warning } from "./finding.ts"

const oldestRedis = [6, 2]

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [leastMajor = 0, leastMinor = 0] = oldestRedis
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

/** What there is to say about a Redis. */
export const judgeRedis = ({ version, evictionPolicy, persists, refusal }: RedisReport): Finding => {
  if (isOld(version))
    return failed("redis", `Redis ${version} is too old for the queue.`, `Use Redis ${oldestRedis.join(".")} or later.`)
  if (refusal !== null)
    return failed(
      "redis",
      `Redis ${version} answers, but takes no writes: ${refusal}`,
      "Give it more memory or disk, or have REDIS_URL name the primary where it names a replica.",
    )
  if (evictionPolicy !== null && evictionPolicy !== "noeviction")
    return warning(
      "redis",
      `Redis ${version} forgets keys when its memory is full (maxmemory-policy ${evictionPolicy}), those of the queue too.`,
      "Run: redis-cli config set maxmemory-policy noeviction, and put it into redis.conf.",
    )
  return persists === false
    ? ok(
        "redis",
        `Redis ${version} keeps nothing on a disk: after its restart workers find their work in PostgreSQL within 30 s.`,
      )
    : ok("redis", `Redis ${version} answers, and evicts nothing.`)
}

const checkRedis = async (url: string): Promise<Finding> => {
  try {
    return judgeRedis(await inspectRedis(url))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failedBy(
      "redis",
      new Error(`The Redis of REDIS_URL cannot be used: ${reason.replace(/\.$/, "")}.`),
      "Start it, or correct REDIS_URL; without REDIS_URL the queue is in PostgreSQL.",
    )
  }
}

// A run that is due waits for a free worker; this long it waits only where none is.
const lateSeconds = 60

const findQueue = async ({ redisUrl, databaseUrl }: ServerConfig, controlUrl: string) => {
  if (redisUrl === null) return { databaseUrl: controlUrl }
  return { redisUrl, ...(databaseUrl === null ? { name: await nameInRedis(controlUrl) } : {}) }
}

const checkQueue = async (config: ServerConfig, controlUrl: string): Promise<Finding> => {
  const unanswered = failed(
    "queue",
    "The queue does not answer.",
    "See the line about PostgreSQL or Redis: the queue is there.",
  )
  const queue = await findQueue(config, controlUrl)
    .then((options) => openQueue(options))
    .catch(() => null)
  if (queue === null) return unanswered
  try {
    const backlog = Option.getOrNull(await Effect.runPromise(Effect.option(queue.runner.backlog())))
    if (backlog === null) return unanswered
    const { waiting, oldest_seconds } = backlog
    return oldest_seconds > lateSeconds
      ? warning(
          "queue",
          `${waiting} runs wait, the oldest for ${Math.round(oldest_seconds)} s.`,
          config.databaseUrl === null ? "Start the server: hearth start." : "Start another worker: hearth worker.",
        )
      : ok("queue", `The queue answers; ${waiting} runs wait.`)
  } finally {
    await Effect.runPromise(queue.close())
  }
}

const checkMail = async ({ mail, databaseUrl }: ServerConfig): Promise<Finding> => {
  if (mail.smtpUrl === null)
    return databaseUrl === null
      ? ok("mail", "SMTP_URL is not set: mails are kept in memory, to be seen at /dev.")
      : warning("mail", "SMTP_URL is not set: no mail is sent, and magic links reach nobody.", "Set SMTP_URL.")
  const reason = await checkSmtp(mail.smtpUrl)
  return reason === null
    ? ok("mail", "The mail server lets us in.")
    : failed("mail", `The mail server of SMTP_URL cannot be used: ${reason}.`, "Correct SMTP_URL, or start the server.")
}

/** Redis, where there is one, the queue, where there is a control database, and mail. */
export const checkBacking = async (config: ServerConfig, controlUrl: string | null): Promise<ReadonlyArray<Finding>> =>
  Promise.all([
    ...(config.redisUrl === null ? [] : [checkRedis(config.redisUrl)]),
    ...(controlUrl === null ? [] : [checkQueue(config, controlUrl)]),
    checkMail(config),
  ])
