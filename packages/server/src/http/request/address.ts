import { BlockList, isIP, isIPv4 } from "node:net"

/** Which `X-Forwarded-For` and `X-Forwarded-Host` are believed [B13]: none; those of the last n proxies; those of proxies in these networks (CIDR). */
export type TrustProxy = false | number | ReadonlyArray<string>

/** Finds the client's address from that of the socket and from `X-Forwarded-For`. */
export type AddressReader = (socket: string, forwarded: string | null) => string

const network = /^(.+?)(?:\/(\d{1,3}))?$/

/** Reads the setting `TRUST_PROXY`: empty, `off` or `false`; a number of proxies; or networks with commas between. Null where it is none of them. */
export const parseTrustProxy = (setting: string): TrustProxy | null => {
  const text = setting.trim()
  if (text === "" || text === "off" || text === "false" || text === "0") return false
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const networks = text.split(",").map((part) => part.trim())
  const good = networks.every((part) => {
    const [, address = "", bits = "0"] = network.exec(part) ?? []
    return isIP(address) !== 0 && Number(bits) <= (isIPv4(address) ? 32 : 128)
  })
  return good ? networks : null
}

/** An address without port, brackets, zone and IPv4-in-IPv6 prefix; null where it is none. */
const normalize = (text: string): string | null => {
  if (isIPv4(text)) return text
  const bare = text
    .trim()
    .replace(/^\[([^\]]+)\](?::\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/%.*$/, "")
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "")
  return isIP(bare) === 0 ? null : bare.toLowerCase()
}

const blockList = (networks: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const part of networks) {
    const [, address = "", bits] = network.exec(part) ?? []
    const family = isIPv4(address) ? "ipv4" : "ipv6"
    list.addSubnet(address, bits === undefined ? (family === "ipv4" ? 32 : 128) : Number(bits), family)
  }
  return list
}

/** Finds how many trusted proxies a call came through. */
export type ProxyCounter = (socket: string, forwarded: string | null) => number

/** Walks from the socket through the trusted proxies. Answers the first address that is not trusted, and how many proxies were passed. */
const walkBack = (trusted: BlockList, socket: string, forwarded: string | null) => {
  let nearest = normalize(socket) ?? socket
  let proxies = 0
  for (const hop of (forwarded ?? "").split(",").reverse()) {
    if (isIP(nearest) === 0 || !trusted.check(nearest, isIPv4(nearest) ? "ipv4" : "ipv6")) break
    const address = normalize(hop)
    if (address === null) break
    nearest = address
    proxies += 1
  }
  return { nearest, proxies }
}

/** Makes the reader of client addresses for a setting. Where a value is no address, the last good one counts. */
export const makeAddressReader = (trust: TrustProxy): AddressReader => {
  if (trust === false) return (socket) => normalize(socket) ?? socket
  if (typeof trust === "number") {
    return (socket, forwarded) => normalize(forwarded?.split(",").at(-trust) ?? "") ?? normalize(socket) ?? socket
  }
  const trusted = blockList(trust)
  return (socket, forwarded) => walkBack(trusted, socket, forwarded).nearest
}

/** Makes the counter of trusted proxies for a setting. One that does not write `X-Forwarded-For` is not seen. */
export const makeProxyCounter = (trust: TrustProxy): ProxyCounter => {
  if (trust === false) return () => 0
  if (typeof trust === "number") return () => trust
  const trusted = blockList(trust)
  return (socket, forwarded) => walkBack(trusted, socket, forwarded).proxies
}
