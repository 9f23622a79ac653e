import { Effect } from "effect"
import type { Departure } from "../users/departure.ts"
import type { XpDb } from "./port.ts"

// Nothing refers to them, so it takes as long as 10,000 events.
const pieceRows = 50_000

/** The entries of a user, in pieces: there may be as many as events [I0.4]. */
export const departXp: Departure<XpDb> = (db, userId) =>
  Effect.map(db.xpEntries.removeSome(userId, pieceRows), (removed) => removed >= pieceRows)
