import { Effect } from "effect"
import type { Departure } from "../users/departure.ts"
import type { EventsDb } from "./port.ts"

const pieceRows = 10_000

/** The events of a user, in pieces: others refer to events, so that a statement cannot remove millions in its time [I0.4]. */
export const departEvents: Departure<EventsDb> = (db, userId) =>
  Effect.map(db.events.removeSome(userId, pieceRows), (removed) => removed >= pieceRows)
