import { type AdminPaths, type Api, makeApi } from "./api.ts"
import { makeAuthorized } from "./authorize.ts"
import { HearthError } from "./error.ts"
import { makeSession, type StoredSession, toStored } from "./session.ts"
import { type HearthStorage, makeSafeStorage, memoryStorage } from "./storage.ts"
import { withLock } from "./surroundings.ts"
import { makeSend, type TransportOptions } from "./transport.ts"

/** The account of a developer. */
export interface Credentials {
  readonly email: string
  readonly password: string
}

/** The options of a developer's client. */
export type AdminOptions = TransportOptions & {
  /** Where the service is, with or without `/v1`. */
  readonly url: string
} & (
    | {
        /** An access token, or what answers one for each call. */
        readonly token: string | (() => string | Promise<string>)
      }
    | {
        /** Signs in with the first call, and again whenever the session has ended. */
        readonly credentials: Credentials
        /** Where the tokens are kept; in memory where left out. */
        readonly storage?: HearthStorage
      }
  )

/** The client of a developer: for your backend and for tools. It knows no app and no user. */
export interface HearthAdminClient {
  /** Every route of a developer: `admin.api.GET("/admin/projects")`. */
  readonly api: Api<AdminPaths>
}

// Signing in and refreshing need no token; all others of a developer do.
const isPublic = (url: string): boolean => /\/v1\/auth\/developer\/(?!me$)/.test(url)

const isText = (value: unknown): boolean => typeof value === "string" && value !== ""

// A variable that is not set would be the token "undefined" to the service, or an account without a password.
const isToken = (token: unknown): boolean => isText(token) || typeof token === "function"

/** Makes the client of a developer. Throws a `TypeError` where `url` is no address, or with neither a token nor whole credentials. */
export const createAdminClient = (options: AdminOptions): HearthAdminClient => {
  const given: Partial<{ token: unknown; credentials: Partial<Credentials> }> = options
  if (!isToken(given.token) && !(isText(given.credentials?.email) && isText(given.credentials?.password)))
    throw new TypeError("An admin client needs a token, or credentials: { email, password }.")
  const send = makeSend(options, () => {})
  if ("token" in options && isToken(options.token)) {
    const { token, url } = options
    const api = makeApi<AdminPaths>(url, async (request, how) => {
      const value = typeof token === "function" ? await token() : token
      if (!isPublic(request.url)) request.headers.set("authorization", `Bearer ${value}`)
      return send(request, how)
    })
    return { api }
  }

  const {
    url,
    credentials,
    storage = memoryStorage(),
  } = options as Extract<AdminOptions, { readonly credentials: unknown }>
  const key = `hearth.developer.${url}.${credentials.email}`
  const session = makeSession({
    // What it cannot keep it gets again, with the credentials.
    storage: makeSafeStorage(storage, () => {}),
    key,
    refresh: async (refresh_token) => {
      const { data } = await api.POST("/auth/developer/refresh", { body: { refresh_token } })
      return { accessToken: data.access_token, refreshToken: data.refresh_token }
    },
    onChange: () => {},
  })

  /** Once, however many calls wait for it. */
  const signIn = (): Promise<StoredSession | null> =>
    withLock(`${key}.sign-in`, async () => {
      const known = await session.current()
      if (known !== null) return known
      const { data } = await api.POST("/auth/developer/login", { body: credentials })
      const pair = { accessToken: data.access_token, refreshToken: data.refresh_token }
      return session.replace(toStored(pair, data.developer.id))
    })

  const authorized = makeAuthorized(session, send, "UNAUTHORIZED")
  const api: Api<AdminPaths> = makeApi<AdminPaths>(url, async (request, how) => {
    if (isPublic(request.url)) return send(request, how)
    await signIn()
    try {
      return await authorized(request, how)
    } catch (error) {
      // The session has ended. The credentials may still be good.
      if (!(error instanceof HearthError) || error.status !== 401 || session.peek() !== null) throw error
      await signIn()
      return authorized(request, how)
    }
  })
  return { api }
}
