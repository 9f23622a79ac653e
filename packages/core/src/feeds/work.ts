import { Effect } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { FeatureWork } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import { makeSweep } from "../retention/sweep.ts"
import type { Departure } from "../users/departure.ts"
import type { FeedsDb } from "./port.ts"
import { makeFeedReaction } from "./reaction.ts"

const pieceRows = 500

/** The background work of feeds: items of events, and removing them after `keepDays` days [I0.3]. */
export const makeFeedsWork = (
  ports: Pick<Ports, "clock" | "ids">,
  { keepDays }: { readonly keepDays: number },
): FeatureWork<BackgroundDb & FeedsDb> => ({
  reactions: [makeFeedReaction(ports)],
  tasks: [makeSweep(ports, { name: "feeds.remove-old", keepDays, port: (db: FeedsDb) => db.feedItems })],
})

/** The feed items of a user, in pieces: there may be very many [I0.4]. */
export const departFeeds: Departure<FeedsDb> = (db, userId) =>
  Effect.map(db.feedItems.removeSome(userId, pieceRows), (removed) => removed >= pieceRows)
