import { makeCursor } from "../cursor.ts"

/** The position in the event log at which a page ends. */
export const EventCursor = makeCursor("occurred_at")
