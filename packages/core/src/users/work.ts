import type { FeatureWork } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "./port.ts"
import { makeUsersSeen } from "./users-seen.ts"

/** The background work of users: an event updates `last_seen_at`. */
export const makeUsersWork = (ports: Pick<Ports, "clock">): FeatureWork<UsersDb> => ({
  reactions: [makeUsersSeen(ports)],
})
