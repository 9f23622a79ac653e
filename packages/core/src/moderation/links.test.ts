import { describe, expect, it } from "vitest"
import { findHosts, listDomains, readDomain } from "./links.ts"
import { normalizeText } from "./normalize.ts"

describe("links", () => {
  it.each([
    ["see https://example.com/a?b#c.", ["example.com"]],
    ["HTTPS://EXAMPLE.COM", ["example.com"]],
    ["https://example.com.", ["example.com"]],
    ["(http://example.com), and ftp://files.example.com!", ["example.com", "files.example.com"]],
    ["http://example.com:8080/x", ["example.com"]],
    ["http://good.com:pass@evil.com/", ["evil.com"]],
    ["http://good.com@evil.com", ["evil.com"]],
    ["http://a@b@evil.com", ["evil.com"]],
    ["http://evil.com\\@good.com", ["evil.com"]],
    ["https:evil.com", ["evil.com"]],
    ["https:\\\\evil.com", ["evil.com"]],
    ["http:///evil.com", ["evil.com"]],
    ["http://%65vil.com", ["evil.com"]],
    ["http://bücher.example", ["xn--bcher-kva.example"]],
    ["http://xn--bcher-kva.example", ["xn--bcher-kva.example"]],
    ["http://evil。com", ["evil.com"]],
    ["ｈｔｔｐ：／／ｅｖｉｌ．ｃｏｍ", ["evil.com"]],
    ["http://ev\u200bil.com", ["evil.com"]],
    ["http://2130706433/", ["127.0.0.1"]],
    ["http://0x7f.1", ["127.0.0.1"]],
    ["http://[::1]:80/", ["[::1]"]],
    ["myapp://open/x", ["open"]],
    ["www.example.com", ["www.example.com"]],
    ["go to WWW.Example.com/x now", ["www.example.com"]],
    ["(www.example.com)", ["www.example.com"]],
    ["site:www.example.com", ["www.example.com"]],
    ["网址：www.example.com", ["www.example.com"]],
    ["https://www.example.com", ["www.example.com"]],
    ["awww.example.com", []],
    ["foo.www.example.com", []],
    ["www. example.com", []],
    ["www.", []],
    ["example.com", []],
    ["me@example.com", []],
    ["note: this", []],
    ["a://", []],
    ["http://", []],
    ["http:// example.com", []],
    ["mailto:me@example.com", [""]],
    ["javascript:alert(1)", [""]],
    ["data:text/html,x", [""]],
    ["file:///etc/passwd", [""]],
    ["open myapp:///notes/1 now", [""]],
    ["MyApp://?note=1", [""]],
    ["a:///", []],
    ["a:/// b", []],
    [":///a", []],
    ["/// a comment", []],
    ["http://???", []],
    ["http://!!!", [""]],
    ["", []],
  ])("are found in %j [I6.1]", (text, hosts) => {
    expect(findHosts(normalizeText(text))).toEqual(hosts)
  })

  it.each([
    ["example.com", "example.com"],
    ["Example.COM", "example.com"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["example.com.", "example.com"],
    ["localhost", "localhost"],
    ["127.0.0.1", "127.0.0.1"],
    ["https://example.com", null],
    ["example.com/", null],
    ["example.com:80", null],
    ["a@example.com", null],
    ["*.example.com", "*.example.com"],
    ["exa mple.com", null],
    ["", null],
    [".", null],
    ["%65.com", null],
    ["a".repeat(254), null],
  ])("are compared with the domain %j as %j", (domain, expected) => {
    expect(readDomain(domain)).toBe(expected)
  })

  it.each([
    ["example.com", true],
    ["a.b.example.com", true],
    ["notexample.com", false],
    ["example.com.evil", false],
    ["com", false],
    ["", false],
  ])("%j is under example.com: %j [I6.1]", (host, expected) => {
    expect(listDomains(host).includes("example.com")).toBe(expected)
  })

  it("are found in a time that is linear in the text", () => {
    for (const text of [
      "a".repeat(20_000),
      "a.".repeat(10_000),
      "http:".repeat(4_000),
      "www.a".repeat(4_000),
      "http://@".repeat(2_500),
      "a".repeat(1_000_000),
      `${"1".repeat(1_000_000)}:`,
      "a:///".repeat(200_000),
    ])
      expect(findHosts(text).length).toBeLessThan(10_000)
  })

  it("without a domain that there can be have none, and nothing is looked up for it", () => {
    expect(findHosts(`http://${"a.".repeat(126)}b`)).toEqual([`${"a.".repeat(126)}b`])
    expect(findHosts(`http://${"a.".repeat(126)}bc`)).toEqual([""])
    expect(findHosts(`http://${"%62".repeat(253)}`)).toEqual(["b".repeat(253)])
    expect(findHosts(`http://${"a.".repeat(1_000_000)}`)).toEqual([""])
    expect(findHosts(`http://a${".".repeat(1_000_000)}b`)).toEqual([""])
    // A browser leaves soft hyphens out of a host, however many there are.
    expect(findHosts(`http://${"%c2%ad".repeat(1_000)}evil.com`)).toEqual(["evil.com"])
  })
})
