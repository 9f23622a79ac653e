import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readEnvironment } from "../../src/environment/index.ts"

const fail = (code: string) => () => {
  throw Object.assign(new Error(`${code}: it failed`), { code })
}

describe("the file .env", () => {
  it("is what the environment does not set, an empty variable included", () => {
    const text = "A=of the file\nB=of the file\nC=of the file\n"
    expect(readEnvironment(() => text, { A: "set", B: "" })).toEqual({ A: "set", B: "", C: "of the file" })
  })

  it("may begin with a byte order mark", () => {
    expect(readEnvironment(() => "\uFEFFPORT=1\nHOST=x\n", {})).toEqual({ PORT: "1", HOST: "x" })
  })

  it("need not be there", () => {
    expect(readEnvironment(fail("ENOENT"), { A: "set" })).toEqual({ A: "set" })
  })

  it.each([
    ["EACCES", "this user may not read it, or not enter the folder"],
    ["EISDIR", "it is a folder"],
    ["EIO", "EIO: it failed"],
  ])("is not passed over where it cannot be read: %s", (code, reason) => {
    expect(() => readEnvironment(fail(code), {})).toThrow(`The file .env cannot be read: ${reason}.`)
  })

  it("is not passed over where a folder is in its place", () => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-env-"))
    mkdirSync(join(folder, ".env"))
    expect(() => readEnvironment(() => readFileSync(join(folder, ".env"), "utf8"), {})).toThrow("it is a folder.")
    rmSync(folder, { recursive: true })
  })
})
