import type { Clock } from "@hearth/core"
import type { PushAccount } from "@hearth/core/push"
import { importPKCS8, SignJWT } from "jose"

// Apple takes a token for an hour, and wants none more often than every 20 minutes.
const renewAfterMillis = 50 * 60_000
const keepMillis = 20 * 60_000

/** An account of APNs. */
export type ApnsAccount = Extract<PushAccount, { readonly provider: "push_a" }>

interface SignedToken {
  readonly jwt: string
  readonly signedAt: number
  /** Whether it was signed because the one before was refused. */
  readonly replaces: boolean
}

/** The provider token of an APNs account. Both reject where the private key is none for ES256. */
export interface ProviderToken {
  /** The token, between 0 and 50 minutes old. */
  current(): Promise<string>
  /** Another one than `refused`; null where that was signed within 20 minutes to replace a refused one: then the credentials are wrong. */
  renew(refused: string): Promise<string | null>
}

/** Signs the tokens of an account by which APNs knows it. They are kept as long as Apple wants them to be. */
export const makeProviderToken = ({ team_id, key_id, private_key }: ApnsAccount, clock: Clock): ProviderToken => {
  let signing: Promise<SignedToken> | null = null
  let last: SignedToken | null = null

  const sign = async (replaces: boolean): Promise<SignedToken> => {
    const signedAt = clock.now().getTime()
    const key = await importPKCS8(private_key, "ES256")
    const jwt = await new SignJWT({})
      .setProtectedHeader({ alg: "ES256", kid: key_id })
      .setIssuer(team_id)
      .setIssuedAt(Math.floor(signedAt / 1000))
      .sign(key)
    return { jwt, signedAt, replaces }
  }
  const signOnce = async (replaces: boolean): Promise<SignedToken> => {
    signing ??= sign(replaces).finally(() => {
      signing = null
    })
    last = await signing
    return last
  }
  const age = (token: SignedToken) => clock.now().getTime() - token.signedAt
  // A clock that was set back makes a token that is of the future for Apple.
  const isFresh = (token: SignedToken) => age(token) >= 0 && age(token) < renewAfterMillis

  return {
    current: async () => (last !== null && isFresh(last) ? last.jwt : (await signOnce(false)).jwt),
    renew: async (refused) => {
      if (last !== null && last.jwt !== refused && isFresh(last)) return last.jwt
      if (last?.replaces === true && age(last) >= 0 && age(last) < keepMillis) return null
      return (await signOnce(true)).jwt
    },
  }
}
