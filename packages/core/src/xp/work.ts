import type { BackgroundDb } from "../background/port.ts"
import type { FeatureWork } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import type { XpDb } from "./port.ts"
import { makeXpReaction } from "./reaction.ts"

/** The background work of XP: giving it for events. */
export const makeXpWork = (ports: Pick<Ports, "clock" | "ids">): FeatureWork<BackgroundDb & XpDb> => ({
  reactions: [makeXpReaction(ports)],
})
