import { InvalidToken } from "../failure.ts"
import type { TokenKind } from "./tokens.ts"

const names: Readonly<Record<TokenKind, string>> = {
  session: "a user's session token",
  refresh: "a user's refresh token",
  developer_access: "a developer's access token",
  developer_refresh: "a developer's refresh token",
}

/** Why a token is refused. Only of one that we signed is more told than that it is none of ours. */
export type TokenFault = "malformed" | "not ours" | { readonly expired_at: Date } | { readonly is: TokenKind }

/** The refusal of a token where one of `kind` is needed, with a sentence that says why. */
export const refuseToken = (kind: TokenKind, fault: TokenFault): InvalidToken => {
  if (fault === "malformed")
    return new InvalidToken(undefined, `The token is malformed: ${names[kind]} is needed, as it was issued.`)
  if (fault === "not ours")
    return new InvalidToken(undefined, "The token was not issued by this service, or its signing key is gone.")
  if ("is" in fault) return new InvalidToken(undefined, `This is ${names[fault.is]}; ${names[kind]} is needed.`)
  return new InvalidToken(undefined, `The token expired at ${fault.expired_at.toISOString()}.`)
}
