import { makeProxyCounter, type TrustProxy } from "./address.ts"

/** Finds the address under which the caller reaches the service: `https://api.example`, without a slash at the end. */
export type OriginReader = (socket: string, headers: Headers, url: URL) => string

const hostPattern = /^(?:\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*\.?)(?::\d{1,5})?$/i

/** The value that the outermost of so many trusted proxies wrote. */
const outermost = (header: string | null, proxies: number): string | null =>
  proxies === 0 ? null : (header?.split(",").at(-proxies)?.trim() ?? null)

/**
 * Makes the reader of origins. PUBLIC_URL is always the answer where it is set. Else the request says it; `X-Forwarded-Host` and
 * `X-Forwarded-Proto` count as `X-Forwarded-For` does. Only whoever sent the request is told this answer, and it is stored nowhere.
 */
export const makeOriginReader = (trust: TrustProxy, publicUrl: string | null): OriginReader => {
  if (publicUrl !== null) return () => publicUrl
  const countProxies = makeProxyCounter(trust)
  return (socket, headers, url) => {
    const proxies = countProxies(socket, headers.get("x-forwarded-for"))
    const asked = [outermost(headers.get("x-forwarded-host"), proxies), headers.get("host"), url.host]
    const host = asked.find((each) => each !== null && hostPattern.test(each)) ?? "localhost"
    const forwarded = outermost(headers.get("x-forwarded-proto"), proxies)
    const scheme =
      forwarded !== null && /^https?$/i.test(forwarded) ? forwarded.toLowerCase() : url.protocol.slice(0, -1)
    return `${scheme}://${host}`
  }
}
