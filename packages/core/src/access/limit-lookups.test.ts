import { Effect } from "effect"
import { expect, it } from "vitest"
import { limitLookups } from "./limit-lookups.ts"

it("runs at most eight look-ups at once in a database, and none waits for another database", async () => {
  const limit = limitLookups()
  const most = new Map<string, number>()
  const running = new Map<string, number>()
  const lookUp = (database: string) =>
    limit(
      database,
      Effect.gen(function* () {
        running.set(database, (running.get(database) ?? 0) + 1)
        most.set(database, Math.max(most.get(database) ?? 0, running.get(database) ?? 0))
        yield* Effect.yieldNow
        running.set(database, (running.get(database) ?? 0) - 1)
      }),
    )
  const hanging = Effect.forEach(Array(20).fill("hangs"), (name) => limit(name, Effect.never), {
    concurrency: "unbounded",
  })
  const fiber = Effect.runFork(hanging)
  const lookups = Array.from({ length: 100 }, (_, n) => lookUp(n % 2 === 0 ? "control" : "project"))
  await Effect.runPromise(Effect.all(lookups, { concurrency: "unbounded", discard: true }))
  expect([...most].sort()).toEqual([
    ["control", 8],
    ["project", 8],
  ])
  fiber.interruptUnsafe()
})

it("gives the turn of a look-up that failed or was interrupted to the next", async () => {
  const limit = limitLookups()
  const controller = new AbortController()
  const stuck = Array.from({ length: 8 }, () =>
    Effect.runPromiseExit(limit("control", Effect.never), { signal: controller.signal }),
  )
  const next = Effect.runPromise(limit("control", Effect.succeed("done")))
  controller.abort()
  await Promise.all(stuck)
  expect(await next).toBe("done")
  for (let n = 0; n < 20; n += 1) await Effect.runPromiseExit(limit("control", Effect.fail("no")))
  expect(await Effect.runPromise(limit("control", Effect.succeed("still")))).toBe("still")
})
