import { type AdminPaths, type Api, makeApi } from "./api.ts"
import { makeAuthorized } from "./authorize.ts"
import type { components } from "./generated/components.ts"
import { makeSession, type SignedOutReason, toStored } from "./session.ts"
import { defaultStorage, type HearthStorage, makeSafeStorage } from "./storage.ts"
import { listen } from "./surroundings.ts"
import { makeSend, type TransportOptions } from "./transport.ts"

type Schemas = components["schemas"]

/** The options of a developer's session. */
export interface DeveloperOptions extends TransportOptions {
  /** Where the service is, with or without `/v1`. */
  readonly url: string
  /** Where the tokens are kept: `localStorage` in browsers and memory elsewhere, where left out. */
  readonly storage?: HearthStorage
  /** Nobody is signed in any more. */
  readonly onSignedOut?: (reason: SignedOutReason) => void
}

/** A developer who signs in with a form: for consoles and other pages. It keeps tokens, and no password. */
export interface HearthDeveloperClient {
  /** Every route of a developer: `developer.api.GET("/admin/projects")`. */
  readonly api: Api<AdminPaths>
  /** The id of who is signed in; null where nobody is. Needs no network. */
  session(): Promise<{ readonly developerId: string } | null>
  /** Makes an account and signs in. */
  signUp(account: Schemas["DeveloperSignup"]): Promise<Schemas["Developer"]>
  signIn(credentials: { readonly email: string; readonly password: string }): Promise<Schemas["Developer"]>
  /** Ends the session, on the service too where it can be reached. */
  signOut(): Promise<void>
  /** A request of one's own, with the token of the session: for what is no JSON. */
  fetch(request: Request): Promise<Response>
  /** Ends listeners. What is stored stays. */
  close(): void
}

// Signing in and refreshing need no token; all others of a developer do.
const isPublic = (url: string): boolean => /\/v1\/auth\/developer\/(?!me$)/.test(url)

/** Makes the client of a developer who signs in and out. It sends nothing before it is asked to. */
export const createDeveloperClient = (options: DeveloperOptions): HearthDeveloperClient => {
  const { url, storage = defaultStorage(), onSignedOut } = options
  const send = makeSend(options, () => {})
  const key = `hearth.developer.${url}`
  const session = makeSession({
    storage: makeSafeStorage(storage, () => {}),
    key,
    refresh: async (refresh_token) => {
      const { data } = await api.POST("/auth/developer/refresh", { body: { refresh_token } })
      return { accessToken: data.access_token, refreshToken: data.refresh_token }
    },
    onChange: (now, before, reason) => {
      if (now === null && before !== null) onSignedOut?.(reason)
    },
  })
  const authorized = makeAuthorized(session, send, "UNAUTHORIZED")
  const api: Api<AdminPaths> = makeApi<AdminPaths>(url, (request, how) =>
    isPublic(request.url) ? send(request, how) : authorized(request, how),
  )

  const keep = async (data: Schemas["DeveloperTokens"]) => {
    const pair = { accessToken: data.access_token, refreshToken: data.refresh_token }
    await session.replace(toStored(pair, data.developer.id))
    return data.developer
  }
  const stopListening = listen("storage", (event) => {
    if (event.key === key || event.key === null) void session.reload()
  })

  return {
    api,
    session: async () => {
      const found = await session.current()
      return found === null ? null : { developerId: found.userId }
    },
    signUp: async (body) => keep((await api.POST("/auth/developer/signup", { body })).data),
    signIn: async (body) => keep((await api.POST("/auth/developer/login", { body })).data),
    signOut: async () => {
      const found = await session.current()
      await session.replace(null)
      if (found === null) return
      // Who has no network is signed out here all the same.
      await api.POST("/auth/developer/logout", { body: { refresh_token: found.refreshToken } }).catch(() => {})
    },
    fetch: (request) => authorized(request, { repeatable: request.method === "GET" }),
    close: stopListening,
  }
}
