import { generateKeyPairSync, hash, type KeyObject, sign, verify } from "node:crypto"
import {
  type Clock,
  refuseToken,
  type TokenClaims,
  type TokenFault,
  type TokenKind,
  type Tokens,
  type VerifiedClaims,
} from "@hearth/core"
import { Effect } from "effect"

const KINDS: Readonly<Record<TokenKind, { readonly audience: string; readonly seconds: number }>> = {
  session: { audience: "hearth-session", seconds: 3600 },
  refresh: { audience: "hearth-refresh", seconds: 60 * 86_400 },
  developer_access: { audience: "hearth-developer-access", seconds: 15 * 60 },
  developer_refresh: { audience: "hearth-developer-refresh", seconds: 30 * 86_400 },
}

const ISSUER = "https://hearth.test"

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/

interface Payload extends TokenClaims {
  readonly iss: string
  readonly aud: string
  readonly iat: number
  readonly exp: number
}

/** Real Ed25519 tokens. Each instance has a key of its own. */
export const memoryTokens = (clock: Clock): Tokens => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const { x } = publicKey.export({ format: "jwk" })
  const kid = sha256(x as string).slice(0, 16)
  const headerOf = (kind: TokenKind) => encode({ alg: "EdDSA", kid, typ: `${KINDS[kind].audience}+jwt` })

  const readToken = (kind: TokenKind, token: string): Payload | TokenFault => {
    if (token.length > 4096 || !COMPACT.test(token)) return "malformed"
    const [header = "", body = "", signature = ""] = token.split(".")
    // The header must be exactly ours and the signature must verify, so the payload is ours too.
    const is = (Object.keys(KINDS) as Array<TokenKind>).find((each) => header === headerOf(each))
    if (is === undefined || !isSigned(`${header}.${body}`, signature, publicKey)) return "not ours"
    if (is !== kind) return { is }
    const payload: Payload = JSON.parse(Buffer.from(body, "base64url").toString())
    const expired_at = new Date(payload.exp * 1000)
    return expired_at <= clock.now() ? { expired_at } : payload
  }

  return {
    sign: (kind, claims) =>
      Effect.sync(() => {
        if (!areClaims(kind, claims)) throw new TypeError(`These are not the claims of a ${kind} token.`)
        const { sub, pid, sid, jti } = claims
        const { audience, seconds } = KINDS[kind]
        const iat = Math.floor(clock.now().getTime() / 1000)
        const payload: Payload = {
          iss: ISSUER,
          aud: audience,
          ...withProject({ sub, sid, jti }, pid),
          iat,
          exp: iat + seconds,
        }
        const text = `${headerOf(kind)}.${encode(payload)}`
        const signature = sign(null, Buffer.from(text), privateKey).toString("base64url")
        return { token: `${text}.${signature}`, expires_at: new Date(payload.exp * 1000) }
      }),
    verify: (kind, token) =>
      Effect.suspend(() => {
        const read = readToken(kind, token)
        const isGood = typeof read === "object" && "sub" in read
        return isGood ? Effect.succeed(claimsOf(read)) : Effect.fail(refuseToken(kind, read))
      }),
    fingerprint: sha256,
    keySet: () => ({ keys: [{ kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" }] }),
  }
}

const sha256 = (text: string) => hash("sha256", text, "hex")

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

const isSigned = (text: string, signature: string, publicKey: KeyObject) =>
  verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64url"))

const areClaims = (kind: TokenKind, { sub, pid, sid, jti }: TokenClaims) =>
  sub !== "" &&
  sid !== "" &&
  jti !== "" &&
  pid !== "" &&
  (pid !== undefined) === (kind === "session" || kind === "refresh")

const withProject = (claims: TokenClaims, pid: string | undefined): TokenClaims =>
  pid === undefined ? claims : { ...claims, pid }

const claimsOf = ({ sub, pid, sid, jti, exp }: Payload): VerifiedClaims => ({
  ...withProject({ sub, sid, jti }, pid),
  expires_at: new Date(exp * 1000),
})
