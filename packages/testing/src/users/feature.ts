import type { UsersDb } from "@hearth/core/users"
import type { TenantFeature } from "../feature.ts"
import { fields, instant, json, limit, listOf, orNull, slice, text, uuid } from "../memory/arguments.ts"
import { memoryUsers } from "./memory.ts"
import { userShape } from "./memory-shapes.ts"

/** Users in tests: tables and repositories in memory. */
export const usersFeature: TenantFeature<UsersDb> = {
  tenant: {
    shapes: [userShape],
    sections: { app_users: userShape },
    rules: {
      users: {
        pageMatching: [fields({ search: orNull(text), segment_id: orNull(uuid) }), slice],
        newest: [limit],
        profile: [uuid],
        lockZones: [listOf(uuid)],
        seen: [listOf(fields({ id: uuid, at: instant }))],
        countActive: [instant, instant, limit],
        hasLiveSession: [uuid, uuid],
        lockMany: [listOf(uuid)],
        mayExceed: [listOf(uuid), json],
        propertiesOf: [listOf(uuid)],
        mergeProperties: [listOf(uuid), json, instant],
      },
    },
    make: ({ statements }) => ({ users: memoryUsers(statements) }),
  },
}
