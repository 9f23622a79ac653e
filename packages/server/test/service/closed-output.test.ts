import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { makeHarness } from "../harness/harness.ts"
import { executables } from "../harness/process.ts"

const harness = makeHarness()
afterAll(harness.clear)

it("a service whose output nobody reads any more stops in order all the same", async () => {
  const dataDir = harness.folder()
  const { PATH = "", HOME = "" } = process.env
  const child = spawn(process.execPath, [executables.server], {
    env: { PATH, HOME, DATA_DIR: dataDir, PORT: "0" },
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ended = new Promise((resolve) => child.once("exit", (...how) => resolve(how)))
  await new Promise<void>((resolve) =>
    child.stdout.on("data", (text: Buffer) => {
      if (text.includes("Hearth is running")) resolve()
    }),
  )
  child.stdout.destroy()
  child.stderr.destroy()
  child.kill("SIGINT")
  expect(await ended).toEqual([0, null])
  expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false)
})
