import { Effect } from "effect"
import type { Departure } from "../users/departure.ts"
import type { StreaksDb } from "./port.ts"

// Nothing refers to them, so it takes as long as 10,000 events.
const pieceRows = 50_000

/** What the streaks of a user have counted, in pieces: there may be as much as events [I0.4]. */
export const departStreaks: Departure<StreaksDb> = (db, userId) =>
  Effect.map(db.qualifyingEvents.removeSome(userId, pieceRows), (removed) => removed >= pieceRows)
