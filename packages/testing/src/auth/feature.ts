import type { AuthDb } from "@hearth/core/auth"
import type { TenantFeature } from "../feature.ts"
import { instant, text, uuid } from "../memory/arguments.ts"
import { memoryTable } from "../memory/table.ts"
import { userSessionShapes, userShape } from "../users/memory-shapes.ts"
import { accountLinkShape, magicLinkShape, memoryMagicLinks } from "./memory.ts"
import { memorySessionStore, memorySignUps } from "./memory-sessions.ts"

/** Sessions, identities and magic links of users in tests: tables and repositories in memory. */
export const authFeature: TenantFeature<AuthDb> = {
  tenant: {
    shapes: [userSessionShapes.families, userSessionShapes.refreshTokens, accountLinkShape, magicLinkShape],
    sections: { account_links: accountLinkShape },
    rules: {
      authSessions: { families: { listLive: [uuid, instant], revokeAll: [uuid, instant] } },
      magicLinks: { lockByHash: [text], removeExpired: [instant] },
    },
    make: ({ statements }) => ({
      authSessions: memorySessionStore(statements, userSessionShapes),
      signUps: memorySignUps(statements, userShape, userSessionShapes),
      accountLinks: memoryTable(statements, accountLinkShape),
      magicLinks: memoryMagicLinks(statements),
    }),
  },
}
