import { Effect } from "effect"
import type { Departure } from "../users/departure.ts"
import type { RelationsDb } from "./port.ts"

const pieceRows = 500

/** The follows and blocks of a user, in pieces: somebody may have millions of followers [I0.4]. */
export const departRelations: Departure<RelationsDb> = Effect.fnUntraced(function* (db, userId) {
  if ((yield* db.follows.removeSome(userId, pieceRows)) >= pieceRows) return true
  return (yield* db.blocks.removeSome(userId, pieceRows)) >= pieceRows
})
