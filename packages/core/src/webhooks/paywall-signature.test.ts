import { memorySignatures } from "@hearth/testing"
import { Base64, Hex } from "effect/encoding"
import { describe, expect, it } from "vitest"
import { isPaywallSigned, type SignatureSettings } from "./paywall-signature.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const now = new Date("2026-03-01T12:00:00.000Z")
const seconds = now.getTime() / 1_000
const body = '{"event":"purchase","user_id":"user-1"}'

const check = (
  settings: SignatureSettings,
  headers: Readonly<Record<string, string>>,
  { sent = bytes(body), at = now } = {},
) => isPaywallSigned(memorySignatures, settings, { bytes: sent, header: (name) => headers[name] ?? null }, at)

describe("the scheme hex [H3.1]", () => {
  const secret = "a paywall secret"
  const hex = { signature_scheme: "hex", webhook_secret: secret } as const
  const signature = Hex.encode(memorySignatures.hmacSha256(bytes(secret), bytes(body)))
  const sent = (text: string) => check(hex, { "x-paywall-signature": text })

  it("is the HMAC-SHA256 of the bytes, in hex", () => {
    // By openssl: printf '%s' "$body" | openssl dgst -sha256 -hmac 'a paywall secret'
    expect(signature).toMatch(/^[0-9a-f]{64}$/)
    expect(sent(signature)).toBe(true)
  })

  it("accepts nothing that is missing, altered, cut, longer or written another way", () => {
    expect(check(hex, {})).toBe(false)
    for (let at = 0; at < signature.length; at += 1) {
      const other = signature[at] === "0" ? "1" : "0"
      expect(sent(signature.slice(0, at) + other + signature.slice(at + 1)), `${at}`).toBe(false)
      expect(sent(signature.slice(0, at)), `cut at ${at}`).toBe(false)
    }
    const others = [
      `${signature}0`,
      `0x${signature}`,
      `sha256=${signature}`,
      signature.toUpperCase(),
      `${signature}, ${signature}`,
    ]
    const base64 = Base64.encode(memorySignatures.hmacSha256(bytes(secret), bytes(body)))
    for (const other of [...others, base64, "", " ", "null"]) expect(sent(other), other).toBe(false)
  })

  it("is over the bytes as they were sent, and by this secret", () => {
    const headers = { "x-paywall-signature": signature }
    const altered = [`${body} `, `\ufeff${body}`, JSON.stringify(JSON.parse(body), null, 1), body.replace("1", "2"), ""]
    for (const text of altered) expect(check(hex, headers, { sent: bytes(text) }), text).toBe(false)
    for (const other of ["a paywall secreT", "a paywall secret ", "whsec_a paywall secret"]) {
      expect(check({ ...hex, webhook_secret: other }, headers), other).toBe(false)
    }
  })

  it("takes no signature of the other scheme, and the other none of this one", () => {
    const standard = { "webhook-id": "m1", "webhook-timestamp": `${seconds}`, "webhook-signature": `v1,${signature}` }
    expect(check(hex, standard)).toBe(false)
    expect(check({ ...hex, signature_scheme: "standard" }, { "x-paywall-signature": signature })).toBe(false)
  })
})

describe("the scheme standard [H3.1, E8]", () => {
  // The example of the Standard Webhooks specification and of Svix.
  const example = {
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: "1614265330",
    signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    body: '{"test": 2432232314}',
  }
  const standard = (webhook_secret: string): SignatureSettings => ({ signature_scheme: "standard", webhook_secret })
  const key = bytes("0123456789abcdef0123456789abcdef")
  const secret = `whsec_${Base64.encode(key)}`
  const sign = (id: string, timestamp: string | number, by: Uint8Array = key, text = body) =>
    `v1,${Base64.encode(memorySignatures.hmacSha256(by, bytes(`${id}.${timestamp}.${text}`)))}`
  const headers = (
    family: string,
    { id = "m1", timestamp = `${seconds}`, signature = sign("m1", seconds) }: Record<string, string> = {},
  ) => ({ [`${family}-id`]: id, [`${family}-timestamp`]: timestamp, [`${family}-signature`]: signature })

  it("accepts the example of the specification", () => {
    const at = { sent: bytes(example.body), at: new Date(1_614_265_330_000) }
    for (const family of ["webhook", "svix"]) {
      for (const text of [example.secret, example.secret.replace("whsec_", "")]) {
        expect(check(standard(text), headers(family, example), at)).toBe(true)
      }
    }
  })

  it("takes the headers of either family, all of one", () => {
    expect(check(standard(secret), headers("webhook"))).toBe(true)
    expect(check(standard(secret), headers("svix"))).toBe(true)
    for (const missing of ["id", "timestamp", "signature"]) {
      const { [`webhook-${missing}`]: _, ...rest } = headers("webhook")
      expect(check(standard(secret), rest as Record<string, string>), missing).toBe(false)
      const { [`svix-${missing}`]: other } = headers("svix")
      expect(check(standard(secret), { ...rest, [`svix-${missing}`]: other ?? "" } as Record<string, string>)).toBe(
        false,
      )
    }
    for (const empty of ["id", "timestamp", "signature"]) {
      expect(check(standard(secret), headers("webhook", { [empty]: "" })), empty).toBe(false)
    }
  })

  it("takes any of several signatures, as while a secret is rotated", () => {
    const [right, wrong] = [sign("m1", seconds), sign("m1", seconds, bytes("another key"))]
    const tried = (signature: string) => check(standard(secret), headers("webhook", { signature }))
    for (const list of [`${right} ${wrong}`, `${wrong} ${right}`, `v2,x v1a,y ${right}`, `${wrong} ${wrong} ${right}`])
      expect(tried(list), list).toBe(true)
    for (const list of [
      wrong,
      `${wrong} ${wrong}`,
      right.replace("v1,", "v2,"),
      right.replace("v1,", ""),
      `${wrong},${right}`,
      right.replace("v1", "V1"),
    ])
      expect(tried(list), list).toBe(false)
  })

  it("is in time: within five minutes, either way", () => {
    const tried = (timestamp: string | number) =>
      check(standard(secret), headers("webhook", { timestamp: `${timestamp}`, signature: sign("m1", timestamp) }))
    for (const away of [-300, -299, 0, 299, 300]) expect(tried(seconds + away), `${away}`).toBe(true)
    for (const away of [-86_400, -301, 301, 86_400]) expect(tried(seconds + away), `${away}`).toBe(false)
    for (const text of [
      "",
      "now",
      `${seconds}.0`,
      `-${seconds}`,
      `+${seconds}`,
      ` ${seconds}`,
      `${seconds}000`,
      "1e9",
      "0x1",
      "NaN",
    ])
      expect(tried(text), text).toBe(false)
  })

  it("accepts nothing of which any part is altered", () => {
    const good = sign("m1", seconds)
    const tried = (given: Record<string, string>, sent = body) =>
      check(standard(secret), headers("webhook", given), { sent: bytes(sent) })
    expect(tried({})).toBe(true)
    expect(tried({ id: "m2" })).toBe(false)
    expect(tried({ timestamp: `${seconds + 1}` })).toBe(false)
    expect(tried({}, `${body} `)).toBe(false)
    expect(tried({}, body.slice(0, -1))).toBe(false)
    for (let at = 3; at < good.length; at += 1) {
      const other = good[at] === "A" ? "B" : "A"
      expect(tried({ signature: good.slice(0, at) + other + good.slice(at + 1) }), `${at}`).toBe(false)
      expect(tried({ signature: good.slice(0, at) }), `cut at ${at}`).toBe(false)
    }
    const base64 = good.slice(3)
    const hex = Hex.encode(memorySignatures.hmacSha256(key, bytes(`m1.${seconds}.${body}`)))
    for (const other of [
      hex,
      base64.replace("=", ""),
      `${base64}=`,
      base64.replaceAll("+", "-").replaceAll("/", "_").replace("=", ""),
    ])
      if (other !== base64) expect(tried({ signature: `v1,${other}` }), other).toBe(false)
  })

  it("takes a secret with or without whsec_, as base64; one that is no base64 is text", () => {
    const plain = "not base64, but long enough"
    const tried = (webhook_secret: string, by: Uint8Array) =>
      check(standard(webhook_secret), headers("webhook", { signature: sign("m1", seconds, by) }))
    const encoded = Base64.encode(key)
    expect(tried(encoded, key)).toBe(true)
    expect(tried(encoded.replace(/=+$/, ""), key)).toBe(true)
    expect(tried(`whsec_${encoded.replace(/=+$/, "")}`, key)).toBe(true)
    expect(tried(plain, bytes(plain))).toBe(true)
    expect(tried(`whsec_${plain}`, bytes(plain))).toBe(true)
    expect(tried(encoded, bytes(encoded))).toBe(true)
    expect(tried(`whsec_${encoded}`, bytes(encoded))).toBe(false)
    expect(tried(`whsec_${encoded}`, bytes(`whsec_${encoded}`))).toBe(false)
    expect(tried("whsec_whsec_whsec_", bytes(""))).toBe(false)
    expect(tried("whsec_".padEnd(16, "="), bytes(""))).toBe(false)
  })
})
