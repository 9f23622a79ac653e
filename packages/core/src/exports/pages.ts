import { Effect, Fiber, Option, Stream } from "effect"
import type { PageBudget, TextPage } from "./port.ts"

// Large enough that a page is worth its round trip, small enough that many clients at once are no matter.
const targetBytes = 512 * 1024
const mostRows = 5_000
const fastestGrowth = 5

/** The budget of the first page: small, so that the first byte comes soon. */
export const firstBudget: PageBudget = { rows: 200, bytes: targetBytes }

/** The budget of the page after `page`: as many rows like those as make a page of the usual size. */
export const nextBudget = (budget: PageBudget, page: Pick<TextPage, "rows" | "text">): PageBudget => {
  if (page.rows === 0) return budget
  const fitting = Math.floor((targetBytes * page.rows) / Math.max(1, page.text.length))
  return { ...budget, rows: Math.max(1, Math.min(fitting, budget.rows * fastestGrowth, mostRows)) }
}

/** A piece of a file, and how to go on from it; null at the end. */
export interface Piece<E> {
  readonly text: string
  readonly rest: Effect.Effect<Piece<E>, E> | null
}

/** While a piece is on its way, the one after it is read; no more than that, however slow the reader is. */
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

/** The text of a file from its first piece on. A reader who goes away ends it after the page under way. */
export const streamText = <E>(first: Piece<E>): Stream.Stream<string, E> =>
  readAhead(
    Stream.paginate<Effect.Effect<Piece<E>, E>, string, E>(Effect.succeed(first), (piece) =>
      Effect.map(piece, ({ text, rest }) => [text === "" ? [] : [text], Option.fromNullOr(rest)]),
    ),
  )
