import { Effect, Latch } from "effect"
import { expect, it } from "vitest"
import { makeTurns } from "./turns.ts"

const setUp = ({ ofProject = 1 } = {}) => {
  let now = 0
  const turns = makeTurns({ clock: { now: () => new Date(now) } }, 2, ofProject)
  const gates = new Map<string, Latch.Latch>()
  const ended: Array<string> = []
  /** Asks for a turn: answers after how many milliseconds to ask again, or null and a turn that `end` ends. */
  const ask = async (projectId: string, pauseMillis = 1_000) => {
    const gate = Latch.makeUnsafe()
    const asked = Effect.runPromise(turns.take(projectId, gate.await, pauseMillis))
    const first = await Promise.race([asked, new Promise<null>((resolve) => setImmediate(() => resolve(null)))])
    if (first !== null && "again_at" in first) return first.again_at.getTime() - now
    gates.set(projectId, gate)
    void asked.then(() => ended.push(projectId))
    return null
  }
  const end = async (projectId: string) => {
    gates.get(projectId)?.openUnsafe()
    await expect.poll(() => ended.includes(projectId)).toBe(true)
    ended.length = 0
  }
  const pass = (millis: number) => {
    now += millis
  }
  return { ask, end, pass, leave: turns.leave }
}

it("two projects at once have a turn, and one project one", async () => {
  const { ask, end } = setUp()
  expect(await ask("a")).toBeNull()
  expect(await ask("a")).toBe(1_000)
  expect(await ask("b")).toBeNull()
  expect(await ask("c", 5_000)).toBe(5_000)
  await end("b")
  expect(await ask("c")).toBeNull()
})

it("a project that was turned away goes before one that had a turn since", async () => {
  const { ask, end, pass } = setUp()
  await ask("a")
  await ask("b")
  expect(await ask("c")).toBe(1_000)
  await end("a")
  expect(await ask("a")).toBe(1_000)
  pass(1_000)
  expect(await ask("c")).toBeNull()
  await end("b")
  expect(await ask("a")).toBeNull()
})

it("a project that does not ask again is not waited for", async () => {
  const { ask, end, pass } = setUp()
  await ask("a")
  await ask("b")
  await ask("gone")
  await end("a")
  expect(await ask("a")).toBe(1_000)
  pass(10_000)
  expect(await ask("a")).toBeNull()
})

it("many runs of one project ask again one after the other, somewhat faster than they get their turns", async () => {
  const { ask, end, pass } = setUp()
  await ask("a")
  expect([await ask("a"), await ask("a")]).toEqual([1_000, 1_000])
  pass(300)
  await end("a")
  await ask("a")
  expect([await ask("a"), await ask("a"), await ask("a")]).toEqual([1_000, 1_150, 1_300])
  pass(1_000)
  expect(await ask("b")).toBeNull()
  expect(await ask("c")).toBe(1_000)
})

it("a project may have several, but no further one while another waits", async () => {
  const { ask, end } = setUp({ ofProject: 2 })
  expect([await ask("a"), await ask("a")]).toEqual([null, null])
  expect(await ask("b")).toBe(1_000)
  await end("a")
  expect(await ask("a")).toBe(1_000)
  expect(await ask("b")).toBeNull()
})

it("however long turns are, those that wait ask every two seconds, and none later than in thirty", async () => {
  const { ask, end, pass } = setUp()
  await ask("a")
  pass(60_000)
  expect(await ask("a")).toBe(1_000)
  await end("a")
  await ask("a")
  const asked: Array<number | null> = []
  for (let runs = 0; runs < 20; runs += 1) asked.push(await ask("a"))
  expect(asked.slice(0, 3)).toEqual([3_000, 5_000, 7_000])
  expect(asked.slice(-3)).toEqual([30_000, 30_000, 30_000])
})

it("the long turns of one project do not put off the runs of another", async () => {
  const { ask, end, pass } = setUp()
  await ask("long")
  await ask("long")
  pass(60_000)
  await ask("short")
  expect(await ask("short", 200)).toBe(200)
  await end("long")
  expect([await ask("short", 200), await ask("short", 200)]).toEqual([200, 200])
})

it("work that fails has ended, too", async () => {
  const turns = makeTurns({ clock: { now: () => new Date(0) } })
  const fail = () => Effect.runPromise(Effect.exit(turns.take("a", Effect.fail("no"), 1_000)))
  expect([await fail(), await fail()]).toEqual([await fail(), await fail()])
  expect(await Effect.runPromise(turns.take("a", Effect.succeed(1), 1_000))).toEqual({ done: 1 })
})

it("a project that asked before the clock was set back keeps no others waiting", async () => {
  const { ask, end, pass } = setUp()
  pass(86_400_000)
  for (const projectId of ["a", "b", "c", "d"]) await ask(projectId)
  pass(-86_400_000)
  await end("a")
  await end("b")
  expect(await ask("e")).toBeNull()
})

it("a project that has left is not waited for", async () => {
  const { ask, end, leave } = setUp()
  await ask("a")
  await ask("b")
  await ask("gone")
  await end("a")
  leave("gone")
  expect(await ask("c")).toBeNull()
})
