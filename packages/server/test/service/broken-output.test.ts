import { spawn } from "node:child_process"
import { closeSync, existsSync, openSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHarness } from "../harness/harness.ts"
import { executables } from "../harness/process.ts"

const harness = makeHarness()
afterAll(harness.clear)

const dataDir = harness.folder()
const saved = harness.folder()

/** Runs a command whose output goes to a file, or to a pipe whose other end is closed. */
const run = async (args: ReadonlyArray<string>, output: "/dev/full" | "closed") => {
  const { PATH = "", HOME = "" } = process.env
  const full = output === "closed" ? null : openSync(output, "w")
  const child = spawn(process.execPath, [executables.hearth, ...args], {
    env: { PATH, HOME, DATA_DIR: dataDir },
    cwd: "/",
    stdio: ["ignore", full ?? "pipe", "pipe"],
  })
  child.stdout?.destroy()
  if (full !== null) closeSync(full)
  let err = ""
  child.stderr?.on("data", (text: Buffer) => {
    err += text
  })
  const code = await new Promise((resolve) => child.once("close", resolve))
  return { code, err }
}

describe("an output that cannot be written", () => {
  // A backup needs something to save.
  beforeAll(() => harness.launch("hearth", { args: ["migrate"], environment: { DATA_DIR: dataDir } }).ended)

  it
    .skipIf(!existsSync("/dev/full"))
    .each([[["keys"]], [["--help"]], [["migrate"]], [["doctor"]], [["backup", join(saved, "one")]]])(
    "is said in one sentence by hearth %s",
    async (args) => {
      expect(await run(args, "/dev/full")).toEqual({
        code: 1,
        err: "The output could not be written (no space is left): send it elsewhere, or make room. The command went on without it.\n",
      })
    },
  )

  it.each([[["keys"]], [["migrate"]], [["doctor"]], [["backup", join(saved, "two")]]])(
    "is no word of hearth %s where nobody reads it any more",
    async (args) => {
      expect(await run(args, "closed")).toEqual({ code: 1, err: "" })
    },
  )

  it("keeps no command from what it does", async () => {
    await run(["backup", join(saved, "three")], "closed")
    expect(existsSync(join(saved, "three", "manifest.json"))).toBe(true)
  })
})
