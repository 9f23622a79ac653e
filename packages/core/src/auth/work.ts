import type { FeatureWork } from "../background/work.ts"
import type { Clock } from "../ports/clock.ts"
import { makeSweep } from "../retention/sweep.ts"
import type { AuthDb } from "./port.ts"

// For so long after their end, used or not, so that support can look them up.
const keepDays = 1

/** The background work of authentication: magic links that have expired are removed, with the emails in them. */
export const makeAuthWork = (ports: { readonly clock: Clock }): FeatureWork<AuthDb> => ({
  tasks: [makeSweep(ports, { name: "auth.remove-old-links", keepDays, port: (db: AuthDb) => db.magicLinks })],
})
