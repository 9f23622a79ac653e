import { failure } from "../failure.ts"

/** No developer has this email, or the developer is not a member. */
export class DeveloperNotFound extends failure(
  "DeveloperNotFound",
  "not_found",
  "DEVELOPER_NOT_FOUND",
  "There is no such developer.",
) {}

/** The project would be left without an owner. */
export class LastOwner extends failure("LastOwner", "conflict", "LAST_OWNER", "A project needs at least one owner.") {}
