/** The eight groups of an IPv6 address; null for any other text. */
const readGroups = (address: string): ReadonlyArray<number> | null => {
  if (!address.includes(":") || address.length > 45) return null
  const parse = (part: string | undefined) =>
    (part === undefined || part === "" ? [] : part.split(":")).flatMap((group) => {
      // The last 32 bits may be written like an IPv4 address.
      const [a, b, c, d] = group.includes(".") ? group.split(".").map(Number) : []
      if (a === undefined || b === undefined || c === undefined || d === undefined) return [Number.parseInt(group, 16)]
      return [a * 256 + b, c * 256 + d]
    })
  const [head, tail] = address.split("::")
  const [first, last] = [parse(head), parse(tail)]
  const missing = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...Array<number>(missing).fill(0), ...last]
}

/** An IPv4 address that is written as IPv6, as it is written otherwise; any other text as it is, in lower case. */
const unmap = (text: string): string => {
  const address = text.toLowerCase()
  const groups = readGroups(address)
  const [high = 0, low = 0] = groups?.slice(6) ?? []
  const isMapped = groups?.slice(0, 5).every((group) => group === 0) === true && groups[5] === 0xffff
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join(".") : address
}

/**
 * What a limit counts by: an IPv4 address, or the first 64 bits of an IPv6 address, because one client has all addresses
 * below them [B13]. Text that is no address stands for itself.
 */
export const limitSubject = (text: string): string => {
  const address = unmap(text)
  const groups = readGroups(address)
  if (groups === null) return address
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`
}

/** Whether an address is this machine's own: 127.0.0.0/8 or ::1. */
export const isLoopback = (text: string): boolean => {
  const address = unmap(text)
  const groups = readGroups(address)
  if (groups === null) return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address)
  return groups.every((group, index) => group === (index === 7 ? 1 : 0))
}
