import type { Effect } from "effect"

/**
 * Takes a user who is about to be removed out of what others see: averages, counts, the ownership of groups [I0.4]. Does a piece
 * of bounded size and answers whether more may be left; the pieces commit one by one, the user goes with the last. The caller has
 * locked the user (`update`), so that nothing new comes in between. Rows that concern nobody else are removed with the user, and
 * need none but where there may be very many.
 */
export type Departure<Db> = (db: Db, userId: string) => Effect.Effect<boolean>
