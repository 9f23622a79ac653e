import { execFile } from "node:child_process"
import { cpSync, existsSync, readFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, describe, expect, it } from "vitest"
import { makeHarness } from "../harness/harness.ts"
import { launch } from "../harness/process.ts"

const root = join(import.meta.dirname, "../../../..")
const harness = makeHarness()
afterAll(harness.clear)

const run = promisify(execFile)

/** Whether .dockerignore, as far as it is used here, lets a file of the repository through. */
const readIgnored = () => {
  const lines = readFileSync(join(root, ".dockerignore"), "utf8").split("\n")
  const allowed = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1))
  const anywhere = lines.filter((line) => line.startsWith("**/")).map((line) => line.slice(3))
  const folders = lines.filter((line) => /^[a-z]/.test(line))
  const isBelow = (file: string, path: string) => file === path || file.startsWith(`${path}/`)
  return (file: string) =>
    allowed.some((path) => isBelow(file, path)) &&
    !folders.some((path) => isBelow(file, path)) &&
    !file.split("/").some((part) => anywhere.includes(part))
}

describe("deploy/build.sh", () => {
  it("makes of what an engine is given a service that runs, with its reference and its console", async () => {
    const home = harness.folder()
    const { stdout } = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root })
    const files = stdout.split("\n").filter((file) => file !== "" && existsSync(join(root, file)))
    const isGiven = readIgnored()
    for (const file of files.filter(isGiven)) cpSync(join(root, file), join(home, file))
    const PATH = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter)
    const env = { ...process.env, PATH, CI: "true", PNPM: "npx -y pnpm@12" }
    await run("sh", ["deploy/build.sh"], { cwd: home, env, maxBuffer: 16 * 1024 * 1024 })

    const bin = join(home, "built/packages/server/hearth.js")
    const { environment } = await harness.database()
    const server = launch(bin, { args: ["start"], environment: { ...environment, PORT: "0" } })
    const [, url = ""] = await server.says(/API +(\S+)\/v1/)
    for (const [path, script] of [
      ["/docs", /src="([^"]*scalar-[^"]+\.js)"/],
      ["/console", /src="([^"]*\/assets\/[^"]+\.js)"/],
    ] as const) {
      const [, src = ""] = script.exec(await (await fetch(url + path)).text()) ?? []
      expect((await fetch(new URL(src, url + path))).headers.get("content-type")).toMatch(/^text\/javascript/)
    }
    expect(await server.end("SIGTERM")).toEqual({ code: 0, signal: null })
  })
})
