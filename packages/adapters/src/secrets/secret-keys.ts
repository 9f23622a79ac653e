import { createHash, createSecretKey, type KeyObject, randomBytes } from "node:crypto"
import { Data, Effect } from "effect"

/** The secret keys cannot be used. `message` says which one and why; it never repeats what a key holds. */
export class InvalidSecretKeys extends Data.TaggedError("InvalidSecretKeys")<{ readonly message: string }> {}

/** A key of AES-256, and the name that sealed texts have for it. */
export interface SecretKey {
  readonly fingerprint: string
  readonly key: KeyObject
}

/** The keys that seal and open secrets at rest. The first seals, all of them open. */
export type SecretKeys = readonly [SecretKey, ...ReadonlyArray<SecretKey>]

/** 32 bytes in base64 or base64url, with or without padding, the unused bits of the last character zero. */
const bytes32 = /^[\w+/-]{42}[AEIMQUYcgkosw048]=?$/

// Nobody rotates that often; a longer list is a mistake.
const mostKeys = 20

const fingerprintLength = 12

const fingerprint = (key: Buffer) =>
  createHash("sha256").update("hearth secrets key\0").update(key).digest("hex").slice(0, fingerprintLength)

/** What is wrong with a list of keys, as the end of a sentence; null where nothing is. */
export const findKeyProblem = (list: string): string | null => {
  const keys = split(list)
  if (keys.length === 0) return "must have at least one key"
  if (keys.length > mostKeys) return `must have at most ${mostKeys} keys`
  const wrong = keys.findIndex((key) => !bytes32.test(key))
  if (wrong >= 0) return `must be keys of 32 bytes in base64 with commas between: key ${wrong + 1} is none`
  const decoded = keys.map((key) => Buffer.from(key, "base64").toString("hex"))
  const repeated = decoded.findIndex((key, at) => decoded.indexOf(key) < at)
  return repeated < 0 ? null : `must not repeat a key: key ${repeated + 1} is there already`
}

/** Reads a list of keys: 32 bytes each in base64, with commas between, the one that seals first. */
export const loadSecretKeys = (list: string): Effect.Effect<SecretKeys, InvalidSecretKeys> =>
  Effect.suspend(() => {
    const problem = findKeyProblem(list)
    const [first, ...others] = problem === null ? split(list).map(readKey) : []
    return first === undefined
      ? Effect.fail(new InvalidSecretKeys({ message: `The list of secret keys ${problem}.` }))
      : Effect.succeed([first, ...others])
  })

/** A new key, as text for `SECRETS_KEY` or a file. */
export const generateSecretKey = (): string => randomBytes(32).toString("base64")

const split = (list: string): ReadonlyArray<string> =>
  list
    .split(/[,\n]/)
    .map((key) => key.trim())
    .filter((key) => key !== "")

const readKey = (text: string): SecretKey => {
  const bytes = Buffer.from(text, "base64")
  return { fingerprint: fingerprint(bytes), key: createSecretKey(bytes) }
}
