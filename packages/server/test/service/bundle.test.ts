import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { transform } from "esbuild"
import { afterAll, describe, expect, it } from "vitest"
import { originalStack } from "../../src/http/routing/original-stack.ts"
import { makeHarness } from "../harness/harness.ts"

const server = join(import.meta.dirname, "../..")
const run = promisify(execFile)
const harness = makeHarness()
afterAll(harness.clear)

type FindProgram = (name: string) => string | null

/** A repository with one source, in which `find-program.js` is. Its builder, where it has one, makes a bundle with the program `new`. */
const aRepository = async (builder: "works" | "fails" | "none") => {
  const root = harness.folder()
  const home = join(root, "packages/server")
  mkdirSync(join(home, "src/generate"), { recursive: true })
  mkdirSync(join(home, "bundle"))
  cpSync(join(server, "find-program.js"), join(home, "find-program.js"))
  writeFileSync(join(home, "package.json"), '{"type":"module"}')
  writeFileSync(join(root, "source.ts"), "")
  const manifest = join(home, "bundle/manifest.json")
  const { mtimeMs, size } = statSync(join(root, "source.ts"))
  writeFileSync(
    manifest,
    JSON.stringify({
      programs: { main: "main-old.mjs" },
      inputs: [["source.ts", mtimeMs, size]],
      outputs: [["main-old.mjs", 3]],
    }),
  )
  const program = join(home, "bundle/main-old.mjs")
  writeFileSync(program, "old")
  const made = JSON.stringify({ programs: { main: "main-new.mjs" }, inputs: [] })
  const works = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(manifest)}, ${JSON.stringify(made)})`
  if (builder !== "none")
    writeFileSync(join(home, "src/generate/bundle-service.ts"), builder === "works" ? works : "throw 1")
  const { findProgram } = (await import(pathToFileURL(join(home, "find-program.js")).href)) as {
    readonly findProgram: FindProgram
  }
  return {
    find: (name = "main") => findProgram(name),
    changeSource: () => writeFileSync(join(root, "source.ts"), "changed"),
    cutProgram: () => writeFileSync(program, ""),
    removeProgram: () => rmSync(program),
  }
}

describe("the bundle of the service", () => {
  it("is what runs while no source has changed", async () => {
    const { find } = await aRepository("works")
    expect(find()).toMatch(/\/packages\/server\/bundle\/main-old\.mjs$/)
  })

  it("is made again when a source has changed", async () => {
    const { find, changeSource } = await aRepository("works")
    changeSource()
    expect(find()).toMatch(/main-new\.mjs$/)
  })

  it.each(["cutProgram", "removeProgram"] as const)("is made again when it is not whole: %s", async (damage) => {
    const repository = await aRepository("works")
    repository[damage]()
    expect(repository.find()).toMatch(/main-new\.mjs$/)
  })

  it("does not run when it is old and cannot be made: the sources do", async () => {
    const { find, changeSource } = await aRepository("fails")
    changeSource()
    expect(find()).toBeNull()
  })

  it("can be made of the sources, and has the programs", async () => {
    await run(process.execPath, [join(server, "src/generate/bundle-service.ts")])
    const { programs } = JSON.parse(readFileSync(join(server, "bundle/manifest.json"), "utf8"))
    for (const name of ["main", "hearth"]) expect(existsSync(join(server, "bundle", programs[name]))).toBe(true)
  })

  it("is whole again when it is made, whatever became of its files", async () => {
    const manifest = () => JSON.parse(readFileSync(join(server, "bundle/manifest.json"), "utf8"))
    const before = manifest()
    const map = join(server, "bundle", before.outputs.find(([name]: [string]) => name.endsWith(".map"))[0])
    writeFileSync(map, "")
    writeFileSync(join(server, "bundle/manifest.json"), '{"programs":')
    await run(process.execPath, [join(server, "src/generate/bundle-service.ts")])
    const { outputs } = manifest()
    expect(outputs).toEqual(before.outputs)
    for (const [name, size] of outputs) expect(statSync(join(server, "bundle", name)).size).toBe(size)
  })

  it("runs as it is where nothing could make it", async () => {
    const { find, changeSource } = await aRepository("none")
    changeSource()
    expect(find()).toMatch(/main-old\.mjs$/)
    expect(find("other")).toBeNull()
  })
})

describe("a stack of the bundle", () => {
  it("names the places in the sources", async () => {
    const folder = join(harness.folder(), "bundle")
    mkdirSync(folder)
    const file = join(folder, "main-ABC.mjs")
    const source = "// A comment.\nexport const fail = () => {\n  throw new Error('broken')\n}\n"
    const options = { sourcemap: "external", sourcefile: "../src/fail.ts", minify: true } as const
    const { code, map } = await transform(source, options)
    writeFileSync(`${file}.map`, map)
    const stack = `Error: broken\n    at fail (${pathToFileURL(file).href}:1:${code.indexOf("throw") + 1})\n    at node:internal:3:4`
    expect(originalStack(stack)).toMatch(/at fail \(file:.*\/src\/fail\.ts:3:3\)\n/)
  })

  it("stays as it is without a map", () => {
    const stack = "Error: broken\n    at file:///srv/packages/server/bundle/main-ABC.mjs:1:2\n    at node:internal:3:4"
    expect(originalStack(stack)).toBe(stack)
  })
})
