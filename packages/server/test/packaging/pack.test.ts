import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { installPacked, readmeExample } from "./stranger.ts"

let stranger: Awaited<ReturnType<typeof installPacked>>

beforeAll(async () => {
  stranger = await installPacked()
}, 180_000)
afterAll(() => stranger?.remove())

describe("packages that a stranger has installed with npm", { timeout: 60_000 }, () => {
  it("contain what was built, its sources, a licence and a readme, and nothing else", () => {
    expect(stranger.packed.map(({ name }) => name).sort()).toEqual([
      "@hearth/adapters",
      "@hearth/core",
      "@hearth/testing",
    ])
    for (const { files } of stranger.packed) {
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

  it("run the example of the README, which prints what it says", async () => {
    const { code, prints } = await readmeExample("Embed the core")
    await stranger.write("example.ts", code)
    expect(prints).not.toBe("")
    expect((await stranger.node("example.ts")).trim()).toBe(prints)
  })

  it("can be imported, the adapters too", async () => {
    const lines = stranger.packed.map(({ name }) => `console.log(Object.keys(await import("${name}")).length > 10)`)
    await stranger.write("imports.ts", `${lines.join("\n")}\nexport {}\n`)
    expect(await stranger.node("imports.ts")).toBe("true\n".repeat(lines.length))
  })

  it("have types that hold in a strict project, in which nothing is left unchecked", async () => {
    await stranger.write("types.ts", 'export * from "@hearth/adapters"\nexport * as testing from "@hearth/testing"\n')
    expect(await stranger.typeErrors()).toEqual([])
  })
})
