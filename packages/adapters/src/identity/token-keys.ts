import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from "node:crypto"
import { Data, Effect } from "effect"

/** The token keys cannot be used. `message` says which one and why; it never repeats what a key holds. */
export class InvalidTokenKeys extends Data.TaggedError("InvalidTokenKeys")<{ readonly message: string }> {}

/** One public key as it is published. */
export interface PublicTokenKey extends Readonly<Record<string, unknown>> {
  readonly kty: "OKP"
  readonly crv: "Ed25519"
  readonly x: string
  readonly kid: string
  readonly alg: "EdDSA"
  readonly use: "sig"
}

/** The keys that sign and verify tokens. The first signs, all of them verify: a key is rotated by putting a new one in front. */
export interface TokenKeys {
  readonly signing: { readonly kid: string; readonly privateKey: KeyObject }
  readonly verifying: ReadonlyMap<string, KeyObject>
  readonly published: ReadonlyArray<PublicTokenKey>
}

interface LoadedKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly published: PublicTokenKey
}

/** 32 bytes in base64url without padding, the unused bits of the last character zero. */
const BYTES_32 = /^[\w-]{42}[AEIMQUYcgkosw048]$/

/** Reads a JSON Web Key Set of private Ed25519 keys, for example from `JWT_KEYS`. A key without `kid` is named by its thumbprint. */
export const loadTokenKeys = Effect.fnUntraced(function* (json: string): Effect.fn.Return<TokenKeys, InvalidTokenKeys> {
  const keys = new Map<string, LoadedKey>()
  for (const [index, entry] of (yield* readEntries(json)).entries()) {
    const name = `Key ${index + 1}`
    const key = yield* loadKey(entry, name)
    if (keys.has(key.published.kid)) return yield* refuse(`${name} has the same kid as another key.`)
    keys.set(key.published.kid, key)
  }
  const [first, ...others] = keys.values()
  if (first === undefined) return yield* refuse("The token keys are empty: at least one key is needed to sign.")
  const all = [first, ...others]
  return {
    signing: { kid: first.published.kid, privateKey: first.privateKey },
    verifying: new Map(all.map(({ published, publicKey }) => [published.kid, publicKey])),
    published: all.map(({ published }) => published),
  }
})

/** What is wrong with a JSON Web Key Set of token keys, a sentence that never repeats what a key holds; null where nothing is. */
export const findTokenKeyProblem = (json: string): string | null =>
  Effect.runSync(Effect.match(loadTokenKeys(json), { onSuccess: () => null, onFailure: ({ message }) => message }))

/** A new JSON Web Key Set with one private Ed25519 key, as text for `JWT_KEYS` or a file. */
export const generateTokenKeys = (): string => {
  const { d, x } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
  const kid = thumbprint(x as string)
  return JSON.stringify({ keys: [{ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid, x, d }] })
}

const refuse = (message: string) => new InvalidTokenKeys({ message })

const readEntries = Effect.fnUntraced(function* (json: string) {
  // The parser's own message quotes the text, which holds private keys.
  const set: unknown = yield* Effect.try({
    try: () => JSON.parse(json),
    catch: () => refuse("The token keys are not JSON."),
  })
  const { keys } = isRecord(set) ? set : {}
  if (!Array.isArray(keys)) return yield* refuse('The token keys are not a JSON Web Key Set: {"keys": [...]}.')
  return keys as ReadonlyArray<unknown>
})

const loadKey = Effect.fnUntraced(function* (
  entry: unknown,
  name: string,
): Effect.fn.Return<LoadedKey, InvalidTokenKeys> {
  if (!isRecord(entry)) return yield* refuse(`${name} is not a JSON Web Key.`)
  const { kty, crv, alg, use, kid, x, d } = entry
  if (kty !== "OKP" || crv !== "Ed25519") return yield* refuse(`${name} is not an Ed25519 key (kty OKP, crv Ed25519).`)
  if (alg !== undefined && alg !== "EdDSA" && alg !== "Ed25519")
    return yield* refuse(`${name} has an alg that is not EdDSA.`)
  if (use !== undefined && use !== "sig") return yield* refuse(`${name} has a use that is not sig.`)
  if (kid !== undefined && (typeof kid !== "string" || kid === ""))
    return yield* refuse(`${name} has a kid that is no text.`)
  if (d === undefined) return yield* refuse(`${name} has no private part (d).`)
  if (!isBytes32(d)) return yield* refuse(`${name} has a private part (d) that is not 32 bytes in base64url.`)
  if (!isBytes32(x)) return yield* refuse(`${name} has a public part (x) that is not 32 bytes in base64url.`)
  const privateKey = createPrivateKey({ key: { kty, crv, x, d }, format: "jwk" })
  const publicKey = createPublicKey(privateKey)
  // Node derives the public key from d and ignores x.
  if (publicKey.export({ format: "jwk" }).x !== x) return yield* refuse(`${name} has a public part (x) of another key.`)
  const published = { kty, crv, x, kid: kid ?? thumbprint(x), alg: "EdDSA", use: "sig" } as const
  return { privateKey, publicKey, published }
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isBytes32 = (value: unknown): value is string => typeof value === "string" && BYTES_32.test(value)

/** RFC 7638: the hash of the required members in alphabetical order. */
const thumbprint = (x: string) => hash("sha256", JSON.stringify({ crv: "Ed25519", kty: "OKP", x }), "base64url")
