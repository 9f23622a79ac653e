import { Effect, Exit, Fiber, Latch, Stream } from "effect"
import { describe, expect, it, test } from "vitest"
import { firstBudget, nextBudget, type Piece, streamText } from "./pages.ts"

describe("the budget of the next page", () => {
  const page = (rows: number, bytesPerRow: number) => ({
    rows,
    texts: ["x".repeat(rows * bytesPerRow)],
  })
  test.each([
    ["grows by at most five times", 200, page(200, 10), 1_000],
    ["grows to at most 5,000 rows", 5_000, page(5_000, 10), 5_000],
    ["is as many rows as make half a mebibyte", 1_000, page(1_000, 256), 2_048],
    ["shrinks for large rows, even after a small page", 5_000, page(8, 65_536), 8],
    ["is one row at least", 200, page(1, 2_000_000), 1],
    ["grows again after them", 1, page(1, 100), 5],
    ["is unchanged after an empty page", 200, page(0, 0), 200],
  ])("%s", (_, rows, sent, expected) => {
    expect(nextBudget({ ...firstBudget, rows }, sent)).toEqual({ ...firstBudget, rows: expected })
  })
})

/** Pieces `0` to `last`. `reads` records which were read; the one numbered `broken` fails. */
const countedPieces = (last: number, broken = -1) => {
  const reads: Array<number> = []
  const piece = (at: number): Piece<string> => ({ texts: [String(at)], rest: at === last ? null : read(at + 1) })
  const read = (at: number): Effect.Effect<Piece<string>, string> =>
    Effect.suspend(() => {
      reads.push(at)
      return at === broken ? Effect.fail(`no ${at}`) : Effect.succeed(piece(at))
    })
  return { reads, text: streamText(piece(0)) }
}
const aMoment = Effect.sleep("5 millis")

describe("the text of a file", () => {
  it("is its pieces in order, each read once", async () => {
    const { reads, text } = countedPieces(5)
    expect(await Effect.runPromise(Stream.runCollect(text))).toEqual(["0", "1", "2", "3", "4", "5"])
    expect(reads).toEqual([1, 2, 3, 4, 5])
  })

  it("leaves empty pieces out", async () => {
    const pieces: Piece<never> = {
      texts: [],
      rest: Effect.succeed({ texts: ["a", "b"], rest: Effect.succeed({ texts: [], rest: null }) }),
    }
    expect(await Effect.runPromise(Stream.runCollect(streamText(pieces)))).toEqual(["a", "b"])
    expect(await Effect.runPromise(Stream.runCollect(streamText({ texts: [], rest: null })))).toEqual([])
  })

  it("is read one piece ahead of a slow reader", async () => {
    const { reads, text } = countedPieces(9)
    const seen: Array<number> = []
    const slow = Stream.runForEach(text, () =>
      Effect.andThen(
        aMoment,
        Effect.sync(() => seen.push(reads.length)),
      ),
    )
    expect(reads).toEqual([])
    await Effect.runPromise(slow)
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 9])
  })

  it("ends with the failure of a piece, after all pieces before it", async () => {
    const { reads, text } = countedPieces(9, 3)
    const seen: Array<string> = []
    const exit = await Effect.runPromiseExit(Stream.runForEach(text, (piece) => Effect.sync(() => seen.push(piece))))
    expect(exit).toEqual(Exit.fail("no 3"))
    expect([seen, reads]).toEqual([
      ["0", "1", "2"],
      [1, 2, 3],
    ])
  })

  it("stops when its reader is interrupted, also while a piece is being read", async () => {
    let interrupted = 0
    const reading = Latch.makeUnsafe()
    const endless: Piece<never> = {
      texts: ["a"],
      rest: Effect.onInterrupt(Effect.andThen(reading.open, Effect.never), () =>
        Effect.sync(() => {
          interrupted += 1
        }),
      ),
    }
    await Effect.runPromise(
      Effect.gen(function* () {
        const reader = yield* Effect.forkChild(Stream.runDrain(streamText(endless)))
        yield* reading.await
        yield* Fiber.interrupt(reader)
      }),
    )
    expect(interrupted).toBe(1)
    const { reads, text } = countedPieces(1_000)
    await Effect.runPromise(Stream.runDrain(Stream.take(text, 3)))
    expect(reads.length).toBeLessThanOrEqual(3)
  })
})
