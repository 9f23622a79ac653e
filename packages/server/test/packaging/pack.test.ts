import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { databaseUrl } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeFolder, removeFolder } from "../harness/data-dir.ts"
import { launch } from "../harness/process.ts"
import { sqlOf } from "../harness/sql.ts"
import { consumers } from "./consumers.ts"
import { blocksOf, findOldNode, installPacked, node22, readmeExample } from "./installed-project.ts"
import { otherFiles, published } from "./published.ts"
import { listUseCaseTexts } from "./use-case-texts.ts"

const oldNode = await findOldNode()

let installed: Awaited<ReturnType<typeof installPacked>>

beforeAll(async () => {
  installed = await installPacked()
}, 900_000)
afterAll(() => installed?.remove())

const modules = published.filter(({ isModule }) => isModule).map(({ name }) => name)
const entries = [...modules, "@hearth/testing/contracts", "@hearth/core/streaks"]

// The suites run under vitest, where they are collected; all other entries are plain modules.
const importAll = modules.map((name) => `console.log(Object.keys(await import("${name}")).length > 0)`).join("\n")

describe("packages that are installed with npm", () => {
  it("are all that are published, and contain the build, a licence and a readme, and nothing else", () => {
    expect(installed.packed.map(({ name }) => name).sort()).toEqual(published.map(({ name }) => name))
    for (const { name, isModule } of published) {
      const paths = installed.packed.find((each) => each.name === name)?.files.map(({ path }) => path) ?? []
      const needed = ["LICENSE", "README.md", "package.json", ...(isModule ? ["dist/index.js", "dist/index.d.ts"] : [])]
      expect(paths).toEqual(expect.arrayContaining(needed))
      const known = /^(LICENSE|README\.md|package\.json|dist\/.+\.(js|d\.ts))$/
      const unknown = paths.filter((path) => !known.test(path) && otherFiles[name]?.test(path) !== true)
      expect([name, ...unknown, ...paths.filter((path) => /\.test\.|^dist\/generate\//.test(path))]).toEqual([name])
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
      expect(await installed.node("imports.ts", { node })).toBe("true\n".repeat(modules.length))
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
    expect(await installed.node("imports.ts")).toBe("true\n".repeat(modules.length))
  })

  it("have types without errors in a strict project that checks libraries", async () => {
    await installed.write("types.ts", entries.map((name, index) => `export * as e${index} from "${name}"\n`).join(""))
    for (const [name, code] of Object.entries(consumers)) await installed.write(`consumer-${name}.ts`, code)
    expect(await installed.typeErrors()).toEqual([])
  })
})

describe("what an editor shows of the installed core", () => {
  it("is a text at every use case", () => {
    const texts = listUseCaseTexts(installed.project)
    expect(texts.length).toBeGreaterThan(300)
    expect(texts.filter(({ text }) => text === "").map(({ path }) => path)).toEqual([])
  })
})

const statusOf = async (url: string): Promise<number> => {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  return answer.status
}

/** A script of a page, found in it by its address. */
const scriptOf = async (address: string, pattern: RegExp): Promise<string> => {
  const page = await fetch(address)
  const [, src = ""] = pattern.exec(await page.text()) ?? []
  const script = await fetch(new URL(src, page.url))
  expect(script.headers.get("content-type")).toMatch(/^text\/javascript/)
  return script.text()
}

describe(`the packed hearth, under ${node22 === null ? "the Node of the tests (NODE_22 names none)" : "Node 22"}`, () => {
  const bin = () => join(installed.project, "node_modules/.bin/hearth")
  const node = node22 ?? process.execPath

  it("is a command of the project that it is installed in", async () => {
    expect(await installed.npx("hearth", "--version")).toMatch(/^\d+\.\d+\.\d+\n$/)
    const keys = launch(bin(), { node, args: ["keys"] })
    expect(await keys.ended).toEqual({ code: 0, signal: null })
    expect(keys.output()).toMatch(/^JWT_KEYS='\{.+\}'\nSECRETS_KEY='.+'\n$/)
  })

  it("starts in an empty folder with a database of its own, shows its reference and its console, and stops", async () => {
    const cwd = makeFolder()
    try {
      const server = launch(bin(), { node, cwd, args: ["start"], environment: { PORT: "0" } })
      const [, url = ""] = await server.says(/API +(\S+)\/v1/)
      expect(await statusOf(`${url}/health/ready`)).toBe(200)
      expect((await scriptOf(`${url}/docs`, /src="([^"]*scalar-[^"]+\.js)"/)).length).toBeGreaterThan(1_000_000)
      expect((await scriptOf(`${url}/console`, /src="([^"]*\/assets\/[^"]+\.js)"/)).length).toBeGreaterThan(1_000)
      expect(await server.end("SIGTERM")).toEqual({ code: 0, signal: null })
    } finally {
      await removeFolder(join(cwd, "data"))
      await removeFolder(cwd)
    }
  })

  it.skipIf(oldNode === null)("says which Node it needs (skipped where the PATH has no old one)", async () => {
    await expect(installed.run(oldNode ?? "", bin(), "--version")).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^hearth needs Node 22\.19 or newer, and this is \d+\.\d+\.\d+: see \S+\.\n$/),
    })
  })
})
