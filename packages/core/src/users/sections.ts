import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { UserRow } from "./user.ts"

/** The user, without the password hash, which is never exported. */
export const appUsersSection: TableSection = {
  name: "app_users",
  owner: "id",
  key: ["id"],
  columns: describeColumns(UserRow, [
    "id",
    "email",
    "display_name",
    "anonymous_id",
    "auth_providers",
    "properties",
    "first_seen_at",
    "last_seen_at",
    "external_id",
    "avatar_url",
    "timezone",
    "email_verified_at",
    "is_disabled",
    "held_profile",
    "created_at",
    "updated_at",
  ]),
}
