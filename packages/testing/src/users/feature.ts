import type { UsersDb } from "@hearth/core/users"
import type { TenantFeature } from "../feature.ts"
import { memoryUsers } from "./memory.ts"
import { userShape } from "./memory-shapes.ts"

/** Users in tests: tables and repositories in memory. */
export const usersFeature: TenantFeature<UsersDb> = {
  tenant: {
    shapes: [userShape],
    sections: { app_users: userShape },
    make: ({ statements }) => ({ users: memoryUsers(statements) }),
  },
}
