import { makeProxyCounter, type TrustProxy } from "./address.ts"

/** Finds the host of a request: lower case, without port and last dot. Empty where there is none. */
export type HostReader = (socket: string, headers: Headers, url: URL) => string

const name = /^(\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*)\.?(?::\d{1,5})?$/

const normalize = (text: string): string | null => name.exec(text.trim().toLowerCase())?.[1] ?? null

/**
 * Makes the reader of hosts for a setting. `X-Forwarded-Host` counts as `X-Forwarded-For` does: the value that the outermost trusted
 * proxy wrote. Where there is none, or it is no host, `Host` is read.
 */
export const makeHostReader = (trust: TrustProxy): HostReader => {
  const countProxies = makeProxyCounter(trust)
  return (socket, headers, url) => {
    const proxies = countProxies(socket, headers.get("x-forwarded-for"))
    const forwarded = proxies === 0 ? null : headers.get("x-forwarded-host")
    return normalize(forwarded?.split(",").at(-proxies) ?? "") ?? normalize(headers.get("host") ?? url.host) ?? ""
  }
}
