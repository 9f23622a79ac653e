import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { groupInvitesContract, groupMembersContract, groupsContract } from "./contract.ts"
import { departuresContract } from "./departures.contract.ts"
import { groupBans, groupInvites, groups } from "./tables.ts"

/** What every adapter promises about groups. */
export const groupsSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, groups),
    (open) => tableContract(open, groupInvites),
    (open) => tableContract(open, groupBans),
    groupsContract,
    groupMembersContract,
    groupInvitesContract,
    departuresContract,
  ],
}
