import { randomBytes } from "node:crypto"
import { databaseUrl } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blocksOf, installPacked, node22, readmeExample } from "./installed-project.ts"

let installed: Awaited<ReturnType<typeof installPacked>>

beforeAll(async () => {
  installed = await installPacked()
}, 180_000)
afterAll(() => installed?.remove())

describe("packages that are installed with npm", { timeout: 60_000 }, () => {
  it("contain the build, the sources, a licence and a readme, and nothing else", () => {
    expect(installed.packed.map(({ name }) => name).sort()).toEqual([
      "@hearth/adapters",
      "@hearth/core",
      "@hearth/testing",
    ])
    for (const { files } of installed.packed) {
      const paths = files.map(({ path }) => path)
      expect(paths).toEqual(
        expect.arrayContaining([
          "LICENSE",
          "README.md",
          "package.json",
          "src/index.ts",
          "dist/index.js",
          "dist/index.d.ts",
        ]),
      )
      const known = /^(LICENSE|README\.md|package\.json|src\/.+\.ts|dist\/.+\.(js|d\.ts)(\.map)?)$/
      expect(paths.filter((path) => !known.test(path) || /\.test\.|\.tsbuildinfo|(^|\/)test\//.test(path))).toEqual([])
    }
  })

  it("run the example of the README, with the output that it says", async () => {
    const { code, prints } = await readmeExample("Embed the core")
    await installed.write("example.ts", code)
    expect(prints).not.toBe("")
    expect((await installed.node("example.ts")).trim()).toBe(prints)
  })

  // Node 22 is the oldest that they run on; .ci/run installs one and names it.
  it.skipIf(node22 === null)(
    "run the example of the README under Node 22 (skipped where NODE_22 names none)",
    async () => {
      const { code, prints } = await readmeExample("Embed the core")
      const node = node22 ?? ""
      await installed.write("version.ts", "console.log(process.version)\n")
      expect(await installed.node("version.ts", { node })).toMatch(/^v22\./)
      await installed.write("example.ts", code)
      expect((await installed.node("example.ts", { node })).trim()).toBe(prints)
      await installed.write("adapters.ts", 'console.log(Object.keys(await import("@hearth/adapters")).length > 10)\n')
      expect(await installed.node("adapters.ts", { node })).toBe("true\n")
    },
  )

  it("run every block of docs/embedding.md, with the output that it says", async () => {
    const blocks = await blocksOf("embedding.md")
    expect(blocks.length).toBe(4)
    // A control database of this run's own.
    const pathname = `/embedding_${randomBytes(5).toString("hex")}`
    const DATABASE_URL = Object.assign(new URL(databaseUrl()), { pathname }).href
    for (const [index, { code, prints }] of blocks.entries()) {
      const file = prints === "" ? `block-${index}.test.ts` : `block-${index}.ts`
      await installed.write(file, code)
      if (prints === "") expect(await installed.vitest(file)).toContain("passed")
      else expect(await installed.node(file, { DATABASE_URL })).toBe(prints)
    }
  })

  it("can be imported, the adapters too", async () => {
    const lines = installed.packed.map(({ name }) => `console.log(Object.keys(await import("${name}")).length > 10)`)
    await installed.write("imports.ts", `${lines.join("\n")}\nexport {}\n`)
    expect(await installed.node("imports.ts")).toBe("true\n".repeat(lines.length))
  })

  it("have types without errors in a strict project that checks libraries", async () => {
    await installed.write("types.ts", 'export * from "@hearth/adapters"\nexport * as testing from "@hearth/testing"\n')
    expect(await installed.typeErrors()).toEqual([])
  })
})
