import { failure } from "../failure.ts"

/** The user has no such session, or it has ended and cannot go on [H5.1]. The code is the spec's. */
export class SessionNotOpen extends failure(
  "SessionNotOpen",
  "not_found",
  "UPDATE_FAILED",
  "There is no such session of the caller, or it has ended.",
) {}
