import { spawnSync } from "node:child_process"
import { describe, expect, it, vi } from "vitest"
import { birthOf } from "../../src/embedded/process-birth.ts"
import type { Server } from "../../src/embedded/server.ts"
import { supervise } from "../../src/embedded/supervisor.ts"

const dead: Server = {
  pid: spawnSync(process.execPath, ["-e", ""]).pid,
  birth: "1",
  port: 5432,
  socketFolder: null,
  adopted: false,
}

const alive: Server = { ...dead, pid: process.pid, birth: birthOf(process.pid) ?? "" }

describe("the supervisor", () => {
  it("does not give up, and says what is wrong where it has become another fault", async () => {
    const reports: Array<string> = []
    let attempts = 0
    const supervisor = supervise(
      dead,
      async () => {
        attempts += 1
        if (attempts === 9) return alive
        throw new Error(attempts < 6 ? "it is broken." : "the disk is full.")
      },
      (sentence) => reports.push(sentence),
      1,
    )
    await vi.waitFor(() => expect(reports).toHaveLength(3), { timeout: 45_000 })
    expect(reports).toEqual([
      "PostgreSQL could not be started again: it is broken.",
      "PostgreSQL could not be started again: the disk is full.",
      `PostgreSQL (pid ${dead.pid}) ended unexpectedly and was started again (pid ${alive.pid}).`,
    ])
    expect(attempts).toBe(9)
    expect(await supervisor.halt()).toBe(alive)
  })
})
