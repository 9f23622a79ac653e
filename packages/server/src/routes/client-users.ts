import { InvalidTimezone, InvalidToken, OwnProfile, ProfileChanges, PropertiesTooLarge } from "@hearth/core"
import { deleted, ok } from "../http/response/answers.ts"
import { route } from "./route.ts"

/** Decisions D: a user's own profile. */
export const clientUsers = [
  route("GET", "/client/users/me", {
    summary: "Shows the caller's own profile with the entitlements",
    access: "client",
    errors: [InvalidToken],
    returns: ok(OwnProfile),
    run: ({ core, caller }) => core.users.me(caller.project_id, caller.user_id),
  }),
  route("PATCH", "/client/users/me", {
    summary: "Changes the caller's own profile; properties are merged at the top level",
    access: "client",
    body: ProfileChanges,
    errors: [InvalidToken, InvalidTimezone, PropertiesTooLarge],
    returns: ok(OwnProfile),
    run: ({ core, caller, body }) => core.users.update(caller.project_id, caller.user_id, body),
  }),
  route("DELETE", "/client/users/me", {
    summary: "Removes the caller with everything that is theirs",
    access: "client",
    returns: deleted,
    run: ({ core, caller }) => core.users.remove(caller.project_id, caller.user_id),
  }),
]
