import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { accountLinksSectionContract } from "./sections.contract.ts"
import { sessionsContract } from "./sessions.contract.ts"
import { signInsContract } from "./sign-ins.contract.ts"
import { accountLinks, magicLinks, userFamilies, userRefreshTokens } from "./tables.ts"

/** What every adapter promises about auth. */
export const authSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, accountLinks),
    (open) => tableContract(open, magicLinks),
    (open) => tableContract(open, userFamilies),
    (open) => tableContract(open, userRefreshTokens),
    (open) =>
      sessionsContract(open, {
        sessions: (db) => db.authSessions,
        owner: writeUser,
        removeOwner: (db, id) => db.users.remove({ id }),
      }),
    signInsContract,
    accountLinksSectionContract,
  ],
}
