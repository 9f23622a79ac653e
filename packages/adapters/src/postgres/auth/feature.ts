import type { AuthDb } from "@hearth/core/auth"
import type { TenantFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import { RefreshToken, SessionFamily, User } from "../users/entities.ts"
import { AccountLink, MagicLink } from "./entities.ts"
import { makeMagicLinks } from "./magic-links.ts"
import { makeSessions } from "./sessions.ts"
import { makeSignUps } from "./sign-ups.ts"

/** Sessions, identities and magic links of users in PostgreSQL: tables and repositories. */
export const authFeature: TenantFeature<AuthDb> = {
  tenant: {
    entities: [SessionFamily, RefreshToken, AccountLink, MagicLink],
    repositories: {
      authSessions: (statements, shapes) =>
        makeSessions(statements, { SessionFamily: shapes(SessionFamily), RefreshToken: shapes(RefreshToken) }),
      signUps: (statements, shapes) =>
        makeSignUps(statements, {
          User: shapes(User),
          SessionFamily: shapes(SessionFamily),
          RefreshToken: shapes(RefreshToken),
        }),
      accountLinks: (statements, shapes) => makeTable(statements, shapes(AccountLink)),
      magicLinks: (statements, shapes) => makeMagicLinks(statements, shapes(MagicLink)),
    },
  },
}
