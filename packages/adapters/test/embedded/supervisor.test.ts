import { spawnSync } from "node:child_process"
import { describe, expect, it, vi } from "vitest"
import type { Server } from "../../src/embedded/server.ts"
import { supervise } from "../../src/embedded/supervisor.ts"

const dead: Server = {
  pid: spawnSync(process.execPath, ["-e", ""]).pid,
  birth: "1",
  port: 5432,
  socketFolder: null,
  adopted: false,
}

describe("the supervisor", () => {
  it("gives up after several rapid failures, and reports it once", async () => {
    const reports: Array<string> = []
    let attempts = 0
    const supervisor = supervise(
      dead,
      async () => {
        attempts += 1
        throw new Error("it is broken.")
      },
      (sentence) => reports.push(sentence),
      1,
    )
    await vi.waitFor(() => expect(reports).toHaveLength(6), { timeout: 45_000 })
    expect(attempts).toBe(5)
    expect(reports.slice(0, 5)).toEqual(Array(5).fill("PostgreSQL could not be started again: it is broken."))
    expect(reports.slice(5)).toEqual([expect.stringContaining("is not started again; restart Hearth.")])
    expect(await supervisor.halt()).toBe(dead)
  })
})
