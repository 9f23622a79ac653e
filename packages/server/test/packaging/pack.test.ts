import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { installPacked, readmeExample } from "./installed-project.ts"

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
