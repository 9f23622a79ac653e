import { createHmac, hash, timingSafeEqual } from "node:crypto"
import type { SecretBox } from "@hearth/core"
import { Effect } from "effect"

const sealedPattern = /^memory\.([0-9a-f]{12})\.([\w-]*)\.([\w-]{43})$/

/** A secret box that hides nothing, but opens as strictly as a real one. Boxes of the same keys open each other's texts. */
export const memorySecretBox = (keys: readonly [string, ...ReadonlyArray<string>] = ["key"]): SecretBox => {
  const byFingerprint = new Map(keys.map((key) => [hash("sha256", key, "hex").slice(0, 12), key]))
  const fingerprints = [...byFingerprint.keys()] as [string, ...Array<string>]
  const sign = (key: string, body: string, context: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([body, context]))
      .digest("base64url")
  return {
    fingerprints,
    readFingerprint: (sealed) => sealedPattern.exec(sealed)?.[1] ?? null,
    seal: (text, context) =>
      Effect.sync(() => {
        const body = Buffer.from(text).toString("base64url")
        return `memory.${fingerprints[0]}.${body}.${sign(keys[0], body, context)}`
      }),
    open: (sealed, context) =>
      Effect.sync(() => {
        const [, fingerprint = "", body = "", signature = ""] = sealedPattern.exec(sealed) ?? []
        const key = byFingerprint.get(fingerprint)
        if (key === undefined) return null
        const isOurs = timingSafeEqual(Buffer.from(sign(key, body, context)), Buffer.from(signature))
        const text = Buffer.from(body, "base64url")
        return isOurs && text.toString("base64url") === body ? text.toString() : null
      }),
  }
}
