import { describe, expect, it } from "vitest"
import { makeHostReader } from "../../src/http/request/host.ts"

const url = new URL("http://url.test:8080/n/a")
const read = (trust: Parameters<typeof makeHostReader>[0], headers: Record<string, string>, socket = "10.0.0.1") =>
  makeHostReader(trust)(socket, new Headers(headers), url)

describe("the host of a request", () => {
  it.each([
    ["notes.example", "notes.example"],
    ["Notes.EXAMPLE:8443", "notes.example"],
    ["notes.example.", "notes.example"],
    ["notes.example.:80", "notes.example"],
    ["localhost", "localhost"],
    ["127.0.0.1:8080", "127.0.0.1"],
    ["[::1]:8080", "[::1]"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["", ""],
    [":80", ""],
    ["notes.example:port", ""],
    ["notes..example", ""],
    ["notes.example/path", ""],
    ["user@notes.example", ""],
    ["notes.example, evil.example", ""],
    ["<script>", ""],
  ])("of %j is %j", (host, expected) => {
    expect(read(false, { host })).toBe(expected)
  })

  it("is that of the URL where there is no header", () => {
    expect(read(false, {})).toBe("url.test")
  })
})

describe("X-Forwarded-Host", () => {
  it.each([
    ["counts for nothing without a proxy", false, "a.example", "1.1.1.1", "inner.test"],
    ["is what the one proxy was asked for", 1, "A.example:443", "1.1.1.1", "a.example"],
    ["is what the one proxy was asked for, whatever the client wrote", 1, "evil.example, a.example", null, "a.example"],
    ["is what the first of two proxies was asked for", 2, "evil.example,a.example, b.example", null, "a.example"],
    ["is not there where there are fewer values than proxies", 2, "a.example", null, "inner.test"],
    ["is not there where it is nonsense", 1, "a.example, <script>", null, "inner.test"],
    ["is not there where it is empty", 1, "", null, "inner.test"],
    [
      "is what the trusted proxy was asked for",
      ["10.0.0.0/8"],
      "evil.example, a.example",
      "6.6.6.6, 1.1.1.1",
      "a.example",
    ],
    [
      "is what the outer of two was asked for",
      ["10.0.0.0/8"],
      "a.example, b.example",
      "1.1.1.1, 10.0.0.2",
      "a.example",
    ],
    ["counts for nothing from a socket that is not trusted", ["10.9.0.0/16"], "a.example", "1.1.1.1", "inner.test"],
    ["counts for nothing from one that forwards for nobody", ["10.0.0.0/8"], "a.example", null, "inner.test"],
  ] as const)("%s", (_, trust, forwarded, addresses, expected) => {
    const forwardedFor = addresses === null ? undefined : { "x-forwarded-for": addresses }
    expect(read(trust, { host: "inner.test", "x-forwarded-host": forwarded, ...forwardedFor })).toBe(expected)
  })
})
