import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { describe, expect, it } from "vitest"

const bundle = async (code: string) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    metafile: true,
    logLevel: "error",
  })
  return { bytes: gzipSync(outputFiles[0]?.contents ?? "").length, files: Object.keys(metafile.inputs) }
}

describe("the client in a page", () => {
  it("has at most 12 KB, minified and compressed, with all that it needs", async () => {
    const { bytes, files } = await bundle('export * from "../src/index.ts"')
    expect(bytes).toBeLessThanOrEqual(12_000)
    const others = files.filter((file) => file.includes("node_modules"))
    expect(others.every((file) => file.includes("/openapi-fetch/"))).toBe(true)
  })

  it("has no more of it than the page uses", async () => {
    const whole = await bundle('export * from "../src/index.ts"')
    const app = await bundle('export { createClient } from "../src/index.ts"')
    const nothing = await bundle('import "../src/index.ts"')
    expect(app.bytes).toBeLessThan(whole.bytes)
    expect(nothing.bytes).toBeLessThan(100)
  })
})
