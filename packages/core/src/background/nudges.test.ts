import { Effect, Exit, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { makeNudges } from "./nudges.ts"

const now = new Date("2026-03-01T12:00:00.000Z")

/** Nudges over a control database that answers when it is told to. */
const nudgesOver = () => {
  const waiting: Array<(exit: Exit.Exit<void>) => void> = []
  const transact = () => Effect.callback<void>((resume) => void waiting.push(resume))
  const nudges = makeNudges(
    { clock: { now: () => now }, control: { transact, read: transact } as never, signals: { emit: () => {} } as never },
    () => Effect.void,
  )
  return { nudges, waiting }
}

describe("marks of pending projects", () => {
  it("are made once for many who come at once, and wait for its outcome", async () => {
    const { nudges, waiting } = nudgesOver()
    const many = Array.from({ length: 50 }, () => Effect.runFork(nudges.markPending("a")))
    const other = Effect.runFork(nudges.markPending("b"))
    await Promise.resolve()
    expect(waiting).toHaveLength(2)
    for (const answer of waiting) answer(Exit.void)
    const exits = await Effect.runPromise(Effect.forEach([...many, other], Fiber.await))
    expect(exits.every(Exit.isSuccess)).toBe(true)
    await Effect.runPromise(nudges.markPending("a"))
    expect(waiting).toHaveLength(2)
  })

  it("fail for all who waited, and are tried again by the next", async () => {
    const { nudges, waiting } = nudgesOver()
    const many = Array.from({ length: 3 }, () => Effect.runFork(nudges.markPending("a")))
    await Promise.resolve()
    waiting[0]?.(Exit.die("down"))
    const exits = await Effect.runPromise(Effect.forEach(many, Fiber.await))
    expect(exits.every(Exit.isFailure)).toBe(true)
    const next = Effect.runFork(nudges.markPending("a"))
    await Promise.resolve()
    expect(waiting).toHaveLength(2)
    waiting[1]?.(Exit.void)
    expect(Exit.isSuccess(await Effect.runPromise(Fiber.await(next)))).toBe(true)
  })

  it("go on for the others when the first who asked is interrupted", async () => {
    const { nudges, waiting } = nudgesOver()
    const [first, second] = [Effect.runFork(nudges.markPending("a")), Effect.runFork(nudges.markPending("a"))]
    await Promise.resolve()
    first.interruptUnsafe()
    waiting[0]?.(Exit.void)
    expect(Exit.isSuccess(await Effect.runPromise(Fiber.await(second)))).toBe(true)
  })
})
