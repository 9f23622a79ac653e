import type { Locks } from "@hearth/core"
import { describe, expect, it } from "vitest"
import { DatabaseBusy } from "../../../src/postgres/connections/database-busy.ts"
import { makeGate } from "../../../src/postgres/connections/gate.ts"

describe("the gate before connections", () => {
  const make = (more: { max?: number; maxPerDatabase?: number; waitMillis?: number } = {}) =>
    makeGate({ max: 32, maxPerDatabase: 8, waitMillis: 5_000, ...more })
  /** Lets everything go on that can. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))

  /** So many callers of each database, and which of them have their turn. */
  const enterAll = (gate: ReturnType<typeof make>, databases: ReadonlyArray<string>, locks: Locks, count: number) => {
    const turns: Array<{ readonly database: string; readonly caller: number; readonly leave: () => void }> = []
    const callers = Array.from({ length: count }, (_, caller) =>
      databases.map(async (database) => {
        turns.push({ database, caller, leave: await gate.enter(database, locks) })
      }),
    )
    const all = Promise.all(callers.flat())
    // Those who have no turn when a test ends are turned away later.
    all.catch(() => {})
    return { turns, all }
  }

  it("gives one turn of the hold and half of a database's connections for rows, in order", async () => {
    const gate = make()
    const holds = enterAll(gate, ["a"], "hold", 3)
    const rows = enterAll(gate, ["a"], "rows", 6)
    await settle()
    expect([holds.turns.length, rows.turns.length, gate.waiting()]).toEqual([1, 4, 4])
    for (let at = 0; at < 3; at += 1) {
      holds.turns[at]?.leave()
      await settle()
    }
    for (let at = 0; at < 6; at += 1) {
      rows.turns[at]?.leave()
      await settle()
    }
    expect(holds.turns.map(({ caller }) => caller)).toEqual([0, 1, 2])
    expect(rows.turns.map(({ caller }) => caller)).toEqual([0, 1, 2, 3, 4, 5])
    expect(gate.waiting()).toBe(0)
  })

  it.each([1, 4, 10, 40])("keeps a quarter from %i databases whose callers may wait for locks", async (count) => {
    const gate = make()
    const busy = Array.from({ length: count }, (_, at) => `busy ${at}`)
    const [holds, rows] = [enterAll(gate, busy, "hold", 20), enterAll(gate, busy, "rows", 20)]
    await settle()
    expect(holds.turns.length + rows.turns.length).toBeLessThanOrEqual(24)
    const reads = enterAll(gate, [...busy, "late"], "none", 1)
    await reads.all
    expect(reads.turns).toHaveLength(count + 1)
  })

  it("gives the next turn to whoever has the fewest", async () => {
    const gate = make()
    const busy = Array.from({ length: 40 }, (_, at) => `busy ${at}`)
    const waiting = enterAll(gate, busy, "rows", 5)
    await settle()
    expect(waiting.turns).toHaveLength(24)
    const late = enterAll(gate, ["late"], "rows", 1)
    // Each database that waits is served once before any is served again.
    for (let at = 0; at < 17; at += 1) waiting.turns[at]?.leave()
    await settle()
    const served = [...waiting.turns.slice(24), ...late.turns].map(({ database }) => database)
    expect(served).toHaveLength(17)
    expect(new Set(served).size).toBe(17)
    expect(served).toContain("late")
  })

  it("leaves a share to a database that comes late, however many others read", async () => {
    for (const count of [1, 4, 10]) {
      const gate = make()
      const busy = Array.from({ length: count }, (_, at) => `busy ${at}`)
      const reads = enterAll(gate, busy, "none", 40)
      await settle()
      expect(reads.turns.length).toBeLessThan(32)
      expect(reads.turns.length).toBeGreaterThan(12)
    }
  })

  it("shares nothing where there is one database only", async () => {
    const gate = make({ max: 8, maxPerDatabase: 8 })
    const [reads, rows] = [enterAll(gate, ["a"], "none", 20), enterAll(gate, ["a"], "rows", 20)]
    await settle()
    expect([reads.turns.length, rows.turns.length]).toEqual([20, 4])
  })

  it("lets callers of every kind go on with a single connection", async () => {
    const gate = make({ max: 1, maxPerDatabase: 1 })
    for (const locks of ["hold", "rows", "none"] as const) (await gate.enter("a", locks))()
    expect(gate.waiting()).toBe(0)
  })

  it.each([
    ["hold", 500],
    ["rows", 500],
  ] as const)("turns away who comes when too many wait for %s, and who has waited too long", async (locks, most) => {
    const gate = make({ max: 1, maxPerDatabase: 1, waitMillis: 20 })
    const leave = await gate.enter("a", locks)
    const waiting = Array.from({ length: most }, () => gate.enter("a", locks))
    await expect(gate.enter("a", locks)).rejects.toMatchObject({ name: "DatabaseBusy", reason: "line" })
    for (const caller of waiting) await expect(caller).rejects.toBeInstanceOf(DatabaseBusy)
    expect(gate.waiting()).toBe(0)
    leave()
    ;(await gate.enter("a", locks))()
  })
})
