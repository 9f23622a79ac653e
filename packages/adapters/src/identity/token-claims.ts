import type { TokenClaims, TokenKind } from "@hearth/core"

/** The claims in `from`, if they are those of a token of this kind: end users' tokens name a project, developers' do not. */
export const readClaims = (
  kind: TokenKind,
  { sub, pid, sid, jti }: { readonly [name in keyof TokenClaims]?: unknown },
): TokenClaims | undefined => {
  if (!isText(sub) || !isText(sid) || !isText(jti)) return undefined
  if (kind === "session" || kind === "refresh") return isText(pid) ? { sub, pid, sid, jti } : undefined
  return pid === undefined ? { sub, sid, jti } : undefined
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
