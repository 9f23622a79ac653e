import { randomBytes } from "node:crypto"
import { databaseUrl } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sqlOf } from "../harness/sql.ts"
import { blocksOf, installPacked, node22, readmeExample } from "./installed-project.ts"

let installed: Awaited<ReturnType<typeof installPacked>>

beforeAll(async () => {
  installed = await installPacked()
}, 300_000)
afterAll(() => installed?.remove())

const names = ["adapters", "core", "testing"].map((name) => `@hearth/${name}`)
const entries = [...names, "@hearth/testing/contracts", "@hearth/core/streaks"]

// The suites run under vitest, where they are collected; all other entries are plain modules.
const importAll = names.map((name) => `console.log(Object.keys(await import("${name}")).length > 1)`).join("\n")

describe("packages that are installed with npm", () => {
  it("contain the build, a licence and a readme, and nothing else", () => {
    expect(installed.packed.map(({ name }) => name).sort()).toEqual(names)
    for (const { name, files } of installed.packed) {
      const paths = files.map(({ path }) => path)
      expect(paths).toEqual(
        expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/index.js", "dist/index.d.ts"]),
      )
      const known = /^(LICENSE|README\.md|package\.json|dist\/.+\.(js|d\.ts))$/
      const unknown = paths.filter((path) => !known.test(path))
      expect([name, ...unknown, ...paths.filter((path) => /\.test\./.test(path))]).toEqual([name])
    }
  })

  it("take at most 70 MB for the core and the world in memory", async () => {
    expect(await installed.measure("@hearth/testing")).toBeLessThanOrEqual(70 * 1024)
  })

  it("give the world in memory without vitest and fast-check, which only the suites need", () => {
    expect(installed.importedWithoutPeers).toBe("function ERR_MODULE_NOT_FOUND\n")
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
      await installed.write("imports.ts", `${importAll}\nexport {}\n`)
      expect(await installed.node("imports.ts", { node })).toBe("true\n".repeat(names.length))
    },
  )

  it("run every block of docs/embedding.md, with the output that it says", async () => {
    const blocks = await blocksOf("embedding.md")
    expect(blocks.length).toBe(4)
    // A control database of this run's own.
    const database = `embedding_${randomBytes(5).toString("hex")}`
    await sqlOf(databaseUrl).rows("postgres", `create database ${database}`)
    const DATABASE_URL = Object.assign(new URL(databaseUrl()), { pathname: `/${database}` }).href
    for (const [index, { code, prints }] of blocks.entries()) {
      const file = prints === "" ? `block-${index}.test.ts` : `block-${index}.ts`
      await installed.write(file, code)
      if (prints === "") expect(await installed.vitest(file)).toContain("passed")
      else expect(await installed.node(file, { DATABASE_URL })).toBe(prints)
    }
  })

  it("can be imported", async () => {
    await installed.write("imports.ts", `${importAll}\nexport {}\n`)
    expect(await installed.node("imports.ts")).toBe("true\n".repeat(names.length))
  })

  it("have types without errors in a strict project that checks libraries", async () => {
    await installed.write("types.ts", entries.map((name, index) => `export * as e${index} from "${name}"\n`).join(""))
    expect(await installed.typeErrors()).toEqual([])
  })
})
