import { createPublicKey, type JsonWebKey, verify } from "node:crypto"
import { type Clock, InvalidToken, type TokenClaims, type TokenKind, type Tokens } from "@hearth/core"
import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { manualClock } from "../memory/clock.ts"

const START = "2026-03-01T12:00:00.000Z"
const USER: TokenClaims = { sub: "user-1", pid: "project-1", sid: "sid-1", jti: "jti-1" }
const DEVELOPER: TokenClaims = { sub: "developer-1", sid: "sid-2", jti: "jti-2" }

const SECONDS: Readonly<Record<TokenKind, number>> = {
  session: 3_600,
  refresh: 5_184_000,
  developer_access: 900,
  developer_refresh: 2_592_000,
}
const KINDS = Object.keys(SECONDS) as ReadonlyArray<TokenKind>
const claimsOf = (kind: TokenKind) => (kind.startsWith("developer") ? DEVELOPER : USER)
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? "", "base64url").toString())

/** What every `Tokens` promises. Each call of `make` has keys of its own, and the lifetimes of [B4]. */
export const tokensContract = (name: string, make: (clock: Clock) => Tokens | Promise<Tokens>) =>
  describe(`tokens: ${name}`, () => {
    const setUp = async () => {
      const clock = manualClock(START)
      const tokens = await make(clock)
      const issue = async (kind: TokenKind) => (await Effect.runPromise(tokens.sign(kind, claimsOf(kind)))).token
      const refused = async (kind: TokenKind, token: string) => {
        const outcome = await Effect.runPromise(Effect.flip(tokens.verify(kind, token)))
        expect(outcome, token).toBeInstanceOf(InvalidToken)
      }
      const accepted = (kind: TokenKind, token: string) => Effect.runPromise(tokens.verify(kind, token))
      return { clock, tokens, issue, refused, accepted }
    }

    it.each(KINDS)("answers the claims of a %s token, and when it expires", async (kind) => {
      const { tokens, accepted } = await setUp()
      const { token, expires_at } = await Effect.runPromise(tokens.sign(kind, claimsOf(kind)))
      expect(expires_at).toEqual(new Date(Date.parse(START) + SECONDS[kind] * 1000))
      expect(await accepted(kind, token)).toEqual({ ...claimsOf(kind), expires_at })
      expect(await accepted(kind, token), "again").toEqual({ ...claimsOf(kind), expires_at })
    })

    it("refuses a token of another kind, also after it was accepted as its own kind", async () => {
      const { issue, refused, accepted } = await setUp()
      for (const kind of KINDS) {
        const token = await issue(kind)
        for (const other of KINDS.filter((candidate) => candidate !== kind)) await refused(other, token)
        await accepted(kind, token)
        for (const other of KINDS.filter((candidate) => candidate !== kind)) await refused(other, token)
      }
    })

    it("accepts a token until the millisecond before it expires", async () => {
      const { clock, issue, refused, accepted } = await setUp()
      const [asked, fresh] = [await issue("session"), await issue("developer_access")]
      await accepted("session", asked)
      clock.advance(900_000 - 1)
      await accepted("developer_access", fresh)
      clock.advance(1)
      await refused("developer_access", fresh)
      clock.set(new Date(Date.parse(START) + 3_600_000 - 1))
      await accepted("session", asked)
      clock.advance(1)
      await refused("session", asked)
      await refused("developer_access", fresh)
    })

    it("says which kind a token is, when it expired, and nothing about what it has not signed", async () => {
      const { clock, tokens, issue, accepted } = await setUp()
      const sentence = async (kind: TokenKind, token: string) =>
        (await Effect.runPromise(Effect.flip(tokens.verify(kind, token)))).message
      const token = await issue("developer_access")
      const kinds = "This is a developer's access token; a user's session token is needed."
      expect(await sentence("session", token)).toBe(kinds)
      await accepted("developer_access", token)
      expect(await sentence("session", token), "once it was accepted").toBe(kinds)
      clock.advance(900_000)
      expect(await sentence("developer_access", token)).toBe("The token expired at 2026-03-01T12:15:00.000Z.")
      const stranger = await (await setUp()).issue("session")
      expect(await sentence("session", stranger)).toMatch(/^The token was not issued by this service/)
      expect(await sentence("session", "a.b.c")).toMatch(/^The token is malformed/)
    })

    it("refuses a token with any changed character", async () => {
      const { issue, refused } = await setUp()
      const token = await issue("session")
      for (let at = 0; at < token.length; at += 1) {
        const other = token[at] === "A" ? "B" : "A"
        await refused("session", token.slice(0, at) + other + token.slice(at + 1))
      }
      for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
        if (!token.endsWith(last)) await refused("session", token.slice(0, -1) + last)
      }
    })

    it("refuses a token that is cut or extended", async () => {
      const { issue, refused } = await setUp()
      const token = await issue("session")
      for (let length = 0; length < token.length; length += 1) await refused("session", token.slice(0, length))
      const [header = "", payload = "", signature = ""] = token.split(".")
      const edits = [
        `${token}=`,
        `${token} `,
        ` ${token}`,
        `${token}\n`,
        `${token}A`,
        `${token}.`,
        `${token}.${signature}`,
      ]
      const joined = [`Bearer ${token}`, `${header}.${payload}.`, `${header}.${payload}`, `${header}..${signature}`]
      const escaped = [`${header}.${payload}=.${signature}`, `${header}=.${payload}.${signature}`, `${token}\0`]
      for (const edited of [...edits, ...joined, ...escaped]) await refused("session", edited)
    })

    it("refuses text that is not a token", async () => {
      const { refused } = await setUp()
      const nothing = ["", ".", "..", "a.b.c", "null", "{}", "\0", "é.é.é", "🔥", "e30.e30.e30", `..${"A".repeat(86)}`]
      const long = [
        "a".repeat(1_000_000),
        ".".repeat(100_000),
        `${"a".repeat(5_000)}.${"b".repeat(5_000)}.${"A".repeat(86)}`,
      ]
      for (const text of [...nothing, ...long]) for (const kind of KINDS) await refused(kind, text)
    })

    it("refuses the tokens of another instance", async () => {
      const { refused } = await setUp()
      const stranger = await setUp()
      for (const kind of KINDS) await refused(kind, await stranger.issue(kind))
    })

    it("dies when claims are missing or belong to another kind", async () => {
      const { tokens } = await setUp()
      const dies = async (kind: TokenKind, claims: TokenClaims) => {
        const exit = await Effect.runPromiseExit(tokens.sign(kind, claims))
        expect(Exit.hasDies(exit), `${kind} ${JSON.stringify(claims)}`).toBe(true)
      }
      for (const kind of KINDS) {
        for (const part of ["sub", "sid", "jti"]) await dies(kind, { ...claimsOf(kind), [part]: "" })
      }
      for (const kind of ["session", "refresh"] as const) {
        await dies(kind, DEVELOPER)
        await dies(kind, { ...USER, pid: "" })
      }
      for (const kind of ["developer_access", "developer_refresh"] as const) await dies(kind, USER)
    })

    it("fingerprints a token with SHA-256", async () => {
      const { tokens } = await setUp()
      expect(tokens.fingerprint("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    })

    it("publishes keys that verify its tokens, without private parts", async () => {
      const { tokens, issue } = await setUp()
      const { keys } = tokens.keySet()
      for (const key of keys) {
        expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"])
        expect(key).toMatchObject({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" })
      }
      for (const kind of KINDS) {
        const [header, payload, signature] = (await issue(kind)).split(".")
        const { kid, ...rest } = decode(header)
        const purpose = `hearth-${kind.replace("_", "-")}`
        expect(rest).toEqual({ alg: "EdDSA", typ: `${purpose}+jwt` })
        const iat = Date.parse(START) / 1000
        const { iss, ...claims } = decode(payload)
        expect(claims).toEqual({ ...claimsOf(kind), aud: purpose, iat, exp: iat + SECONDS[kind] })
        expect(iss).toMatch(/./)
        const jwk = keys.find(({ kid: id }) => id === kid) as JsonWebKey
        const publicKey = createPublicKey({ key: jwk, format: "jwk" })
        const signed = Buffer.from(`${header}.${payload}`)
        expect(verify(null, signed, publicKey, Buffer.from(signature ?? "", "base64url"))).toBe(true)
      }
    })
  })
