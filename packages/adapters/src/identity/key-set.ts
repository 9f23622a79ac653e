import { createPublicKey, type KeyObject } from "node:crypto"

/** The keys that a provider published, and how long it lets them be kept. */
export interface KeySet {
  /** RSA keys of at least 2048 bits for RS256, by `kid`. Never empty. */
  readonly keys: ReadonlyMap<string, KeyObject>
  readonly maxAgeMillis: number
}

/** How a key set is fetched. */
export interface KeySetFetch {
  readonly fetch: typeof globalThis.fetch
  /** For the whole answer, to its last byte. */
  readonly timeoutMillis: number
}

/** Providers publish a few kilobytes. */
const MAX_BYTES = 256 * 1024

const MINUTE = 60_000
const DEFAULT_MAX_AGE = 60 * MINUTE
const SHORTEST_MAX_AGE = 5 * MINUTE
const LONGEST_MAX_AGE = 24 * 60 * MINUTE

const MIN_MODULUS_BITS = 2048

/** Fetches a JSON Web Key Set. Rejects when there is no answer in time, or one that has no usable key in it. */
export const fetchKeySet = async (url: string, { fetch, timeoutMillis }: KeySetFetch): Promise<KeySet> => {
  const response = await fetch(url, {
    headers: { accept: "application/json, application/jwk-set+json" },
    // After a redirect another server than the configured one would choose the keys.
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMillis),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The answer has the status ${response.status}.`)
  }
  const keys = keysOf(JSON.parse(await bodyOf(response)))
  if (keys.size === 0) throw new Error("The answer has no RSA key of at least 2048 bits for RS256.")
  return { keys, maxAgeMillis: maxAgeOf(response.headers.get("cache-control") ?? "") }
}

const bodyOf = async (response: Response): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error(`The answer is longer than ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

const maxAgeOf = (cacheControl: string): number => {
  const [, seconds] = /max-age\s*=\s*"?(\d+)/i.exec(cacheControl) ?? []
  if (seconds === undefined) return DEFAULT_MAX_AGE
  return Math.min(Math.max(Number(seconds) * 1000, SHORTEST_MAX_AGE), LONGEST_MAX_AGE)
}

const keysOf = (set: unknown): ReadonlyMap<string, KeyObject> => {
  const keys = new Map<string, KeyObject>()
  const entries: unknown = isRecord(set) ? set["keys"] : undefined
  for (const entry of Array.isArray(entries) ? entries : []) {
    const key = isRecord(entry) ? keyOf(entry) : undefined
    if (key !== undefined) keys.set(...key)
  }
  return keys
}

/** A key for another use or of another type is left out, and the tokens signed with it are refused. */
const keyOf = (jwk: Readonly<Record<string, unknown>>): readonly [string, KeyObject] | undefined => {
  const { kty, kid, alg, use, key_ops, n, e, d } = jwk
  if (kty !== "RSA" || typeof kid !== "string" || kid === "") return undefined
  if ((alg ?? "RS256") !== "RS256" || (use ?? "sig") !== "sig") return undefined
  if (key_ops !== undefined && !(Array.isArray(key_ops) && key_ops.includes("verify"))) return undefined
  // A published private key can be used by anybody.
  if (d !== undefined || typeof n !== "string" || typeof e !== "string") return undefined
  const key = publicKey(n, e)
  return key !== undefined && isStrong(key) ? [kid, key] : undefined
}

const publicKey = (n: string, e: string): KeyObject | undefined => {
  try {
    return createPublicKey({ key: { kty: "RSA", n, e }, format: "jwk" })
  } catch {
    return undefined
  }
}

/** With the exponent 1 anybody can write a signature. */
const isStrong = ({ asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {} }: KeyObject) =>
  modulusLength >= MIN_MODULUS_BITS && publicExponent > 1n

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null
