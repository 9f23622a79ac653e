import type { FeatureWork } from "../background/work.ts"
import type { Clock } from "../ports/clock.ts"
import { makeSweep } from "../retention/sweep.ts"
import type { GroupsDb } from "./port.ts"

/** The background work of groups: ended invites are kept for `keepInvites` days [I0.3]. */
export const makeGroupsWork = (ports: { readonly clock: Clock }, keepInvites: number): FeatureWork<GroupsDb> => ({
  tasks: [
    makeSweep<GroupsDb>(ports, {
      name: "groups.remove-ended-invites",
      keepDays: keepInvites,
      port: (db) => db.groupInvites,
    }),
  ],
})
