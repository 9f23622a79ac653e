import { isIP } from "node:net"
import { Schema, SchemaGetter } from "effect"
import { logFormats, logLevels } from "../system/log.ts"
import { choice, hiding, optional, withDefault } from "./settings.ts"

const url = (...schemes: ReadonlyArray<string>) =>
  Schema.String.check(
    Schema.makeFilter(
      (value: string) =>
        (URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1))) ||
        `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
    ),
  )

const isEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

// The driver checks the certificate in all of these modes, and prints a warning at each start that a later one will not. It shall go on to.
const spellOutTls = (value: string): string =>
  /[?&]uselibpqcompat=true(&|#|$)/.test(value)
    ? value
    : value.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/g, "$1verify-full")

const DatabaseUrl = url("postgres", "postgresql")
  .check(
    Schema.makeFilter(
      (value: string) =>
        isEncoded(URL.parse(value)?.pathname ?? "") ||
        "must have special characters in the name of the database percent-encoded",
    ),
  )
  .pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform((value: string) => spellOutTls(value)),
      encode: SchemaGetter.transform((value: string) => value),
    }),
  )

// What its client would throw over, without a word about the setting. What is no URL is refused for that.
const RedisUrl = url("redis", "rediss").check(
  Schema.makeFilter((value: string) => {
    const parsed = URL.parse(value)
    if (parsed === null) return true
    if (!isEncoded(parsed.username) || !isEncoded(parsed.password))
      return "must have special characters of user and password percent-encoded"
    return (
      (/^(\/|\/\d+\/?)?$/.test(parsed.pathname) && /^\d*$/.test(parsed.searchParams.get("db") ?? "")) ||
      "must have nothing behind the host but the number of a database, as in redis://redis.example:6379/1"
    )
  }),
)

/** An `http` or `https` address. */
export const WebAddress = url("http", "https")

// What is no URL is refused for that.
const isBase = (value: string): boolean => {
  const parsed = URL.parse(value)
  return parsed === null || (parsed.username === "" && parsed.password === "" && !/[?#]/.test(value))
}

/** An `http` or `https` address that paths are put behind: without a slash at the end. */
export const BaseAddress = WebAddress.check(
  Schema.makeFilter((value: string) => isBase(value) || "must be a URL without a user, a query and a fragment"),
).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((value: string) => value.replace(/\/+$/, "")),
    encode: SchemaGetter.transform((value: string) => value),
  }),
)

/** A whole number in digits, from `least` to `most`. `sentence` says so where it is none. */
export const wholeNumber = (least: number, most: number, sentence: string) =>
  Schema.String.check(
    Schema.makeFilter(
      (value: string) => (/^\d{1,16}$/.test(value) && Number(value) >= least && Number(value) <= most) || sentence,
    ),
  ).pipe(
    Schema.decodeTo(Schema.Int, {
      decode: SchemaGetter.transform((value: string) => Number(value)),
      encode: SchemaGetter.transform((value: number) => String(value)),
    }),
  )

/** A TCP port; 0 is any that is free. */
export const Port = wholeNumber(0, 65_535, "must be a port, 0 to 65535")

const label = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
// The last part of a name is no number: that would be an address.
const hostName = new RegExp(`^(${label}\\.)*(?!\\d+\\.?$)${label}\\.?$`, "i")

/** What can be listened on: an address of a machine, or its name. */
const Host = Schema.String.check(
  Schema.makeFilter(
    (value: string) =>
      isIP(value) !== 0 ||
      (value.length <= 254 && hostName.test(value)) ||
      "must be an IP address or the name of a host, without a port",
  ),
)

/** The settings that server and worker share [F1, F2]. */
export const backingSettings = {
  HOST: withDefault("The address that the API listens on, and a worker's WORKER_PORT.", Host, "127.0.0.1"),
  DATABASE_URL: hiding(
    "password",
    optional(
      "The PostgreSQL server. Without it the service starts its own in DATA_DIR.",
      DatabaseUrl,
      "postgres://user:password@db.example:5432/hearth",
    ),
  ),
  REDIS_URL: hiding(
    "password",
    optional(
      "The Redis server for the queue and the rate limits. Without it both live in PostgreSQL; the limits of an embedded service in its process.",
      RedisUrl,
      "redis://redis.example:6379",
    ),
  ),
  LOG_LEVEL: withDefault(`How much is logged: ${logLevels.join(", ")}.`, choice(logLevels), "info"),
  LOG_FORMAT: optional(
    `How the log is written: ${logFormats.join(" or ")}. Text on a terminal and JSON elsewhere, where it is left out.`,
    choice(logFormats),
    "json",
  ),
}
