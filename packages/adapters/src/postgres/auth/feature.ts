import type { AuthDb } from "@hearth/core/auth"
import type { TenantFeature } from "../feature.ts"
import type { Shapes } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"
import { RefreshToken, SessionFamily, User } from "../users/entities.ts"
import { AccountLink, MagicLink } from "./entities.ts"
import { makeMagicLinks } from "./magic-links.ts"
import { makeSessions } from "./sessions.ts"
import { makeSignIns, makeSignUps } from "./sign-ups.ts"

const sessionShapes = (shapes: Shapes) => ({
  User: shapes(User),
  SessionFamily: shapes(SessionFamily),
  RefreshToken: shapes(RefreshToken),
})

/** Sessions, identities and magic links of users in PostgreSQL: tables and repositories. */
export const authFeature: TenantFeature<AuthDb> = {
  tenant: {
    entities: [SessionFamily, RefreshToken, AccountLink, MagicLink],
    repositories: {
      authSessions: (statements, shapes) => makeSessions(statements, sessionShapes(shapes)),
      signUps: (statements, shapes) => makeSignUps(statements, sessionShapes(shapes)),
      signIns: (statements, shapes) => makeSignIns(statements, sessionShapes(shapes)),
      accountLinks: (statements, shapes) => makeTable(statements, shapes(AccountLink)),
      magicLinks: (statements, shapes) => makeMagicLinks(statements, shapes(MagicLink)),
    },
  },
}
