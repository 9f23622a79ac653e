import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { transactionsContract } from "../contracts/transactions.contract.ts"
import { activeUsersContract } from "./active-users.contract.ts"
import { userBatchesContract } from "./batches.contract.ts"
import { aUser } from "./builders.ts"
import { usersListingContract } from "./listing.contract.ts"
import { usersReaction } from "./reaction.ts"
import { appUsersSectionContract } from "./sections.contract.ts"
import { users } from "./tables.ts"
import { usersContract } from "./users.contract.ts"

/** What every adapter promises about users. */
export const usersSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, users),
    (open) =>
      transactionsContract(open, {
        table: (db) => db.users,
        row: aUser,
        unique: "anonymous_id",
        break: (db) => db.users.find({ email: "NUL \u0000" }),
      }),
    usersContract,
    (open) => reactionContract(open, usersReaction),
    usersListingContract,
    userBatchesContract,
    activeUsersContract,
    appUsersSectionContract,
  ],
}
