import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { InvalidToken, type TokenKind } from "@hearth/core"
import { manualClock } from "@hearth/testing"
import { tokensContract } from "@hearth/testing/contracts"
import { Effect } from "effect"
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify, SignJWT } from "jose"
import { describe, expect, it } from "vitest"
import { generateTokenKeys, joseTokens, loadTokenKeys } from "../../src/identity/index.ts"

const ISSUER = "https://hearth.example"
const NOW = Date.parse("2026-03-01T12:00:00.000Z") / 1000
const newKeys = () => Effect.runSync(loadTokenKeys(generateTokenKeys()))

tokensContract("jose", (clock) => joseTokens({ clock, keys: newKeys(), issuer: ISSUER }))

const clock = manualClock("2026-03-01T12:00:00.000Z")
const keys = newKeys()
const tokens = joseTokens({ clock, keys, issuer: ISSUER })
const { kid, privateKey } = keys.signing

const verified = (token: string, kind: TokenKind = "session") =>
  Effect.runPromise(Effect.flip(tokens.verify(kind, token)))
const expectRefused = async (token: string) => expect(await verified(token)).toBeInstanceOf(InvalidToken)

const HEADER = { alg: "EdDSA", kid, typ: "hearth-session+jwt" }
const CLAIMS = { iss: ISSUER, aud: "hearth-session", sub: "u", pid: "p", sid: "s", jti: "j", iat: NOW, exp: NOW + 3600 }
const without = (claim: keyof typeof CLAIMS) =>
  Object.fromEntries(Object.entries(CLAIMS).filter(([name]) => name !== claim))

/** Signs any header and claims: jose only checks claims when it verifies. */
const forge = (header: object, claims: object, key: KeyObject | Uint8Array = privateKey) =>
  new SignJWT(claims as Record<string, unknown>).setProtectedHeader(header as typeof HEADER).sign(key)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

describe("forged tokens", () => {
  it("accepts the valid token from which each forged one differs in one thing", async () => {
    const claims = await Effect.runPromise(tokens.verify("session", await forge(HEADER, CLAIMS)))
    expect(claims).toEqual({ sub: "u", pid: "p", sid: "s", jti: "j", expires_at: new Date((NOW + 3600) * 1000) })
  })

  it.each(["none", "None", "NONE", "nOnE", ""])("refuses alg %j, signed or not", async (alg) => {
    const [, payload, signature] = (await forge(HEADER, CLAIMS)).split(".")
    const header = encode({ ...HEADER, alg })
    for (const end of ["", signature, "A".repeat(86)]) await expectRefused(`${header}.${payload}.${end}`)
  })

  it("refuses HS256 with the public key as the secret, in every encoding of the key", async () => {
    const publicKey = keys.verifying.get(kid) as KeyObject
    const { x } = publicKey.export({ format: "jwk" })
    const spellings = [
      Buffer.from(x as string, "base64url"),
      Buffer.from(x as string),
      publicKey.export({ format: "der", type: "spki" }),
      Buffer.from(publicKey.export({ format: "pem", type: "spki" })),
      Buffer.from(JSON.stringify(keys.published[0])),
    ]
    for (const bytes of spellings) {
      for (const alg of ["HS256", "HS384", "HS512"]) {
        const strong = bytes.length < 64 ? Buffer.concat([bytes], 64) : bytes
        await expectRefused(await forge({ ...HEADER, alg }, CLAIMS, strong))
      }
    }
  })

  it("refuses a header with another algorithm than the key's", async () => {
    const [, payload, signature] = (await forge(HEADER, CLAIMS)).split(".")
    for (const alg of ["Ed25519", "Ed448", "ES256", "RS256", "eddsa", 1, null, ["EdDSA"]]) {
      await expectRefused(`${encode({ ...HEADER, alg })}.${payload}.${signature}`)
    }
    await expectRefused(await forge({ ...HEADER, alg: "Ed25519" }, CLAIMS))
  })

  it("refuses a kid that is unknown, missing, or a property of every object", async () => {
    const stranger = generateKeyPairSync("ed25519").privateKey
    for (const other of ["other", "", "__proto__", "constructor", "../../dev/null", "' or 1=1 --"]) {
      await expectRefused(await forge({ ...HEADER, kid: other }, CLAIMS))
    }
    await expectRefused(await forge({ alg: "EdDSA", typ: HEADER.typ }, CLAIMS))
    await expectRefused(await forge(HEADER, CLAIMS, stranger))
    const [, payload, signature] = (await forge(HEADER, CLAIMS)).split(".")
    for (const other of [1, null, {}, [kid]])
      await expectRefused(`${encode({ ...HEADER, kid: other })}.${payload}.${signature}`)
  })

  it("never uses a key inside the token", async () => {
    const { privateKey: own, publicKey } = generateKeyPairSync("ed25519")
    const jwk = publicKey.export({ format: "jwk" })
    for (const named of [kid, "mine"]) {
      for (const brought of [
        { jwk },
        { jku: "http://127.0.0.1:9/keys" },
        { x5u: "http://127.0.0.1:9/" },
        { x5c: ["MIIB"] },
      ]) {
        await expectRefused(await forge({ ...HEADER, kid: named, ...brought }, CLAIMS, own))
      }
    }
  })

  it("refuses every crit header", async () => {
    await expectRefused(await forge({ ...HEADER, crit: ["b64"], b64: true }, CLAIMS))
    const [, payload, signature] = (await forge(HEADER, CLAIMS)).split(".")
    for (const crit of [["exp"], ["b64"], [], "b64", null]) {
      await expectRefused(`${encode({ ...HEADER, crit })}.${payload}.${signature}`)
    }
  })

  it("refuses another issuer, audience or type under our own signature", async () => {
    for (const iss of ["https://evil.example", `${ISSUER}/`, [ISSUER], null])
      await expectRefused(await forge(HEADER, { ...CLAIMS, iss }))
    for (const aud of ["hearth-refresh", "", [], null]) await expectRefused(await forge(HEADER, { ...CLAIMS, aud }))
    for (const typ of ["hearth-refresh+jwt", "JWT", ""]) await expectRefused(await forge({ ...HEADER, typ }, CLAIMS))
    await expectRefused(await forge({ alg: "EdDSA", kid }, CLAIMS))
  })

  it.each(["iss", "aud", "sub", "pid", "sid", "jti", "iat", "exp"] as const)(
    "refuses a token without %s",
    async (claim) => {
      await expectRefused(await forge(HEADER, without(claim)))
    },
  )

  it("refuses claims of the wrong type", async () => {
    for (const exp of [String(NOW + 3600), null, {}, [NOW + 3600], true, -1, 0, NOW]) {
      const token = `${encode(HEADER)}.${encode({ ...CLAIMS, exp })}`
      await expectRefused(`${token}.${sign(null, Buffer.from(token), privateKey).toString("base64url")}`)
    }
    for (const claim of ["sub", "pid", "sid", "jti"] as const) {
      for (const wrong of ["", 1, null, [], {}]) await expectRefused(await forge(HEADER, { ...CLAIMS, [claim]: wrong }))
    }
  })

  it("refuses a developer's token that names a project", async () => {
    const developer = { ...CLAIMS, aud: "hearth-developer-access" }
    const token = await forge({ ...HEADER, typ: "hearth-developer-access+jwt" }, developer)
    expect(await verified(token, "developer_access")).toBeInstanceOf(InvalidToken)
  })

  it("refuses a token of over 4 KB although it is signed", async () => {
    await expectRefused(await forge(HEADER, { ...CLAIMS, more: "x".repeat(4_000) }))
  })
})

describe("signed tokens", () => {
  it.each([
    ["session", "hearth-session", 3_600],
    ["refresh", "hearth-refresh", 60 * 86_400],
  ] as const)("a %s token is accepted by whoever has the published keys", async (kind, audience, seconds) => {
    const subject = { sub: "u-ä", pid: "p", sid: "s", jti: "j" }
    const { token, expires_at } = await Effect.runPromise(tokens.sign(kind, subject))
    const published = createLocalJWKSet(tokens.keySet() as unknown as JSONWebKeySet)
    const { payload, protectedHeader } = await jwtVerify(token, published, {
      issuer: ISSUER,
      audience,
      typ: `${audience}+jwt`,
      currentDate: clock.now(),
    })
    expect(protectedHeader).toEqual({ alg: "EdDSA", kid, typ: `${audience}+jwt` })
    expect(payload).toEqual({ iss: ISSUER, aud: audience, ...subject, iat: NOW, exp: NOW + seconds })
    expect(expires_at).toEqual(new Date((NOW + seconds) * 1000))
  })
})

describe("keys", () => {
  it("signs with the first key and verifies with all, until one is removed", async () => {
    const [older, newer] = [generateTokenKeys(), generateTokenKeys()].map((json) => JSON.parse(json).keys[0])
    const over = (...set: ReadonlyArray<unknown>) =>
      joseTokens({ clock, issuer: ISSUER, keys: Effect.runSync(loadTokenKeys(JSON.stringify({ keys: set }))) })
    const issue = async (by: typeof tokens) => (await Effect.runPromise(by.sign("session", CLAIMS))).token
    const before = await issue(over(older))
    const during = over(newer, older)
    expect(await Effect.runPromise(during.verify("session", before))).toMatchObject({ sub: "u" })
    const after = await issue(during)
    expect(JSON.parse(Buffer.from(after.split(".")[0] as string, "base64url").toString()).kid).toBe(newer.kid)
    const later = over(newer)
    expect(await Effect.runPromise(later.verify("session", after))).toMatchObject({ sub: "u" })
    expect(await Effect.runPromise(Effect.flip(later.verify("session", before)))).toBeInstanceOf(InvalidToken)
  })
})

describe("the cache of verified tokens", () => {
  it("removes the least recently used one, which is then verified again", async () => {
    let signatures = 0
    const counting = new Map([[kid, keys.verifying.get(kid) as KeyObject]])
    counting.get = (name) => {
      signatures += 1
      return keys.verifying.get(name)
    }
    const small = joseTokens({ clock, keys: { ...keys, verifying: counting }, issuer: ISSUER, remembered: 2 })
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((jti) => forge(HEADER, { ...CLAIMS, jti })))
    const ask = (token: string | undefined) => Effect.runPromise(small.verify("session", token as string))
    const asked = [a, b, a, b, a, c, a, b]
    const counts: Array<number> = []
    for (const token of asked) {
      await ask(token)
      counts.push(signatures)
    }
    expect(counts).toEqual([1, 2, 2, 2, 2, 3, 3, 4])
  })

  it("uses configured lifetimes", async () => {
    const short = joseTokens({ clock, keys, issuer: ISSUER, lifetimes: { session: "5 minutes" } })
    const { expires_at } = await Effect.runPromise(short.sign("session", CLAIMS))
    expect(expires_at).toEqual(new Date((NOW + 300) * 1000))
  })

  it("has the usual lifetime where one is undefined", async () => {
    const usual = joseTokens({ clock, keys, issuer: ISSUER, lifetimes: { session: undefined } as object })
    const { expires_at } = await Effect.runPromise(usual.sign("session", CLAIMS))
    expect(expires_at).toEqual(new Date((NOW + 3600) * 1000))
  })

  it.each(["1h", { hour: 1 }, 0, -1, Number.NaN, "Infinity"])(
    "is none with a lifetime that is no time: %j",
    (session) => {
      const make = () => joseTokens({ clock, keys, issuer: ISSUER, lifetimes: { session: session as never } })
      expect(make).toThrow(/^lifetimes\.session must be a time like "1 hour"/)
    },
  )
})
