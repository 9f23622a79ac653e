import { HearthError } from "./error.ts"
import type { Session, StoredSession } from "./session.ts"
import type { Send, SendOptions } from "./transport.ts"

/** The request with a token. */
export const withToken = (request: Request, { accessToken }: StoredSession): Request => {
  const sent = request.clone()
  sent.headers.set("authorization", `Bearer ${accessToken}`)
  return sent
}

/** Sends requests as who is signed in, or without a token. */
export type SendAuthorized = (request: Request, options: SendOptions, user?: string) => Promise<Response>

/**
 * Sends requests with the token of the session, and once more with a new one where it is refused with `code`. `user` is the
 * one whose request it is: it is never sent as somebody else who has signed in meanwhile.
 */
export const makeAuthorized =
  (session: Session, send: Send, code: string): SendAuthorized =>
  async (request, options, user) => {
    const first = await session.fresh()
    if (user !== undefined && first?.userId !== user) {
      throw new HearthError("UNAUTHORIZED", "The user is not signed in any more.", { status: 401 })
    }
    if (first === null) return send(request, options)
    try {
      return await send(withToken(request, first), options)
    } catch (error) {
      if (!(error instanceof HearthError) || error.status !== 401 || error.code !== code) throw error
      const renewed = await session.renew(first.accessToken)
      if (renewed === null || renewed.userId !== first.userId) throw error
      return send(withToken(request, renewed), options)
    }
  }
