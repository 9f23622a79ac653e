import { hash } from "node:crypto"
import {
  type Clock,
  type Identity,
  type IdentityDemand,
  type IdentityProvider,
  type IdentityVerifier,
  InvalidToken,
} from "@hearth/core"
import { Effect } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { manualClock } from "../memory/clock.ts"
import type { IdentityClaims } from "../memory/identity-verifier.ts"
import { died } from "./database-under-test.ts"

/** A verifier, and the providers whose tokens it verifies. Their issuers are those of [B9]. */
export interface IdentityVerifierHarness {
  readonly verifier: IdentityVerifier
  /** A token of `provider` with exactly these claims; those that are undefined are left out. */
  sign(provider: IdentityProvider, claims: IdentityClaims): string
  /** Makes the providers' keys unreachable, or reachable again. */
  unreachable(are: boolean): void
  close(): Promise<void>
}

/** Makes a verifier that has not yet seen any key. */
export type MakeIdentityVerifier = (clock: Clock) => Promise<IdentityVerifierHarness>

const START = "2026-03-01T12:00:00.000Z"
const NOW = Date.parse(START) / 1000
const APP = "com.example.app"
const DEMAND: IdentityDemand = { audience: APP, nonce: null }
const PROVIDERS = ["idp_a", "idp_b"] as const
const ISSUERS: Readonly<Record<IdentityProvider, ReadonlyArray<string>>> = {
  idp_a: ["https://appleid.apple.com", "https://account.apple.com"],
  idp_b: ["https://accounts.google.com", "accounts.google.com"],
}
const other = (provider: IdentityProvider): IdentityProvider => (provider === "idp_a" ? "idp_b" : "idp_a")
const sha256 = (text: string) => hash("sha256", text, "hex")
const encode = (text: string) => Buffer.from(text).toString("base64url")

/** Texts that do not have the form of a token, which are refused without any key. */
const MALFORMED_TOKENS = [
  ...["", " ", ".", "..", "...", "a.b", "a.b.c", "a.b.c.d", "a.b.c.d.e", "null", "{}", "\0", "é.é.é", "🔥"],
  ...["e30.e30.e30", "W10.W10.W10", "bnVsbA.bnVsbA.bnVsbA", "eyJhbGciOiJSUzI1NiJ9.e30.", "a".repeat(17_000)],
  `${"a".repeat(20_000)}.${"b".repeat(20_000)}.${"c".repeat(342)}`,
]

/** Claims about an email, and the address that they give for `idp_a` and `idp_b`. */
const EMAILS: ReadonlyArray<readonly [object, string | null, string | null]> = [
  [{ email: "mia@gmail.com", email_verified: true }, "mia@gmail.com", "mia@gmail.com"],
  [{ email: "mia@gmail.com", email_verified: "true" }, "mia@gmail.com", "mia@gmail.com"],
  [{ email: " Mia@GMail.com ", email_verified: true }, "mia@gmail.com", "mia@gmail.com"],
  [{ email: "mia@gmail.com", email_verified: false }, null, null],
  [{ email: "mia@gmail.com", email_verified: "false" }, null, null],
  [{ email: "mia@gmail.com", email_verified: 1 }, null, null],
  [{ email: "mia@gmail.com", email_verified: ["true"] }, null, null],
  [{ email: "mia@gmail.com", email_verified: "True" }, null, null],
  [{ email: "mia@gmail.com" }, null, null],
  [{ email: "mia@firm.example", email_verified: true }, "mia@firm.example", null],
  [{ email: "mia@firm.example", email_verified: true, hd: "firm.example" }, "mia@firm.example", "mia@firm.example"],
  [{ email: "mia@firm.example", email_verified: "true", hd: "firm.example" }, "mia@firm.example", "mia@firm.example"],
  [{ email: "mia@firm.example", email_verified: false, hd: "firm.example" }, null, null],
  [{ email: "mia@firm.example", email_verified: true, hd: "" }, "mia@firm.example", null],
  [{ email: "mia@firm.example", email_verified: true, hd: true }, "mia@firm.example", null],
  [{ email: "mia@gmail.com.evil.example", email_verified: true }, "mia@gmail.com.evil.example", null],
  [{ email: "mia@notgmail.com", email_verified: true }, "mia@notgmail.com", null],
  [
    { email: `${"m".repeat(244)}@gmail.com`, email_verified: true },
    `${"m".repeat(244)}@gmail.com`,
    `${"m".repeat(244)}@gmail.com`,
  ],
  [{ email: `${"m".repeat(245)}@gmail.com`, email_verified: true }, null, null],
  ...[
    "",
    "mia",
    "mia@",
    "@gmail.com",
    "a@b@gmail.com",
    "mia\0@gmail.com",
    "m ia@gmail.com",
    "\ud800@gmail.com",
    null,
    7,
    ["mia@gmail.com"],
    {},
  ].map((email) => [{ email, email_verified: true, hd: "gmail.com" }, null, null] as const),
  [{ email_verified: true, hd: "gmail.com" }, null, null],
]

const setUp = async (make: MakeIdentityVerifier) => {
  const clock = manualClock(START)
  const harness = await make(clock)
  onTestFinished(() => harness.close())
  const { verifier } = harness
  const token = (provider: IdentityProvider, claims: object = {}) =>
    harness.sign(provider, {
      iss: ISSUERS[provider][0],
      aud: APP,
      sub: "subject-1",
      iat: NOW,
      exp: NOW + 600,
      ...claims,
    })
  const accepted = (provider: IdentityProvider, text: string, demand = DEMAND): Promise<Identity> =>
    Effect.runPromise(verifier.verify(provider, text, demand))
  const refused = async (provider: IdentityProvider, text: string, demand = DEMAND) => {
    const outcome = await Effect.runPromise(Effect.flip(verifier.verify(provider, text, demand)))
    expect(outcome, text.slice(0, 2_000)).toBeInstanceOf(InvalidToken)
  }
  const dies = async (provider: IdentityProvider, text: string) =>
    expect(died(await Effect.runPromiseExit(verifier.verify(provider, text, DEMAND)))).toBe(true)
  /** Expects that each of these claims is refused in a token that is otherwise valid. */
  const refusedWith = async (claims: ReadonlyArray<object>, demand = DEMAND) => {
    for (const provider of PROVIDERS) for (const each of claims) await refused(provider, token(provider, each), demand)
  }
  const acceptedWith = async (claims: ReadonlyArray<object>, demand = DEMAND) => {
    for (const provider of PROVIDERS) for (const each of claims) await accepted(provider, token(provider, each), demand)
  }
  return { clock, harness, token, accepted, refused, dies, refusedWith, acceptedWith }
}

/** What every `IdentityVerifier` promises. */
export const identityVerifierContract = (name: string, make: MakeIdentityVerifier) =>
  describe(`identity verifier: ${name}`, () => {
    it("answers the subject of a token, with each of the provider's issuers", async () => {
      const { token, accepted } = await setUp(make)
      for (const provider of PROVIDERS) {
        for (const iss of ISSUERS[provider]) {
          const identity = { provider, provider_id: "subject-1", email: null }
          expect(await accepted(provider, token(provider, { iss }))).toEqual(identity)
          expect(await accepted(provider, token(provider, { iss, aud: [APP] })), "a list of one").toEqual(identity)
        }
      }
    })

    it("refuses a token for another audience or for several", async () => {
      const { refusedWith } = await setUp(make)
      const others = ["com.example.other", "", APP.toUpperCase(), `${APP} `, `${APP}.`, APP.slice(0, -1)]
      const lists = [[], [APP, APP], [APP, "com.example.other"], ["com.example.other", APP], [[APP]], [null]]
      const strange = [undefined, null, true, 7, {}, { 0: APP, length: 1 }]
      await refusedWith([...others, ...lists, ...strange].map((aud) => ({ aud })))
    })

    it("refuses every token for an empty audience", async () => {
      const { refusedWith } = await setUp(make)
      await refusedWith([{ aud: "" }, { aud: [""] }, { aud: [] }, { aud: undefined }], { audience: "", nonce: null })
    })

    it("refuses another issuer", async () => {
      const { refused, refusedWith, token } = await setUp(make)
      await refusedWith(["https://evil.example", "", undefined, null, 7, {}].map((iss) => ({ iss })))
      for (const provider of PROVIDERS) {
        for (const iss of ISSUERS[provider]) {
          for (const near of [`${iss}/`, `${iss}.evil.example`, iss.toUpperCase(), ` ${iss}`, [iss]]) {
            await refused(provider, token(provider, { iss: near }))
          }
        }
        for (const iss of ISSUERS[other(provider)]) await refused(provider, token(provider, { iss }))
      }
    })

    it("refuses the token of the other provider, whatever its issuer", async () => {
      const { refused, token } = await setUp(make)
      for (const provider of PROVIDERS) {
        await refused(other(provider), token(provider))
        for (const iss of ISSUERS[other(provider)]) await refused(other(provider), token(provider, { iss }))
      }
    })

    it("accepts a token until 60 seconds after it expired", async () => {
      const { clock, token, accepted, refused } = await setUp(make)
      for (const provider of PROVIDERS) {
        const held = token(provider)
        clock.set(new Date(Date.parse(START) + 660_000 - 1))
        await accepted(provider, held)
        clock.advance(1)
        await refused(provider, held)
        clock.advance("3 days")
        await refused(provider, held)
        clock.set(new Date(START))
      }
    })

    it("accepts a token from 60 seconds before it is valid", async () => {
      const { acceptedWith, refusedWith } = await setUp(make)
      await acceptedWith([{ nbf: NOW + 60 }, { iat: NOW + 60 }, { iat: undefined }, { nbf: 0, iat: 0 }])
      await refusedWith([{ nbf: NOW + 61 }, { iat: NOW + 61 }, { nbf: NOW + 86_400 }])
    })

    it("refuses a token without `exp`, and times that are not numbers", async () => {
      const { refusedWith } = await setUp(make)
      const strange = [String(NOW), null, true, {}, [NOW], ""]
      await refusedWith([undefined, 0, -1, String(NOW + 600), NOW - 60, ...strange].map((exp) => ({ exp })))
      await refusedWith(strange.flatMap((time) => [{ nbf: time }, { iat: time }]))
    })

    it("accepts a subject of 1 to 255 characters, and nothing else", async () => {
      const { token, accepted, refusedWith } = await setUp(make)
      for (const sub of ["0", "001234.0a1b2c.0815", "x".repeat(255), "Zoë 🔥", "__proto__"]) {
        for (const provider of PROVIDERS) {
          expect((await accepted(provider, token(provider, { sub }))).provider_id).toBe(sub)
        }
      }
      const strange = ["", undefined, null, 7, true, ["subject-1"], {}, "x".repeat(256), "a\0b", "\ud800"]
      await refusedWith(strange.map((sub) => ({ sub })))
    })

    it("demands the nonce, plain or hashed, where the app sent one", async () => {
      const { acceptedWith, refusedWith } = await setUp(make)
      const demand = { audience: APP, nonce: "n-1" }
      await acceptedWith([{ nonce: "n-1" }, { nonce: sha256("n-1") }], demand)
      const near = ["", "n-2", "n-1 ", "N-1", "n-", sha256("n-2"), sha256(sha256("n-1")), sha256("n-1").slice(0, -1)]
      await refusedWith(
        [...near, undefined, null, 1, true, ["n-1"], {}].map((nonce) => ({ nonce })),
        demand,
      )
      await refusedWith([{ nonce: undefined }, { nonce: "n-1" }], { audience: APP, nonce: "" })
    })

    it("ignores a nonce that is not demanded", async () => {
      const { acceptedWith } = await setUp(make)
      await acceptedWith([{ nonce: "n-1" }, { nonce: 7 }, { nonce_supported: true }])
    })

    it("answers the email that the provider verified and is authoritative for, otherwise none", async () => {
      const { token, accepted } = await setUp(make)
      for (const [claims, ofA, ofB] of EMAILS) {
        const said = JSON.stringify(claims)
        expect((await accepted("idp_a", token("idp_a", claims))).email, said).toBe(ofA)
        expect((await accepted("idp_b", token("idp_b", claims))).email, said).toBe(ofB)
      }
    })

    it("refuses a token with a changed character", async () => {
      const { token, refused } = await setUp(make)
      const text = token("idp_a")
      // The last character of a signature has bits that belong to no byte.
      for (let at = 0; at < text.length - 1; at += 3) {
        await refused("idp_a", text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1))
      }
    })

    it("refuses claims with another signature, and a token that is cut or extended", async () => {
      const { token, refused, accepted } = await setUp(make)
      const text = token("idp_a")
      await accepted("idp_a", text)
      const [header = "", payload = "", signature = ""] = text.split(".")
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString())
      const forged = encode(JSON.stringify({ ...claims, sub: "subject-2" }))
      const [, otherPayload, otherSignature] = token("idp_a", { sub: "subject-2" }).split(".")
      await refused("idp_a", `${header}.${forged}.${signature}`)
      await refused("idp_a", `${header}.${otherPayload}.${signature}`)
      await refused("idp_a", `${header}.${payload}.${otherSignature}`)
      await refused("idp_a", `${header}.${payload}.${encode("\0".repeat(256))}`)
      await refused("idp_a", `${payload}.${header}.${signature}`)
      for (const edit of [`${text}=`, `${text} `, ` ${text}`, `${text}\n`, `${text}.`, `${text}.${signature}`]) {
        await refused("idp_a", edit)
      }
      for (let length = 0; length < text.length - 1; length += 7) await refused("idp_a", text.slice(0, length))
    })

    it("refuses text that is not a token", async () => {
      const { refused } = await setUp(make)
      for (const text of MALFORMED_TOKENS) for (const provider of PROVIDERS) await refused(provider, text)
    })

    it("refuses a signed token of over 16 KB, and accepts one below", async () => {
      const { acceptedWith, refusedWith } = await setUp(make)
      await acceptedWith([{ more: "x".repeat(11_500) }])
      await refusedWith([{ more: "x".repeat(12_300) }])
    })

    it("dies while the keys cannot be fetched, and verifies once they can", async () => {
      const { clock, harness, token, accepted, refused, dies } = await setUp(make)
      for (const provider of PROVIDERS) {
        harness.unreachable(true)
        const text = token(provider)
        await dies(provider, text)
        await dies(provider, text)
        const [header, , signature] = text.split(".")
        const noClaims = ["null", "[]", "7", "{", ""].map((json) => `${header}.${encode(json)}.${signature}`)
        for (const none of [...MALFORMED_TOKENS, ...noClaims]) await refused(provider, none)
        harness.unreachable(false)
        clock.advance("30 seconds")
        await accepted(provider, text)
        await refused(provider, token(provider, { aud: "com.example.other" }))
      }
    })
  })
