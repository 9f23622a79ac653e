import type { AuthDb } from "@hearth/core/auth"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { memoryTable } from "../memory/table.ts"
import { userSessionShapes, userShape } from "../users/memory-shapes.ts"
import { writeUser } from "../users/tables.ts"
import { accountLinkShape, magicLinkShape, memoryMagicLinks } from "./memory.ts"
import { memorySessionStore, memorySignUps } from "./memory-sessions.ts"
import { accountLinksSectionContract } from "./sections.contract.ts"
import { sessionsContract } from "./sessions.contract.ts"
import { signInsContract } from "./sign-ins.contract.ts"
import { accountLinks, magicLinks, userFamilies, userRefreshTokens } from "./tables.ts"

/** Sessions, identities and magic links of users in tests: tables and repositories in memory, contract suites. */
export const authFeature: TenantFeature<AuthDb> = {
  tenant: {
    shapes: [userSessionShapes.families, userSessionShapes.refreshTokens, accountLinkShape, magicLinkShape],
    sections: { account_links: accountLinkShape },
    make: ({ statements }) => ({
      authSessions: memorySessionStore(statements, userSessionShapes),
      signUps: memorySignUps(statements, userShape, userSessionShapes),
      accountLinks: memoryTable(statements, accountLinkShape),
      magicLinks: memoryMagicLinks(statements),
    }),
    contracts: [
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
  },
}
