import { createHash } from "node:crypto"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { chooseEncoding } from "../../src/http/pages/encoding.ts"
import { ask, sampleApp } from "./sample-app.ts"

const { app } = sampleApp()
const get = (path: string, headers: Record<string, string> = {}, method = "GET") => ask(app, method, path, { headers })

const page = await (await get("/docs")).text()
const [, bundle = ""] = /<script src="([^"]+)"/.exec(page) ?? []

describe("the API reference", () => {
  it("loads one script, which is here, and runs no other than its own", async () => {
    const response = await get("/docs")
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(page.match(/\ssrc=/g)).toHaveLength(1)
    expect(page).not.toMatch(/\son\w+=|javascript:/)
    const [, own = ""] = /<script>(.*?)<\/script>/s.exec(page) ?? []
    const hash = createHash("sha256").update(own).digest("base64")
    const policy = response.headers.get("content-security-policy") ?? ""
    expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}' 'self';`)
    expect(policy).toContain("connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    expect(own).toContain('"/openapi.json"')
    for (const setting of ["telemetry: false", "withDefaultFonts: false", "agent: { disabled: true }"])
      expect(own).toContain(setting)
  })

  it("may be kept for a year, under a name with its version", async () => {
    const { headers, status } = await get(bundle, {}, "HEAD")
    expect(status).toBe(200)
    expect(bundle).toMatch(/^\/docs\/scalar-\d+\.\d+\.\d+\.js$/)
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8")
    expect(headers.get("vary")).toBe("accept-encoding")
    expect((await get("/docs/scalar-0.0.0.js")).status).toBe(404)
  })

  it("sends the same script as it is, with gzip and with brotli", async () => {
    const read = async (encoding: string) => {
      const response = await get(bundle, { "accept-encoding": encoding })
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(response.headers.get("content-length")).toBe(String(bytes.length))
      return { bytes, encoding: response.headers.get("content-encoding") }
    }
    const [plain, gzip, br] = [await read("identity"), await read("gzip"), await read("gzip, deflate, br")]
    expect([plain.encoding, gzip.encoding, br.encoding]).toEqual([null, "gzip", "br"])
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
    expect(br.bytes.length).toBeLessThan(plain.bytes.length / 3)
  })
})

describe("the API document", () => {
  it("is compressed as the client takes it, and the same in every encoding", async () => {
    const texts = await Promise.all(
      ["identity", "gzip", "br"].map(async (encoding) => {
        const response = await get("/openapi.json", { "accept-encoding": encoding })
        const bytes = Buffer.from(await response.arrayBuffer())
        const encoded = response.headers.get("content-encoding")
        expect(encoded).toBe(encoding === "identity" ? null : encoding)
        if (encoded === null) return bytes.toString()
        return (encoded === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString()
      }),
    )
    expect(new Set(texts).size).toBe(1)
    expect(JSON.parse(texts[0] ?? "").openapi).toMatch(/^3\.1\./)
  })

  it("is not sent again to whoever has it in the encoding that is asked for", async () => {
    const first = await get("/openapi.json", { "accept-encoding": "br" })
    const tag = first.headers.get("etag") ?? ""
    expect(first.headers.get("cache-control")).toBe("no-cache")
    const again = await get("/openapi.json", { "accept-encoding": "br", "if-none-match": tag })
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", tag])
    const other = await get("/openapi.json", { "accept-encoding": "gzip", "if-none-match": tag })
    expect(other.status).toBe(200)
    const head = await get("/openapi.json", { "accept-encoding": "br" }, "HEAD")
    expect(head.headers.get("content-length")).toBe(String((await first.arrayBuffer()).byteLength))
  })
})

describe("the encoding that is chosen", () => {
  it.each([
    [null, null],
    ["", null],
    ["identity", null],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["BR;q=0.5, gzip", "br"],
    ["br;q=0, gzip;q=0.1", "gzip"],
    ["br; q=0.0, *", "gzip"],
    ["*", "br"],
    ["gzip;q=nonsense, br;q=0", "gzip"],
    [";;;,,,", null],
  ])("for %j is %j", (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding)
  })
})
