import type { Api, ClientPaths } from "./api.ts"
import { HearthError } from "./error.ts"
import type { components } from "./generated/components.ts"
import { type Session, type StoredSession, toStored } from "./session.ts"

type Schemas = components["schemas"]
type Result = Pick<Schemas["AuthResult"], "session_token" | "refresh_token" | "user">

/** Who is signed in. */
export interface SignedIn {
  readonly userId: string
}

/** What a sign-in does with the user who is signed in. */
export interface UpgradeOptions {
  /**
   * Whether the user who is signed in becomes the one with the account, with the same id and everything that is theirs; true
   * where left out. Where the identity has a user already, that one is signed in, and nothing is merged.
   */
  readonly upgrade?: boolean
}

/** The ways to sign in. Each stores the session before it answers. */
export interface SignIns {
  /**
   * Signs a new anonymous user in, unless somebody is signed in: call it at every start. Needs no network then. Rejects with
   * `STORAGE_FAILED` where the storage cannot be read, so that nobody knows.
   */
  signInAnonymously(): Promise<SignedIn>
  signUpWithEmail(account: Omit<Schemas["EmailSignup"], "session_token"> & UpgradeOptions): Promise<SignedIn>
  signInWithEmail(account: Schemas["EmailLogin"]): Promise<SignedIn>
  /** Has a link mailed that signs in; to any address, whether it is known or not. */
  requestMagicLink(email: string): Promise<void>
  /** Signs in with the token of a link, which works once. */
  signInWithMagicLink(token: string, options?: UpgradeOptions): Promise<SignedIn>
  /** Signs in with the token of Apple (`idp_a`) or Google (`idp_b`). */
  signInWithSocial(identity: Omit<Schemas["SocialSignIn"], "session_token"> & UpgradeOptions): Promise<SignedIn>
  /** Gives the user who is signed in one more identity. */
  linkSocial(identity: Omit<Schemas["SocialSignIn"], "session_token">): Promise<SignedIn>
  /** Sends the last events, forgets the session, and ends it. Needs no network: then the session ends by itself. */
  signOut(): Promise<void>
}

interface SignInOptions {
  readonly api: Api<ClientPaths>
  readonly session: Session
  /** Sends the events of who is signed in, for a moment. */
  readonly flushBriefly: () => Promise<void>
}

const isEnded = (error: unknown): boolean => error instanceof HearthError && error.code === "INVALID_SESSION"

/** Makes the ways to sign in. */
export const makeSignIns = ({ api, session, flushBriefly }: SignInOptions): SignIns => {
  let anonymous: Promise<SignedIn> | undefined

  const end = async ({ refreshToken }: StoredSession): Promise<void> => {
    // It ends by itself, too; nobody has to wait or be told.
    await api.POST("/client/auth/logout", { body: { refresh_token: refreshToken } }).catch(() => {})
  }

  const toSession = (result: Result): StoredSession =>
    toStored({ accessToken: result.session_token, refreshToken: result.refresh_token }, result.user.id)

  /** Stores the session of an answer, after the events of who was signed in before. */
  const enter = async (result: Result): Promise<SignedIn> => {
    const next = toSession(result)
    const before = await session.current()
    if (before !== null && before.userId !== next.userId) await flushBriefly()
    await session.replace(next)
    if (before !== null) void end(before)
    return { userId: next.userId }
  }

  /** Calls with the token of who is signed in, once more with a new one where that has ended, and else without. */
  const withSession = async <T>(
    isWanted: boolean,
    call: (more: { session_token?: string }) => Promise<T>,
  ): Promise<T> => {
    // Without a token the service would make another user.
    const known = isWanted && (await session.known()) !== null ? await session.fresh() : null
    if (known === null) return call({})
    try {
      return await call({ session_token: known.accessToken })
    } catch (error) {
      if (!isEnded(error)) throw error
      const renewed = await session.renew(known.accessToken)
      return call(renewed === null ? {} : { session_token: renewed.accessToken })
    }
  }

  const signInAnonymously = async (): Promise<SignedIn> => {
    const { userId } = await session.begin(async () => toSession((await api.POST("/client/auth/anonymous")).data))
    return { userId }
  }

  return {
    signInAnonymously: () => {
      // Called by two parts of an app at the same time, it makes one user.
      anonymous ??= signInAnonymously().finally(() => {
        anonymous = undefined
      })
      return anonymous
    },
    signUpWithEmail: async ({ upgrade = true, ...account }) =>
      enter(
        await withSession(upgrade, async (more) => {
          const { data } = await api.POST("/client/auth/email/signup", { body: { ...account, ...more } })
          return data
        }),
      ),
    signInWithEmail: async (body) => enter((await api.POST("/client/auth/email/login", { body })).data),
    requestMagicLink: async (email) => {
      await api.POST("/client/auth/magic-link/request", { body: { email } })
    },
    signInWithMagicLink: async (token, { upgrade = true } = {}) =>
      enter(
        await withSession(upgrade, async (more) => {
          const { data } = await api.POST("/client/auth/magic-link/verify", { body: { token, ...more } })
          return data
        }),
      ),
    signInWithSocial: async ({ upgrade = true, ...identity }) =>
      enter(
        await withSession(upgrade, async (more) => {
          const { data } = await api.POST("/client/auth/social", { body: { ...identity, ...more } })
          return data
        }),
      ),
    linkSocial: async (identity) =>
      enter(
        await withSession(true, async ({ session_token = "" }) => {
          const { data } = await api.POST("/client/auth/link", { body: { ...identity, session_token } })
          return data
        }),
      ),
    signOut: async () => {
      // Where nobody can tell who is signed in, they are forgotten all the same.
      if ((await session.known().catch(() => undefined)) === null) return
      await flushBriefly()
      // A refresh meanwhile has another token.
      const last = await session.current()
      await session.replace(null)
      if (last !== null) await end(last)
    },
  }
}
