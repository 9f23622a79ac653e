import { makeUsersWork } from "@hearth/core/users"
import { Effect, Option } from "effect"
import fc from "fast-check"
import type { ReactionCase } from "../contracts/reaction.contract.ts"

const now = new Date("2026-03-15T12:00:00.000Z")
const day = 86_400_000

/** Users are seen: the latest event counts, one in the future as now. */
export const usersReaction: ReactionCase = {
  feature: "users",
  work: makeUsersWork({ clock: { now: () => now } }),
  event: fc.record({
    event_name: fc.constantFrom("anything", "anything", "xp_awarded"),
    occurred_at: fc.integer({ min: -30 * day, max: day }).map((millis) => new Date(now.getTime() + millis)),
  }),
  read: (db, id) => Effect.map(db.users.find({ id }), (user) => Option.getOrThrow(user).last_seen_at),
}
