/** Where links may point to, beside what a project allows [B11]. */
export interface MagicLinkOrigins {
  /** Every link points here, whoever asks: `MAGIC_LINK_REDIRECT_BASE_URL`. Null where it is not set. */
  readonly fixed: string | null
  /** Where a link points to that nothing else decides: `APP_URL`. */
  readonly app: string
  /** Whether a page on this machine may have links to itself: while running embedded. */
  readonly allowLoopback: boolean
}

const loopback = /^https?:\/\/(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

const trimSlashes = (origin: string) => origin.replace(/\/+$/, "")

/**
 * The origin that a link gets, in the spec's order of precedence: the fixed one, the request's own, the app's; without a slash
 * at its end. The request's own counts only where the project allows it, or on this machine while running embedded: with a
 * free one, anybody could have a link mailed that gives its token to them [B11, deviation].
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
