import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { makeMemoryFolder } from "../src/local/memory-folder.ts"

const memory = "/dev/shm"
// No process has this id: it is greater than any that a kernel gives.
const noProcess = 2 ** 30

describe("the folder in memory for what tests write", () => {
  it("is none where there is no memory to write to", () => {
    expect(makeMemoryFolder("/proc")).toBe(null)
    expect(makeMemoryFolder("/nowhere")).toBe(null)
  })

  describe.skipIf(!existsSync(memory))("where there is memory", () => {
    let place: string
    beforeEach(() => {
      place = mkdtempSync(join(memory, "memory-folder-"))
    })
    afterEach(() => rmSync(place, { recursive: true }))

    it("is for every user, and empty", ({ skip }) => {
      const folder = makeMemoryFolder(place)
      if (folder === null) return skip("There is too little memory.")
      expect(statSync(folder).mode & 0o7777).toBe(0o1777)
      expect(readdirSync(folder)).toEqual([])
    })

    it("takes away what killed runs have left, and nothing else", ({ skip }) => {
      const others = [`hearth-tests-${process.pid}-a`, "hearth-tests-", "hearth-process-a"]
      for (const name of [...others, `hearth-tests-${noProcess}-a/inner`])
        mkdirSync(join(place, name), { recursive: true })
      const folder = makeMemoryFolder(place)
      if (folder === null) return skip("There is too little memory.")
      const left = readdirSync(place).map((name) => join(place, name))
      expect(new Set(left)).toEqual(new Set([folder, ...others.map((name) => join(place, name))]))
    })
  })
})
