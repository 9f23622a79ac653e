import type { FeatureWork } from "../background/work.ts"
import type { EventsDb } from "../events/port.ts"
import type { Ports } from "../ports/ports.ts"
import { makeEndLapsed } from "./end-lapsed.ts"
import type { TrackingSessionsDb } from "./port.ts"

/** The background work of tracking sessions: ending those that have lapsed. */
export const makeTrackingSessionsWork = (
  ports: Pick<Ports, "clock" | "ids">,
): FeatureWork<EventsDb & TrackingSessionsDb> => ({ tasks: [makeEndLapsed(ports)] })
