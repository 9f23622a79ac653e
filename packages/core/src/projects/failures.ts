import { failure } from "../failure.ts"

/** Nobody has an account with this email, or the developer is no member. */
export class DeveloperNotFound extends failure(
  "DeveloperNotFound",
  "not_found",
  "DEVELOPER_NOT_FOUND",
  "There is no such developer.",
) {}

/** The project would be left without an owner. */
export class LastOwner extends failure("LastOwner", "conflict", "LAST_OWNER", "A project needs at least one owner.") {}
