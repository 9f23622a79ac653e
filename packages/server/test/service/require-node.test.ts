import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"

const server = join(import.meta.dirname, "../..")
const urlOf = (file: string) => JSON.stringify(pathToFileURL(join(server, file)).href)
const { engines } = JSON.parse(readFileSync(join(server, "package.json"), "utf8"))
const [major, minor] = engines.node.replace(">=", "").split(".").map(Number)

/** Runs code in a process that believes it is of that version. */
const runAs = (version: string, code: string) => {
  const fake = `Object.defineProperty(process, "version", { value: ${JSON.stringify(version)} }); ${code}`
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", fake], {
    encoding: "utf8",
  })
  return { status, stdout, stderr }
}

describe("a Node that is too old", () => {
  it.each(["main.js", "hearth.js"])("is told by %s, with what to run instead", (program) => {
    const version = `v${major}.${minor - 1}.9`
    expect(runAs(version, `await import(${urlOf(program)})`)).toEqual({
      status: 1,
      stdout: "",
      stderr:
        `Hearth needs Node ${major}.${minor} or newer, and this is ${version}. ` +
        "In its repository, npx -y pnpm@12 start and npx -y pnpm@12 hearth bring their own.\n",
    })
  })

  it("is one before the version that the package asks for", () => {
    const require = `(await import(${urlOf("require-node.js")})).requireNode(); console.log("runs")`
    const runs = (version: string) => runAs(version, require).stdout === "runs\n"
    expect(["v20.20.2", `v${major - 1}.99.0`].map(runs)).toEqual([false, false])
    const newer = [`v${major}.${minor}.0`, `v${major}.${minor + 1}.2`, `v${major + 1}.0.0`]
    expect(newer.map(runs)).toEqual(newer.map(() => true))
  })
})
