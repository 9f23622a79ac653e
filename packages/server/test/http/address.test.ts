import { describe, expect, it } from "vitest"
import { makeAddressReader, parseTrustProxy } from "../../src/http/request/address.ts"

describe("TRUST_PROXY", () => {
  it.each([
    ["", false],
    ["off", false],
    ["0", false],
    [" 2 ", 2],
    ["10.0.0.0/8, ::1", ["10.0.0.0/8", "::1"]],
    ["everyone", null],
    ["-1", null],
    ["10.0.0.0/33", null],
    ["10.0.0/8", null],
    ["10.0.0.1,", null],
    ["fc00::/129", null],
  ])("%j means %j", (setting, expected) => {
    expect(parseTrustProxy(setting)).toEqual(expected)
  })
})

describe("the client's address", () => {
  it.each([
    ["the socket, whatever is forwarded", false, "9.9.9.9", "1.1.1.1", "9.9.9.9"],
    ["IPv4 where the socket speaks IPv6", false, "::ffff:9.9.9.9", null, "9.9.9.9"],
    ["what the one proxy saw", 1, "10.0.0.1", "6.6.6.6, 1.1.1.1", "1.1.1.1"],
    ["what the first of two proxies saw", 2, "10.0.0.1", "6.6.6.6, 1.1.1.1,10.0.0.2", "1.1.1.1"],
    ["the socket where there are fewer proxies than said", 2, "10.0.0.1", "1.1.1.1", "10.0.0.1"],
    ["the socket where nothing is forwarded", 1, "10.0.0.1", null, "10.0.0.1"],
    ["the socket where nonsense is forwarded", 1, "10.0.0.1", "<script>", "10.0.0.1"],
    ["without the port", 1, "10.0.0.1", "1.1.1.1:4711", "1.1.1.1"],
    ["without brackets and port", 1, "10.0.0.1", "[2001:DB8::1]:80", "2001:db8::1"],
    ["the nearest that is not trusted", ["10.0.0.0/8"], "10.0.0.1", "6.6.6.6, 1.1.1.1, 10.9.9.9", "1.1.1.1"],
    ["the socket where that is not trusted", ["10.0.0.0/8"], "9.9.9.9", "1.1.1.1", "9.9.9.9"],
    ["the last good one before nonsense", ["10.0.0.0/8"], "10.0.0.1", "1.1.1.1, x, 10.0.0.2", "10.0.0.2"],
    ["the outermost where all are trusted", ["10.0.0.0/8", "::1"], "::1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ] as const)("is %s", (_, trust, socket, forwarded, expected) => {
    expect(makeAddressReader(trust)(socket, forwarded)).toBe(expected)
  })
})
