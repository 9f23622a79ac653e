import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const root = join(import.meta.dirname, "../../../..")
const page = "packages/client/README.md"

const harness = makeHarness()
const folder = harness.folder()
let server: TestServer
let project: TestProject

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** The blocks as one program. Of the first block, only where the service is and the key are others. */
const readProgram = (): string => {
  const blocks = [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text)
  const { email, password } = project.owner
  return blocks
    .join("\n")
    .replace(/^const url = .*$/m, `const url = "${server.url}"`)
    .replace(/^const apiKey = .*$/m, `const apiKey = "${project.clientKey}"`)
    .replace(/^const credentials = .*$/m, `const credentials = ${JSON.stringify({ email, password })}`)
}

const tsconfig = {
  compilerOptions: {
    ...{ target: "es2024", lib: ["es2024", "dom"], module: "nodenext", strict: true, exactOptionalPropertyTypes: true },
    ...{ noEmit: true, allowImportingTsExtensions: true, erasableSyntaxOnly: true, types: [], skipLibCheck: true },
  },
  include: ["*.ts"],
}

// What an app of React Native has: a storage with promises.
const asyncStorage = `const items = new Map()
export default {
  getItem: async (key) => items.get(key) ?? null,
  setItem: async (key, value) => void items.set(key, value),
  removeItem: async (key) => void items.delete(key),
}`
const asyncStorageTypes = `declare const storage: {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
}
export default storage`

beforeAll(async () => {
  server = await harness.server({ DATA_DIR: harness.folder() })
  project = await aProject(server.api)
  await aUser(server.api, project)
  const storage = "node_modules/@react-native-async-storage/async-storage"
  write(`${storage}/package.json`, JSON.stringify({ type: "module", exports: "./index.js" }))
  write(`${storage}/index.js`, asyncStorage)
  write(`${storage}/index.d.ts`, asyncStorageTypes)
  mkdirSync(join(folder, "node_modules/@hearth"), { recursive: true })
  symlinkSync(join(root, "packages/client"), join(folder, "node_modules/@hearth/client"))
  write("package.json", JSON.stringify({ private: true, type: "module" }))
  write("tsconfig.json", JSON.stringify(tsconfig))
  write("program.ts", readProgram())
})
afterAll(harness.clear)

describe(page, () => {
  it("runs as it is written", async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["program.ts"], { cwd: folder })
    expect(stderr).toBe("")
    const lines = stdout.trim().split("\n")
    expect(lines).toContain("true")
    expect(lines).toContain("Ann null")
    expect(lines.find((line) => line.startsWith("404"))).toMatch(/^404 CURRENCY_NOT_FOUND /)
    expect(Number(lines.at(-1))).toBeGreaterThan(2)
  })

  it("has no type errors", async () => {
    const tsc = join(root, "node_modules/.bin/tsc")
    const { stdout } = await promisify(execFile)(tsc, ["-p", folder]).catch((error: { stdout: string }) => error)
    expect(stdout).toBe("")
  })
})
