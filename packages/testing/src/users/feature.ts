import type { UsersDb } from "@hearth/core/users"
import type { TenantFeature } from "../feature.ts"
import { fields, instant, json, keepList, limit, optional, orNull, slice, text, uuid } from "../memory/arguments.ts"
import { memoryUsers } from "./memory.ts"
import { userShape } from "./memory-shapes.ts"

/** Users in tests: tables and repositories in memory. */
export const usersFeature: TenantFeature<UsersDb> = {
  tenant: {
    shapes: [userShape],
    sections: { app_users: userShape },
    rules: {
      users: {
        pageMatching: [
          fields({ search: orNull(text), segment_id: orNull(uuid), ids: optional(keepList(uuid)) }),
          slice,
        ],
        newest: [limit],
        profile: [uuid],
        lockZones: [keepList(uuid)],
        seen: [keepList(fields({ id: uuid, at: orNull(instant) }))],
        countActive: [instant, instant, limit],
        hasLiveSession: [uuid, uuid],
        lockMany: [keepList(uuid)],
        mayExceed: [keepList(uuid), json],
        propertiesOf: [keepList(uuid)],
        mergeProperties: [keepList(uuid), json, instant],
      },
    },
    make: ({ statements }) => ({ users: memoryUsers(statements) }),
  },
}
