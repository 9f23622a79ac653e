import type { UsersDb } from "@hearth/core/users"
import type { TenantFeature } from "../feature.ts"
import { provenEmails, User, usersByFirstSeen } from "./entities.ts"
import { makeUsers } from "./users.ts"

/** Users in PostgreSQL: tables and repositories. */
export const usersFeature: TenantFeature<UsersDb> = {
  tenant: {
    entities: [User],
    steps: [provenEmails, usersByFirstSeen],
    repositories: { users: (statements, shapes) => makeUsers(statements, shapes(User)) },
  },
}
