export { AdminUser, readAdminUser, readAdminUsers } from "./admin-view.ts"
export { BulkUpdated, BulkUpdateInput, makeBulkUpdate } from "./bulk-update.ts"
export { AdminUserChanges, makeChangeUser } from "./change-user.ts"
export type { Departure } from "./departure.ts"
export {
  EmptyUpdates,
  ExternalIdExists,
  InvalidBody,
  InvalidTimezone,
  InvalidUserIds,
  InvalidUuid,
  MissingUserIds,
  PropertiesTooLarge,
  TooManyUsers,
  UserNotFound,
} from "./failures.ts"
export { makeModeratedUsers } from "./moderated.ts"
export { type BulkUpdate, type BulkUpdateRefusal, maxBulkUsers, parseBulkUpdate } from "./parse-bulk-update.ts"
export type { Profile, UserBatches, UserFilter, UserPosition, Users, UsersDb } from "./port.ts"
export { maxPropertiesBytes, mergeProperties, propertiesBytes } from "./properties.ts"
export { appUsersSection } from "./sections.ts"
export {
  AuthProvider,
  DisplayName,
  EndUser,
  OwnProfile,
  Person,
  ProfileChanges,
  ProfileRow,
  UserRow,
  UserSummary,
} from "./user.ts"
export { UserCursor } from "./user-cursor.ts"
export { makeUsers, type UserQuery } from "./users.ts"
export { makeUsersWork } from "./work.ts"
