import { trimEnd } from "../trim-end.ts"

/** The origins of links, besides those that a project allows [B11]. */
export interface MagicLinkOrigins {
  /** The origin of every link: `MAGIC_LINK_REDIRECT_BASE_URL`. Null when it is not set. */
  readonly fixed: string | null
  /** The default origin: `APP_URL`. */
  readonly app: string
  /** Whether loopback origins are allowed: only while running embedded. */
  readonly allowLoopback: boolean
}

const loopback = /^https?:\/\/(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

const trimSlashes = (origin: string) => trimEnd(origin, "/")

/**
 * The origin of a link, in the spec's order of precedence: the fixed one, the request's, the app's; without a trailing slash.
 * The request's origin is used only when the project allows it, or when it is a loopback origin and those are allowed.
 * Otherwise an attacker could have a link mailed that sends the token to their own page [B11, deviation].
 */
export const chooseOrigin = (
  { fixed, app, allowLoopback }: MagicLinkOrigins,
  allowed: ReadonlyArray<string>,
  requested: string | null,
): string => {
  if (fixed !== null) return trimSlashes(fixed)
  const own = requested === null ? null : trimSlashes(requested).toLowerCase()
  if (own === null) return trimSlashes(app)
  const isAllowed = allowed.some((origin) => trimSlashes(origin).toLowerCase() === own)
  return isAllowed || (allowLoopback && loopback.test(own)) ? own : trimSlashes(app)
}
