import type { AuthDb } from "@hearth/core/auth"
import type { TenantFeature } from "../feature.ts"
import { any, fields, instant, limit, orNull, text, uuid } from "../memory/arguments.ts"
import { memoryTable } from "../memory/table.ts"
import { userSessionShapes, userShape } from "../users/memory-shapes.ts"
import { accountLinkShape, magicLinkShape, memoryMagicLinks } from "./memory.ts"
import { memorySessionStore, memorySignIns, memorySignUps } from "./memory-sessions.ts"

/** Sessions, identities and magic links of users in tests: tables and repositories in memory. */
export const authFeature: TenantFeature<AuthDb> = {
  tenant: {
    shapes: [userSessionShapes.families, userSessionShapes.refreshTokens, accountLinkShape, magicLinkShape],
    sections: { account_links: accountLinkShape },
    rules: {
      authSessions: { families: { listLive: [uuid, instant], revokeAll: [uuid, instant] } },
      signIns: { insert: [fields({ id: uuid, password_hash: text }), any, any, orNull(instant)] },
      magicLinks: { lockByHash: [text], removeOld: [instant, limit], removeOf: [text] },
    },
    make: ({ statements }) => ({
      authSessions: memorySessionStore(statements, userSessionShapes),
      signUps: memorySignUps(statements, userShape, userSessionShapes),
      signIns: memorySignIns(statements, userShape, userSessionShapes),
      accountLinks: memoryTable(statements, accountLinkShape),
      magicLinks: memoryMagicLinks(statements),
    }),
  },
}
