import { trimEnd } from "../trim-end.ts"

// A scheme with an authority, one that browsers give an authority to whatever slashes follow, or one that has none. What comes before
// a colon is looked at from there: a pattern that begins with any scheme is tried from each letter of a long word to its end.
const withScheme = /(?:(?:https?|ftp|wss?):[/\\]*|:(?<=[a-z][0-9+.-]*:)\/\/)([^\s/\\?#<>"'`]+)/gu
const withoutAuthority =
  /(?<![\p{L}\p{Nd}\p{M}_+.-])(?:(?:mailto|javascript|vbscript|tel|sms|magnet):[^\s]|data:[a-z]+\/)/u
// A file, or an app's own link. Not of the schemes above: of those a browser finds the host behind any number of slashes.
const emptyAuthority = /:(?<=[a-z][0-9+.-]*:)(?<!(?:https?|ftp|wss?):)\/\/[/?#][^\s]/u
const beginsWithWww = /(?<![\p{L}\p{Nd}\p{M}_./-])www\.[\p{L}\p{Nd}\p{M}][^\s/\\?#<>"'`]*/gu

const isHostCharacter = /^(?:\[[0-9a-f:.]+\]|[\p{L}\p{Nd}\p{M}_%。.~-]+)/u

// Longer ones open nothing, and their parents are not looked up. Written it may be longer: what is not seen is not there.
const longestHost = 253

const nameOf = (address: string) => trimEnd(new URL(address).hostname, ".")

/**
 * The host of an authority in lower-case punycode, without user info and port; "" where it has none that a browser would open.
 */
const readHost = (authority: string): string => {
  const [host = ""] = isHostCharacter.exec(authority.slice(authority.lastIndexOf("@") + 1)) ?? []
  // What is not special is not translated by the parser, so every host is read as one of the web.
  const address = `http://${host}`
  if (host === "" || !URL.canParse(address)) return ""
  const name = nameOf(address)
  return name.length > longestHost ? "" : name
}

/**
 * The hosts of the links in a normalized text [I6.1]: of URLs with a scheme, and those that begin with `www.`. A link without a host
 * is "".
 */
export const findHosts = (text: string): ReadonlyArray<string> => {
  const hosts: Array<string> = []
  for (const [, authority = ""] of text.matchAll(withScheme)) hosts.push(readHost(authority))
  for (const [authority] of text.matchAll(beginsWithWww)) hosts.push(readHost(authority))
  if (withoutAuthority.test(text) || emptyAuthority.test(text)) hosts.push("")
  return hosts
}

/** The host of an address that a field holds. */
export const hostOfAddress = (address: string): string => (URL.canParse(address) ? nameOf(address) : "")

/** A domain as it is compared; null where `value` is none: it has a scheme, a port, a path, or is no host. */
export const readDomain = (value: string): string | null => {
  const address = `http://${value}`
  if (value.length > 253 || /[\s/\\?#@:%<>[\]]/.test(value) || !URL.canParse(address)) return null
  return nameOf(address) || null
}

/** A host with its parent domains. */
export const listDomains = (host: string): ReadonlyArray<string> => {
  const domains = [host]
  for (let dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", dot + 1)) domains.push(host.slice(dot + 1))
  return domains
}
