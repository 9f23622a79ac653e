import { Effect, Fiber, Option, Stream } from "effect"
import type { PageBudget, TextPage } from "./port.ts"

// Large enough to be worth a round trip, small enough to be held in memory for many clients at once.
const targetBytes = 512 * 1024
const mostRows = 5_000
const fastestGrowth = 5

/** The budget of the first page: small, so that the first byte is sent soon. */
export const firstBudget: PageBudget = { rows: 200, bytes: targetBytes }

/** The budget of the page after `page`: as many rows of the same size as fit the target size. */
export const nextBudget = (budget: PageBudget, page: Pick<TextPage, "rows" | "texts">): PageBudget => {
  if (page.rows === 0) return budget
  const length = page.texts.reduce((sum, text) => sum + text.length, 0)
  const fitting = Math.floor((targetBytes * page.rows) / Math.max(1, length))
  return { ...budget, rows: Math.max(1, Math.min(fitting, budget.rows * fastestGrowth, mostRows)) }
}

/** A piece of a file, and the effect that reads the next one; null at the end. */
export interface Piece<E> {
  readonly texts: ReadonlyArray<string>
  readonly rest: Effect.Effect<Piece<E>, E> | null
}

/** Reads one piece ahead of the reader, and not more, so that a slow reader does not fill the memory. */
const readAhead = <E>(pieces: Stream.Stream<string, E>): Stream.Stream<string, E> =>
  Stream.transformPull(pieces, (pull, scope) =>
    Effect.sync(() => {
      const read = Effect.forkIn(pull, scope)
      let ahead = Option.none<Effect.Success<typeof read>>()
      return Effect.gen(function* () {
        const present = Option.isSome(ahead) ? ahead.value : yield* read
        const piece = yield* Fiber.join(present)
        ahead = Option.some(yield* read)
        return piece
      })
    }),
  )

/** Streams the text of a file from its first piece on. It stops after the current page when the reader disconnects. */
export const streamText = <E>(first: Piece<E>): Stream.Stream<string, E> =>
  readAhead(
    Stream.paginate<Effect.Effect<Piece<E>, E>, string, E>(Effect.succeed(first), (piece) =>
      Effect.map(piece, ({ texts, rest }) => [texts, Option.fromNullOr(rest)]),
    ),
  )
