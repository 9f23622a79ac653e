import { manualClock, memoryRevocations } from "@hearth/testing"
import { Effect, Exit, Fiber } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeTtlCache } from "./ttl-cache.ts"

const setUp = () => {
  const clock = manualClock()
  const revocations = memoryRevocations()
  const lookups: Array<string> = []
  const refused = { none: null, no: false } as Readonly<Record<string, null | false>>
  const answers = makeTtlCache<string | null | false, number>({
    clock,
    revocations,
    millis: 5_000,
    lookup: (key) =>
      Effect.suspend(() => {
        const count = lookups.push(key)
        return key === "fails"
          ? Effect.fail(count)
          : Effect.succeed(key in refused ? (refused[key] ?? null) : `${key} ${count}`)
      }),
    dependsOn: (key, value) => [key, ...(value === "a 1" ? ["owner of a 1"] : [])],
  })
  return {
    clock,
    revocations,
    lookups,
    get: (key: string) => Effect.runPromise(answers.get(key)),
    getExit: (key: string) => Effect.runPromiseExit(answers.get(key)),
    revoke: (...ids: ReadonlyArray<string>) => Effect.runSync(revocations.announce(ids)),
  }
}

describe("what is remembered", () => {
  it("is an answer, for five seconds", async () => {
    const { clock, get } = setUp()
    expect([await get("a"), await get("a")]).toEqual(["a 1", "a 1"])
    clock.advance("4999 millis")
    expect(await get("a")).toBe("a 1")
    clock.advance("1 millis")
    expect(await get("a")).toBe("a 2")
  })

  it("is kept apart by key", async () => {
    const { get } = setUp()
    expect([await get("a"), await get("b"), await get("a")]).toEqual(["a 1", "b 2", "a 1"])
  })

  it("is as old as the start of its look-up", async () => {
    const { clock, revocations } = setUp()
    let lookups = 0
    const slow = makeTtlCache({
      clock,
      revocations,
      millis: 5_000,
      lookup: () =>
        Effect.sync(() => {
          clock.advance("4 seconds")
          lookups += 1
          return lookups
        }),
      dependsOn: () => [],
    })
    expect(await Effect.runPromise(slow.get("slow"))).toBe(1)
    clock.advance("1 second")
    expect(await Effect.runPromise(slow.get("slow"))).toBe(2)
  })

  it("is a refusal, for one second", async () => {
    const { clock, get, lookups } = setUp()
    for (const key of ["none", "no", "none", "no"]) await get(key)
    clock.advance("999 millis")
    for (const key of ["none", "no"]) await get(key)
    expect(lookups).toEqual(["none", "no"])
    clock.advance("1 millis")
    for (const key of ["none", "no"]) await get(key)
    expect(lookups).toEqual(["none", "no", "none", "no"])
  })

  it("is no failure", async () => {
    const { getExit, lookups } = setUp()
    expect(Exit.isFailure(await getExit("fails"))).toBe(true)
    expect(Exit.isFailure(await getExit("fails"))).toBe(true)
    expect(lookups).toHaveLength(2)
  })

  it("is not used longer when the clock was set back", async () => {
    const { clock, get } = setUp()
    expect(await get("a")).toBe("a 1")
    clock.advance("-1 hour")
    expect(await get("a")).toBe("a 2")
  })

  it("is dropped, the oldest first, beyond the capacity", async () => {
    const { get, lookups } = setUp()
    await get("first")
    for (let key = 0; key < 50_000; key += 1) await get(String(key))
    const before = lookups.length
    await get("49999")
    expect(lookups.length).toBe(before)
    await get("first")
    expect(lookups.length).toBe(before + 1)
  })
})

describe("what is revoked", () => {
  it("is forgotten at once, in any case of its letters, and nothing else", async () => {
    const { get, revoke } = setUp()
    await get("a")
    await get("b")
    revoke("A")
    expect([await get("a"), await get("b")]).toEqual(["a 3", "b 2"])
  })

  it("is forgotten also after answers that others' revocations left as they were", async () => {
    const { get, revoke } = setUp()
    await get("a")
    revoke("b")
    expect(await get("a")).toBe("a 1")
    revoke("a")
    expect(await get("a")).toBe("a 2")
  })

  it("can be known by the answer only", async () => {
    const { get, revoke } = setUp()
    await get("a")
    revoke("owner of a 1")
    expect([await get("a"), await get("a")]).toEqual(["a 2", "a 2"])
  })

  it("is forgotten also when ten thousand others were revoked", async () => {
    const { get, revoke } = setUp()
    await get("a")
    revoke("a", ...Array.from({ length: 10_001 }, (_, n) => `id ${n}`))
    expect(await get("a")).toBe("a 2")
  })

  it("is asked again after a second while the changes of other processes are not heard", async () => {
    const { clock, get, revocations } = setUp()
    await get("a")
    clock.advance("500 millis")
    revocations.makeDeaf(true)
    expect(await get("a")).toBe("a 1")
    clock.advance("500 millis")
    expect(await get("a")).toBe("a 2")
    clock.advance("999 millis")
    expect(await get("a")).toBe("a 2")
    revocations.makeDeaf(false)
    expect(await get("a")).toBe("a 3")
  })
})

/** A cache whose look-ups end when a test lets them. `value` is what they answer: it is read when they begin. */
const slowSetUp = () => {
  const clock = manualClock()
  const revocations = memoryRevocations()
  const state = { value: 0, lookups: 0 }
  const waiting: Array<() => void> = []
  const answers = makeTtlCache<number, never>({
    clock,
    revocations,
    millis: 5_000,
    lookup: () =>
      Effect.suspend(() => {
        const value = state.value
        state.lookups += 1
        return Effect.callback<number>((resume) => void waiting.push(() => resume(Effect.succeed(value))))
      }),
    dependsOn: (key) => [key],
  })
  const settle = () => new Promise((resume) => setImmediate(resume))
  return {
    state,
    settle,
    ask: () => Effect.runPromise(answers.get("a")),
    fork: () => Effect.runFork(answers.get("a")),
    /** Commits a change, and tells of it. */
    change: () => {
      state.value += 1
      Effect.runSync(revocations.announce(["a"]))
    },
    finish: async (at = 0) => {
      await settle()
      waiting.splice(at, 1)[0]?.()
      await settle()
    },
    running: () => waiting.length,
  }
}

describe("a look-up", () => {
  it("is shared by the callers of one key", async () => {
    const { ask, finish, state } = slowSetUp()
    const asked = [ask(), ask(), ask()]
    await finish()
    expect(await Promise.all(asked)).toEqual([0, 0, 0])
    expect(state.lookups).toBe(1)
  })

  it("that began before a change is not kept", async () => {
    const { ask, change, finish } = slowSetUp()
    const before = ask()
    await finish(9)
    change()
    await finish()
    expect(await before).toBe(0)
    const after = ask()
    await finish()
    expect(await after).toBe(1)
  })

  it("that began before a change is not shared with a caller who came after it", async () => {
    const { ask, change, finish } = slowSetUp()
    const before = ask()
    await finish(9)
    change()
    const after = ask()
    await finish(1)
    expect(await after).toBe(1)
    await finish()
    expect(await before).toBe(0)
    // The earlier look-up ended last, and has not replaced the later answer.
    expect(await ask()).toBe(1)
  })

  it("goes on for the others when the first caller is interrupted", async () => {
    const { ask, fork, finish, settle, state } = slowSetUp()
    const first = fork()
    await settle()
    const second = ask()
    await Effect.runPromise(Fiber.interrupt(first))
    await finish()
    expect([await second, state.lookups]).toEqual([0, 1])
  })

  it("never answers with what was revoked before the caller came, in whatever order things happen", async () => {
    const step = fc.constantFrom("ask", "change", "finish first", "finish last")
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { ask, change, finish, running, state, settle } = slowSetUp()
        const asked: Array<Promise<void>> = []
        for (const next of steps) {
          if (next === "change") change()
          else if (next === "ask") {
            const least = state.value
            asked.push(ask().then((value) => expect(value).toBeGreaterThanOrEqual(least)))
            await settle()
          } else await finish(next === "finish last" ? Math.max(0, running() - 1) : 0)
        }
        while (running() > 0) await finish()
        await Promise.all(asked)
      }),
    )
  })
})
