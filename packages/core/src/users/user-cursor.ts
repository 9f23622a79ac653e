import { makeCursor } from "../cursor.ts"

/** The position at which a page of the list of users ends. */
export const UserCursor = makeCursor("last_seen_at")
