import { Effect } from "effect"
import { expect, it } from "vitest"
import { makeBatchNotes } from "./batch-notes.ts"
import { readAhead } from "./read-ahead.ts"

it("is read once where it was prepared, also where nothing was found, and each time where it was not", async () => {
  let reads = 0
  const nothing = readAhead("nothing", () =>
    Effect.sync((): ReadonlyArray<string> => {
      reads += 1
      return []
    }),
  )
  const notes = makeBatchNotes()
  await Effect.runPromise(nothing.prepare({}, [], notes))
  for (let times = 0; times < 2; times += 1) expect(await Effect.runPromise(nothing.read({}, [], notes))).toEqual([])
  expect(reads).toBe(1)
  await Effect.runPromise(nothing.read({}, [], makeBatchNotes()))
  expect(reads).toBe(2)
})
