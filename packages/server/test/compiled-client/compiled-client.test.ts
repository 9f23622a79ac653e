import { execFile } from "node:child_process"
import { copyFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import openapiTS, { astToString } from "openapi-typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const root = join(import.meta.dirname, "../../../..")
const compiler = join(root, "node_modules/typescript/bin/tsc")

const compilerOptions = {
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true },
  ...{ target: "es2024", module: "nodenext", moduleResolution: "nodenext", allowImportingTsExtensions: true },
  ...{
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    verbatimModuleSyntax: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: true,
  },
}

const run = async (...args: ReadonlyArray<string>) => {
  const outcome = await promisify(execFile)(process.execPath, args).catch(
    (cause: { stdout: string; stderr: string }) => cause,
  )
  return { stdout: outcome.stdout, stderr: outcome.stderr }
}

describe("a client compiled from /openapi.json", () => {
  const harness = makeHarness()
  const folder = harness.folder()
  let server: TestServer
  let types: string

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    const document = await (await fetch(`${server.url}/openapi.json`)).text()
    types = astToString(await openapiTS(document))
    writeFileSync(join(folder, "api.ts"), types)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
    copyFileSync(join(import.meta.dirname, "journey.txt"), join(folder, "journey.ts"))
    symlinkSync(join(root, "packages/server/node_modules"), join(folder, "node_modules"))
  })
  afterAll(harness.clear)

  it("has a type for everything", () => {
    expect(/.*[:<|] *any\b.*/.exec(types.replaceAll(/\/\*\*.*?\*\//gs, ""))).toBeNull()
    expect(types).toContain('"streaks.create"')
  })

  it("compiles with strict TypeScript", async () => {
    expect(await run(compiler, "-p", folder)).toEqual({ stdout: "", stderr: "" })
  })

  it("goes from sign-up to streaks, pages and errors", async () => {
    const { stdout, stderr } = await run("--no-warnings", join(folder, "journey.ts"), `${server.url}/v1`)
    expect(stderr).toBe("")
    expect(JSON.parse(stdout)).toEqual({
      ...{ period: "daily", inserted: 1, after: 1, status: "active", hasEnd: true, qualifying: "lesson_completed" },
      ...{ count: 1, seen: ["Lessons", "first", "second", "third"].sort(), plan: "pro" },
      ...{
        refused: 404,
        code: "STREAK_DEFINITION_NOT_FOUND",
        impossible: false,
        misspelled: null,
        incomplete: "function",
      },
    })
  })
})
