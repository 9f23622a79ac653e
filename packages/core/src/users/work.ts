import type { FeatureWork } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "./port.ts"
import { makeUsersSeen } from "./users-seen.ts"

/** What users do in the background: who has an event was seen. */
export const makeUsersWork = (ports: Pick<Ports, "clock">): FeatureWork<UsersDb> => ({
  reactions: [makeUsersSeen(ports)],
})
