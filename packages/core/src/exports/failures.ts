import { failure } from "../failure.ts"

/** The id of a user is no uuid. */
export class InvalidUserId extends failure(
  "InvalidUserId",
  "invalid",
  "INVALID_USER_ID",
  "The id of the user must be a uuid.",
) {}
