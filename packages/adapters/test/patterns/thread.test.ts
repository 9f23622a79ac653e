import { recordedSignals } from "@hearth/testing"
import { Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { re2Patterns } from "../../src/patterns/re2-patterns.ts"

// It takes some 0.3 s to find that it is not in this text.
const slow = ".*a.{900}z.{900}y"
const text = "ab".repeat(10_000)

/** Patterns whose threads run this code instead of ours. */
const patternsOf = (code: string, signals = recordedSignals()) =>
  re2Patterns(signals, new URL(`data:text/javascript,${encodeURIComponent(code)}`))

const groupOf = (patterns: ReturnType<typeof re2Patterns>, ...given: ReadonlyArray<string>) => {
  const [group] = patterns.compile(given)
  if (group === undefined) throw new Error("There is no group.")
  return group
}

describe("a thread that matches patterns", () => {
  it("leaves the process to others meanwhile", async () => {
    const matched = Effect.runPromise(groupOf(re2Patterns(recordedSignals()), slow).matchApart(text))
    let [isMatched, turns] = [false, 0]
    void matched.then(() => {
      isMatched = true
    })
    while (!isMatched) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      turns += 1
    }
    expect(await matched).toEqual([])
    expect(turns).toBeGreaterThan(10)
  })

  it("matches several texts and patterns, each for its caller", async () => {
    const patterns = re2Patterns(recordedSignals())
    const [letters, digits] = [groupOf(patterns, "a+", "b+"), groupOf(patterns, "[0-9]")]
    const asked = ["a", "1", "bab", "2b"].flatMap((given) => [letters.matchApart(given), digits.matchApart(given)])
    expect(await Effect.runPromise(Effect.all(asked, { concurrency: "unbounded" }))).toEqual([
      ...[[0], [], [], [0]],
      ...[[0, 1], [], [1], [0]],
    ])
  })

  it("keeps a caller who is interrupted until the match has ended: nobody can leave more than one behind", async () => {
    const code = `
      import { parentPort } from "node:worker_threads"
      const held = []
      parentPort.on("message", ({ id, text }) => {
        held.push(id)
        if (text === "go on") for (const each of held.splice(0)) parentPort.postMessage({ id: each, found: [] })
      })`
    const group = groupOf(patternsOf(code), "a")
    const fiber = Effect.runFork(group.matchApart("hold"))
    let isOver = false
    const interrupted = Effect.runPromise(Fiber.interrupt(fiber)).then(() => {
      isOver = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(false)
    await Effect.runPromise(group.matchApart("go on"))
    await interrupted
  })

  it("is done without where it ends by itself, which operators are told, and the next match starts another", async () => {
    const code = `
      import { parentPort } from "node:worker_threads"
      parentPort.on("message", ({ id, text }) => {
        if (text === "a fault") throw new Error(text)
        parentPort.postMessage({ id, found: [1] })
      })`
    const signals = recordedSignals()
    const group = groupOf(patternsOf(code, signals), "fault", "never")
    const match = (given: string) => Effect.runPromise(group.matchApart(given))
    expect(await Promise.all([match("a fault"), match("a fault")])).toEqual([[0], [0]])
    expect(signals.emitted).toEqual([{ name: "pattern_thread_lost", reason: "a fault" }])
    expect(await match("text")).toEqual([1])
    expect(await Effect.runPromise(groupOf(patternsOf("throw new Error()"), "a").matchApart("a"))).toEqual([0])
  })
})
