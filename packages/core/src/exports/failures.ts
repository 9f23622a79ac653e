import { failure } from "../failure.ts"

/** The id of the user is not a uuid. */
export class InvalidUserId extends failure(
  "InvalidUserId",
  "invalid",
  "INVALID_USER_ID",
  "The id of the user must be a uuid.",
) {}
