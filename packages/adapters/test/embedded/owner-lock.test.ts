import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { takeOwnership } from "../../src/embedded/owner-lock.ts"
import { birthOf, readPidScope } from "../../src/embedded/process-birth.ts"
import { aFolder, clear } from "./harness.ts"

const lockedBy = (owner: { pid: number; birth: string; place?: string }): string => {
  const folder = aFolder()
  writeFileSync(join(folder, "hearth-owner.7"), JSON.stringify({ place: readPidScope(), ...owner }))
  return folder
}
const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid
const inUse = { name: "EmbeddedDatabaseFailure", message: expect.stringContaining("in use by another Hearth process") }

describe("the owner's lock of a data folder", () => {
  afterEach(clear)

  it("is held until released", async () => {
    const folder = aFolder()
    const first = await takeOwnership(folder)
    await expect(takeOwnership(folder)).rejects.toMatchObject(inUse)
    first.release()
    const second = await takeOwnership(folder)
    first.release()
    await expect(takeOwnership(folder)).rejects.toMatchObject(inUse)
    second.release()
  })

  it("leaves the lock of another process that has made the folder anew", async () => {
    const folder = aFolder()
    const { release } = await takeOwnership(folder)
    const [file = ""] = readdirSync(folder)
    const others = JSON.stringify({ pid: process.ppid, birth: birthOf(process.ppid), place: readPidScope() })
    rmSync(join(folder, file))
    writeFileSync(join(folder, file), others)
    release()
    expect(readFileSync(join(folder, file), "utf8")).toBe(others)
    await expect(takeOwnership(folder)).rejects.toMatchObject(inUse)
  })

  it.each([
    ["is dead", () => ({ pid: deadPid(), birth: "1" })],
    ["has the id of a younger process", () => ({ pid: process.pid, birth: "1" })],
  ])("is taken over when its owner %s", async (_, owner) => {
    const folder = lockedBy(owner())
    const { release } = await takeOwnership(folder)
    expect(readdirSync(folder)).toEqual(["hearth-owner.8"])
    release()
  })

  it.each(["", "\0\0\0\0", '{"pid":'])("is taken over when a power cut left %j", async (rest) => {
    const folder = aFolder()
    writeFileSync(join(folder, "hearth-owner.7"), rest)
    const { release } = await takeOwnership(folder)
    release()
  })

  it("is taken by exactly one of several processes that find it dead at once", async () => {
    for (let round = 0; round < 8; round++) {
      const folder = lockedBy({ pid: deadPid(), birth: "1" })
      const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => takeOwnership(folder)))
      const won = attempts.filter((attempt) => attempt.status === "fulfilled")
      expect(won).toHaveLength(1)
      won[0]?.value.release()
    }
  })

  it("is not taken from an owner in another container while its heartbeat goes on", async () => {
    const birth = birthOf(process.pid) ?? ""
    const folder = lockedBy({ pid: process.pid, birth, place: "another" })
    const file = join(folder, "hearth-owner.7")
    const heartbeat = setInterval(() => existsSync(file) && utimesSync(file, new Date(), new Date()), 100)
    await expect(takeOwnership(folder)).rejects.toThrow(
      `(pid ${process.pid} in another container or on another machine)`,
    )
    clearInterval(heartbeat)
  })
})
